import FileSupport
import Foundation
import Longhand

/// A private copy of a stream on disk, because decoding an audio file reads it at more than one offset.
///
/// Only the owner can read the folder. It is removed when the program ends. If the program is killed, the next one that
/// copies a stream removes it.
struct Spool: Sendable {
  /// The beginning of the folder's name.
  private static let prefix = "longhand-input-"

  /// The copy.
  let file: URL
  private let folder: DraftFolder

  /// Removes the copy.
  func remove() { TemporaryFiles.remove(folder.path) }

  /// Copies `input` to its end. Cancelling the task ends the copying.
  ///
  /// Uses its own thread, because reading a descriptor blocks.
  ///
  /// - Parameter raw: the sample format if the stream has no header.
  static func copy(_ input: AudioInput, raw: RawAudioFormat?) async throws -> Spool {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(with: Result { try copy(input, raw: raw, flag: flag) })
        }
      }
    } onCancel: {
      flag.cancel()
    }
  }

  private static func copy(_ input: AudioInput, raw: RawAudioFormat?, flag: CancellationFlag) throws -> Spool
  {
    let source =
      input.isStandardInput
      ? dup(STDIN_FILENO) : open(input.operand.systemName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard source >= 0 else {
      throw Failure.system(errno, .unreadable, "Cannot read the input", input: input.name)
    }
    defer { close(source) }
    return try copy(source, name: input.name, raw: raw, flag: flag)
  }

  /// Copies an open stream to its end.
  ///
  /// - Parameters:
  ///   - name: the name of the stream in errors.
  ///   - beginning: bytes that were read from it already.
  ///   - isWholeWhenCancelled: whether a cancellation counts as the end of the stream.
  static func copy(
    _ source: Int32, name: String, raw: RawAudioFormat? = nil, beginning: [UInt8] = [],
    isWholeWhenCancelled: Bool = false, flag: CancellationFlag
  ) throws -> Spool {
    var status = stat()
    let isDevice = fstat(source, &status) == 0 && status.isDevice
    let parent = FileManager.default.temporaryDirectory.path
    DraftFolder.removeAbandoned(in: parent, prefix: prefix)
    let folder = DraftFolder.path(in: parent, prefix: prefix)
    TemporaryFiles.add(folder)
    do {
      let draft = try makeDraft(folder, in: parent)
      let path = PathName.join(folder, raw == nil ? "stdin" : "stdin.wav")
      let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard target >= 0 else { throw unwritable(errno, parent) }
      defer { close(target) }
      let copied = try SpoolCopy(
        name: name, source: source, target: target, raw: raw, flag: flag, isDevice: isDevice,
        beginning: beginning, isWholeWhenCancelled: isWholeWhenCancelled
      ).run()
      guard copied > 0 else { throw Failure.emptyInput(name) }
      return Spool(file: URL(fileURLWithPath: path), folder: draft)
    } catch {
      TemporaryFiles.remove(folder)
      throw error
    }
  }

  private static func makeDraft(_ path: String, in parent: String) throws -> DraftFolder {
    do { return try DraftFolder(path) } catch { throw unwritable(error.number, parent) }
  }

  /// The temporary folder is full, or is not writable.
  static func unwritable(_ number: Int32, _ folder: String) -> Failure {
    .system(
      number, .output, "Cannot write to the temporary folder \(folder)",
      hint: "Set the environment variable TMPDIR to another folder.")
  }
}

/// Copies one descriptor to another, until the end of the stream or until cancelled.
struct SpoolCopy {
  /// The name of the source in errors.
  let name: String
  let source: Int32
  let target: Int32
  let raw: RawAudioFormat?
  let flag: CancellationFlag
  /// Whether the source is a device, which has no end.
  var isDevice = false
  /// Bytes of the source that were read already.
  var beginning: [UInt8] = []
  /// Whether a cancellation counts as the end of the source.
  var isWholeWhenCancelled = false
  /// The most bytes that are copied.
  var maxBytes = 64 << 30
  /// The bytes that are left free in the temporary folder.
  var reserve: UInt64 = 512 << 20

  /// How often the free space is checked, in bytes.
  private static let stride = 16 << 20

  /// Copies everything.
  ///
  /// - Returns: the number of audio bytes.
  func run() throws -> Int {
    if raw != nil { try write(Array(repeating: 0, count: WaveHeader.length)) }
    var total = 0
    var pending: [UInt8] = []
    let reader = StreamReader(descriptor: source, name: name)
    var begins = beginning
    var nextCheck = 0
    try write(beginning)
    total += beginning.count
    while let bytes = try next(reader) {
      if isDevice { throw Failure.device(name) }
      if begins.count < Self.head, raw == nil {
        begins += bytes
        try checkBeginning(begins)
      }
      if total >= nextCheck {
        try checkSpace(total)
        nextCheck = min(total + Self.stride, maxBytes)
      }
      guard let raw else {
        try write(bytes)
        total += bytes.count
        continue
      }
      // A read may end within a frame; the next read has the rest of it.
      pending += bytes
      let whole = pending.count - pending.count % raw.frameBytes
      try write(raw.littleEndian(pending[..<whole]))
      pending.removeFirst(whole)
      total += whole
    }
    if let raw, total > 0 {
      if total % 2 == 1 { try write([0]) }
      guard lseek(target, 0, SEEK_SET) == 0 else { throw unwritable(errno) }
      try write(raw.header(dataBytes: UInt64(total)).bytes)
    }
    return total
  }

  private func next(_ reader: StreamReader) throws -> [UInt8]? {
    do {
      return try reader.read(1 << 16, until: flag)
    } catch is CancellationError where isWholeWhenCancelled {
      return nil
    }
  }

  /// The bytes at the beginning that are checked.
  private static let head = 1 << 16

  /// No audio file begins like this: an endless stream of zeros does.
  private func checkBeginning(_ bytes: [UInt8]) throws {
    guard bytes.count >= Self.head, bytes.allSatisfy({ $0 == 0 }) else { return }
    throw Failure(
      .undecodable, "The input begins with 64 KB of zeros, which is not an audio file.", input: name,
      hint: "For raw samples use: longhand transcribe --raw s16le:16000:1 -")
  }

  /// The stream may never end.
  private func checkSpace(_ total: Int) throws {
    var system = statvfs()
    let isFull =
      fstatvfs(target, &system) == 0 && UInt64(system.f_bavail) * UInt64(system.f_frsize) < reserve
    guard total >= maxBytes || isFull else { return }
    throw Failure(
      .output,
      isFull
        ? "The temporary folder has no more room: \(total.asSize) of the input were copied."
        : "The input does not end: \(total.asSize) were copied.",
      input: name,
      hint: isFull
        ? "Free some space, or set the environment variable TMPDIR to a folder with more room."
        : "If it has an end, write it to a file, and give that.")
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(target, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        throw unwritable(errno)
      }
    }
  }

  private func unwritable(_ number: Int32) -> Failure {
    Spool.unwritable(number, FileManager.default.temporaryDirectory.path)
  }
}
