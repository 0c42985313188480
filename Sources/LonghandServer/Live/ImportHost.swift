import FileSupport
import Foundation
import Longhand

/// Receives files for the library, and begins their imports.
final class ImportHost: Sendable {
  /// The session of a complete file.
  struct Imported: Sendable {
    var id: String
    /// Whether the session was there before, with the same bytes.
    var isDuplicate: Bool
  }

  /// Bytes of the largest file.
  private static let maxSize: Int64 = 64 << 30

  private let library: Library
  private let options: TranscriptionOptions
  private let recoveries: RecoveryHost
  private let freeBytes: @Sendable () -> Int64?

  /// - Parameters:
  ///   - library: gets the files.
  ///   - options: how files are transcribed.
  ///   - recoveries: continues each import that is begun here.
  ///   - freeBytes: the free space of the library's disk; nil asks the system.
  init(
    _ library: Library, options: TranscriptionOptions, _ recoveries: RecoveryHost,
    freeBytes: (@Sendable () -> Int64?)? = nil
  ) {
    self.library = library
    self.options = options
    self.recoveries = recoveries
    self.freeBytes = freeBytes ?? { library.uploads.freeBytes }
  }

  /// Continues what an earlier server has received: imports, and files whose import was not begun; then what was to be done
  /// again.
  func resume() {
    // A thread: a file of many gigabytes is read for its digest.
    Thread.detachNewThread { [self] in
      defer { recoveries.resumeWork() }
      for upload in library.uploads.all {
        let session = try? library.store.session(matching: upload.id)
        if let session, session.state != .complete {
          let activity = library.activity(of: session)
          if activity.needsRecovery, activity.state != .failed {
            recoveries.resume(session.id)
          }
        } else if library.uploads.received(of: upload) == upload.size {
          _ = try? finish(upload)
        }
      }
    }
  }

  /// The incomplete uploads, in the order of their names.
  var unfinished: [Upload] {
    library.uploads.all.filter { library.uploads.received(of: $0) < $0.size }.sorted { $0.name < $1.name }
  }

  /// The uploads that are no sessions yet: incomplete ones, and complete ones that could not be imported.
  private var waiting: [Upload] {
    library.uploads.all.filter { upload in
      library.uploads.received(of: upload) < upload.size
        || (try? library.store.session(matching: upload.id)) == nil
    }
  }

  /// An upload, as the API sends it.
  func document(_ upload: Upload) -> JSONValue {
    .object([
      ("id", .string(upload.id)), ("name", .string(upload.name)), ("size", .integer(Int(upload.size))),
      ("modified", upload.modified.map { .integer(Int(clamping: $0)) } ?? .null),
      ("received", .integer(Int(library.uploads.received(of: upload)))),
      ("isStopped", .boolean(upload.isStopped == true)),
      ("maxPart", .integer(Int(RequestBodyKind.maxPart))),
    ])
  }

  /// - Throws: `HTTPError` if there is no such upload.
  func upload(_ id: String) throws -> Upload {
    guard let upload = library.uploads.upload(id) else { throw Self.unknown }
    return upload
  }

  /// Begins to receive a file, or continues with one of the same name, length and date.
  /// - Parameters:
  ///   - choice: how it is transcribed.
  ///   - session: the session whose file it is, which has grown; nil for a new one.
  /// - Throws: `HTTPError`.
  func begin(
    name: String, size: Int64, modified: Double?, choice: RecognitionChoice? = nil, session: String? = nil
  ) throws -> Upload {
    guard size > 0 else {
      throw HTTPError(.badRequest, "The file '\(name)' is empty. Choose one with audio.", parameter: "size")
    }
    guard size <= Self.maxSize else {
      throw HTTPError(
        .tooLarge, "The file '\(name)' is larger than \(Self.maxSize >> 30) GB. Split it.", parameter: "size")
    }
    if let modified, modified.isFinite,
      var known = waiting.first(where: { ($0.name, $0.size, $0.modified) == (name, size, modified) })
    {
      (known.choice, known.isStopped) = (choice, nil)
      try library.uploads.describe(known)
      return known
    }
    try checkSpace(for: size, name)
    return try library.uploads.begin(
      name: name, size: size, modified: modified, choice: choice, session: session)
  }

  private func checkSpace(for size: Int64, _ name: String) throws {
    guard let free = freeBytes(), free < size + FormReceiver.reservedBytes else { return }
    throw HTTPError(
      .diskFull,
      "The server's disk has no room for '\(name)', which has \(size.asSize). Free some space and try again."
    )
  }

