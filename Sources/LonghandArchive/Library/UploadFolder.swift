import FileSupport
import Foundation
import LonghandRecording

/// A file that is being received for the library.
package struct Upload: Sendable, Hashable, Codable {
  /// The ID of the session that it becomes: a UUID in lower case.
  package let id: String
  /// The name of the file, without folders.
  package let name: String
  /// Its length in bytes.
  package let size: Int64
  /// The time of its last change, as the client says, in milliseconds since 1970; nil if it is not known.
  package let modified: Double?
  /// What a person chose for its transcription; nil if nothing was chosen.
  package var choice: RecognitionChoice?
  /// Whether a person stopped it: no bytes are added until someone continues it.
  package var isStopped: Bool?
}

/// The files that are being received for a library, each in a folder of its own that only the owner can read. What was
/// received stays when the process ends, so that the rest can be received later.
package struct UploadFolder: Sendable {
  /// Why bytes could not be added.
  package enum Problem: Error, Sendable, Hashable {
    /// There is no such upload.
    case unknown
    /// The bytes do not follow those that were received. The value is the number of bytes that were.
    case wrongOffset(received: Int64)
    /// There are more bytes than the file has.
    case tooLong(size: Int64)
    /// A person stopped the upload.
    case stopped
  }

  private static let description = "upload.json"
  private let url: URL
  private let disk = SystemDisk()

  init(_ url: URL) { self.url = url }

  /// Begins to receive a file.
  /// - Parameters:
  ///   - name: its name; folders in it are left out.
  ///   - size: its length in bytes.
  ///   - modified: the time of its last change in milliseconds since 1970, to find it again.
  ///   - choice: what a person chose for its transcription.
  ///   - session: the ID of the session whose file it is, which has grown; nil for a new one.
  /// - Throws: `RecordingError`.
  package func begin(
    name: String, size: Int64, modified: Double? = nil, choice: RecognitionChoice? = nil,
    session: String? = nil
  ) throws -> Upload {
    let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
    session.map(remove)
    let upload = Upload(
      id: session ?? UUID().uuidString.lowercased(),
      name: last.isEmpty ? "recording" : String(last.prefix(200)),
      size: size,
      modified: modified, choice: choice)
    if !FileManager.default.fileExists(atPath: url.path) { try? disk.makeFolder(url) }
    let folder = folder(of: upload.id)
    try disk.makeFolder(folder)
    try disk.open(content(of: upload), isNew: true).close()
    // The description comes last: without it, there is no upload.
    try describe(upload)
    return upload
  }

  /// Stores what is known of an upload.
  /// - Throws: `RecordingError`.
  package func describe(_ upload: Upload) throws {
    try disk.replace(
      folder(of: upload.id).appendingPathComponent(Self.description),
      with: try JSONEncoder().encode(upload))
  }

  /// Stops an upload, or lets it go on. What was received is kept.
  /// - Throws: `RecordingError`.
  package func setStopped(_ isStopped: Bool, _ upload: Upload) throws {
    var upload = upload
    upload.isStopped = isStopped ? true : nil
    try describe(upload)
  }

  /// All uploads, in no particular order.
  package var all: [Upload] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).compactMap(upload)
  }

  /// The upload with an ID; nil if there is none.
  package func upload(_ id: String) -> Upload? {
    guard UUID(uuidString: id) != nil,
      let data = FileManager.default.contents(
        atPath: folder(of: id).appendingPathComponent(Self.description).path)
    else { return nil }
    return try? JSONDecoder().decode(Upload.self, from: data)
  }

  /// The file with the bytes that were received. It has the extension of the original name, which identifies some formats.
  package func content(of upload: Upload) -> URL {
    let ending = (upload.name as NSString).pathExtension.lowercased()
    let isPlain =
      (1...8).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return folder(of: upload.id).appendingPathComponent(isPlain ? "content.\(ending)" : "content")
  }

  /// The number of bytes that were received.
  package func received(of upload: Upload) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: content(of: upload).path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Adds bytes to an upload. They are on the disk when this returns.
  /// - Parameters:
  ///   - data: the bytes.
  ///   - offset: the position of the first one in the file.
  ///   - id: the ID of the upload.
  /// - Returns: the number of bytes that were received in all.
  /// - Throws: `Problem`, `RecordingError`; `inUse` while others add bytes.
  package func append(_ data: Data, at offset: Int64, to id: String) throws -> Int64 {
    guard let upload = upload(id) else { throw Problem.unknown }
    guard upload.isStopped != true else { throw Problem.stopped }
    let file = try disk.open(content(of: upload), isNew: false)
    defer { file.close() }
    let received = Int64(clamping: try file.length())
    guard offset == received else { throw Problem.wrongOffset(received: received) }
    guard Int64(data.count) <= upload.size - offset else { throw Problem.tooLong(size: upload.size) }
    guard !data.isEmpty else { return received }
    do {
      try file.write(data, at: UInt64(offset))
      try file.synchronize()
    } catch {
      // A part of it would be taken for all of it.
      truncate(content(of: upload).path, off_t(offset))
      throw error
    }
    return received + Int64(data.count)
  }

  /// Waits until no other thread or process has this lock; nil if the file system has none.
  func lock() -> FolderLock? { try? FolderLock(url, .exclusiveAfterOthers) }

  /// The SHA-256 digest of the bytes that were received, in lower-case hexadecimal digits.
  /// - Throws: an error of Foundation if they cannot be read.
  package func sha256(of upload: Upload) throws -> String { try Library.sha256(of: content(of: upload)) }

  /// Removes an upload, if there is one.
  package func remove(_ id: String) {
    guard UUID(uuidString: id) != nil else { return }
    // The description first: without it, there is no upload.
    let folder = folder(of: id)
    unlink(folder.appendingPathComponent(Self.description).path)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Free bytes on the disk of the library; nil if it is unknown.
  package var freeBytes: Int64? { disk.freeBytes(url.deletingLastPathComponent()) }

  private func folder(of id: String) -> URL { url.appendingPathComponent(id.lowercased()) }
}
