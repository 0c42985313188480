import Foundation
import Longhand

/// The copying behind a `Spool`: from one descriptor to another, until the end or until nobody wants it any more.
struct SpoolCopy {
  let input: SoundInput
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
    while let bytes = try read() {
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

  /// The next bytes; `nil` at the end.
  private func read() throws -> [UInt8]? {
    while true {
      if flag.isCancelled { throw CancellationError() }
      var waiting = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 100) == 0 { continue }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = Foundation.read(source, &buffer, buffer.count)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 { return nil }
      if errno != EINTR, errno != EAGAIN {
        throw Failure.system(errno, .unreadable, "it cannot be read", input: input.name)
      }
    }
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