  /// Adds bytes to an upload.
  /// - Returns: the number of bytes that were received in all.
  /// - Throws: `HTTPError`.
  func append(_ data: Data, at offset: Int64, to upload: Upload) throws -> Int64 {
    do {
      return try library.uploads.append(data, at: offset, to: upload.id)
    } catch let problem as UploadFolder.Problem {
      switch problem {
      case .unknown: throw Self.unknown
      case .stopped:
        throw HTTPError(
          .conflict, "The upload was stopped. POST /api/uploads/ID/resume lets it go on.", code: "stopped")
      case .wrongOffset(let received):
        throw HTTPError(
          .conflict, "The server has \(received) bytes. Send those from there on.", parameter: "offset",
          code: "wrong_offset")
      case .tooLong(let size):
        throw HTTPError(
          .badRequest, "The file has \(size) bytes, as the upload said. Begin a new upload.", code: "too_long"
        )
      }
    } catch RecordingError.inUse {
      throw HTTPError(.conflict, "Another request adds bytes to this upload.", code: "in_use")
    }
  }

  /// Begins the import of a completely received file, unless the library has it, or adds its rest to the session with its
  /// beginning.
  /// - Throws: `HTTPError` if it has no audio that can be decoded. It is removed then. It stays if the fault is not its
  ///   own: the status is then `unavailable`.
  func finish(_ upload: Upload) throws -> Imported {
    do {
      recoveries.reserve(upload.id)
      // If it is resumed, this changes nothing.
      defer { recoveries.release(upload.id) }
      let session = try library.begin(upload) {
        try upload.choice.map { try library.resolved(options, $0) } ?? options
      }
      let isDuplicate = session.id != upload.id
      if isDuplicate || session.state == .complete {
        library.uploads.remove(upload.id)
      } else {
        recoveries.resume(session.id)
      }
      return Imported(id: session.id, isDuplicate: isDuplicate)
    } catch let error as TranscriptionError {
      switch error {
      case .unreadable, .undecodable, .noAudio:
        library.uploads.remove(upload.id)
        throw HTTPError(
          .badRequest,
          "'\(upload.name)' cannot be imported: \(error.explanation). Send a file with audio, such as WAV, MP3, M4A or FLAC.",
          parameter: "file", code: "undecodable")
      case .unsupportedLocale, .notInstalled, .notAuthorized, .leavesDevice, .recognizerFailed,
        .tooManyPhrases:
        // Some of these texts end with what to do.
        let why = error.explanation + (error.explanation.last == "." ? "" : ".")
        throw HTTPError(
          .unavailable,
          "'\(upload.name)' cannot be imported now: \(why) Send it again after that is mended.",
          code: "not_importable")
      }
    }
  }

  /// Takes a file that was received as a whole.
  /// - Parameters:
  ///   - descriptor: the open file.
  ///   - name: the name that the client gave it.
  ///   - choice: how it is transcribed.
  ///   - modified: the time of its last change in milliseconds since 1970, by which a copy that was interrupted is
  ///     continued; nil if it is not known.
  ///   - session: as in `begin`.
  /// - Throws: `HTTPError`.
  func take(
    _ descriptor: Int32, named name: String, choice: RecognitionChoice?, modified: Double? = nil,
    session: String? = nil
  ) throws -> Imported {
    let upload = try begin(
      name: name, size: Int64(lseek(descriptor, 0, SEEK_END)), modified: modified, choice: choice,
      session: session)
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
      var offset = library.uploads.received(of: upload)
      try file.seek(toOffset: UInt64(offset))
      while let part = try file.read(upToCount: 4 << 20), !part.isEmpty {
        offset = try append(part, at: offset, to: upload)
      }
      return try finish(upload)
    } catch {
      // Another server may receive the same file.
      if (error as? HTTPError)?.status != .conflict { library.uploads.remove(upload.id) }
      throw error
    }
  }

  /// Stops an upload, or lets it go on.
  /// - Throws: `HTTPError` or `RecordingError`.
  func setStopped(_ isStopped: Bool, _ id: String) throws -> JSONValue {
    try library.uploads.setStopped(isStopped, upload(id))
    return document(try upload(id))
  }

  /// Removes an upload that is not wanted any more.
  func remove(_ upload: Upload) { library.uploads.remove(upload.id) }

  private static let unknown = HTTPError(
    .notFound, "There is no upload with this ID. POST /api/uploads begins one.", code: "no_upload")
}
