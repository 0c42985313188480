import Foundation
import Longhand

/// A private copy of a stream, because a sound file has to be read from more than one place.
///
/// The folder belongs to its owner alone, and is removed however the program ends (short of being killed outright).
struct Spool: Sendable {
  /// The file with the sound.
  let file: URL
  private let folder: String

  /// Removes the copy.
  func remove() { TemporaryFiles.remove(folder) }

  /// Reads `input` to its end, on a thread of its own; cancelling the task ends the reading.
  ///
  /// - Parameter raw: how the samples are laid out when the bytes are nothing but samples.
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
      input.isStandardInput ? dup(STDIN_FILENO) : open(input.operand, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard source >= 0 else {
      throw Failure.system(errno, .unreadable, "it cannot be read", input: input.name)
    }
    defer { close(source) }
    let parent = FileManager.default.temporaryDirectory.path
    let folder = PathName.join(parent, "longhand-\(UUID().uuidString)")
    TemporaryFiles.add(folder)
    do {
      guard mkdir(folder, 0o700) == 0 else { throw unwritable(errno, parent) }
      let path = PathName.join(folder, raw == nil ? "stdin" : "stdin.wav")
      let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard target >= 0 else { throw unwritable(errno, parent) }
      defer { close(target) }
      let copied = try SpoolCopy(input: input, source: source, target: target, raw: raw, flag: flag).run()
      guard copied > 0 else { throw Failure.emptyInput(input.name) }
      return Spool(file: URL(fileURLWithPath: path), folder: folder)
    } catch {
      TemporaryFiles.remove(folder)
      throw error
    }
  }

  /// The place for temporary files is full, or may not be written.
  static func unwritable(_ number: Int32, _ folder: String) -> Failure {
    .system(
      number, .output, "the temporary folder \(folder) cannot be written",
      hint: "name another in the environment variable TMPDIR")
  }
}

/// The copying behind a `Spool`: from one descriptor to another, until the end or until nobody wants it any more.
struct SpoolCopy {
  let input: AudioInput
  let source: Int32
  let target: Int32
  let raw: RawAudioFormat?
  let flag: CancellationFlag

  /// Copies everything.
  ///
  /// - Returns: how many bytes of sound there were.
  func run() throws -> Int {
    if raw != nil { try write(Array(repeating: 0, count: WaveHeader.length)) }
    var total = 0
    var pending: [UInt8] = []
    let reader = StreamReader(descriptor: source, name: input.name)
    while let bytes = try reader.read(1 << 16, until: flag) {
      guard let raw else {
        try write(bytes)
        total += bytes.count
        continue
      }
      // A read may end within a frame; its rest comes with the next one.
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
