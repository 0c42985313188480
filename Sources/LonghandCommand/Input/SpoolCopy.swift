import Foundation
import Longhand

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
