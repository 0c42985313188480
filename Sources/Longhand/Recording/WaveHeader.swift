/// The header of a WAVE file: its first 80 bytes. It can be rewritten with the length when the samples are written.
///
/// Beyond 4 GiB it becomes an RF64 header (EBU Tech 3306). Until then, a `JUNK` chunk reserves the bytes for the 64-bit
/// lengths.
package struct WaveHeader: Sendable {
  /// Frames per second (Hz).
  package var sampleRate: Int
  /// Samples per frame.
  package var channels: Int
  /// Bytes per sample, little-endian. 8-bit samples are unsigned.
  package var sampleBytes = 2
  /// Whether samples are floating-point numbers.
  package var isFloat = false
  /// The length of all samples in bytes.
  package var dataBytes: UInt64

  /// The length of the header in bytes.
  package static let length = 80

  package init(
    sampleRate: Int, channels: Int, sampleBytes: Int = 2, isFloat: Bool = false, dataBytes: UInt64
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.sampleBytes = sampleBytes
    self.isFloat = isFloat
    self.dataBytes = dataBytes
  }

  private var frameBytes: Int { sampleBytes * channels }

  /// The header.
  package var bytes: [UInt8] {
    // A chunk of odd length is followed by a byte that counts for the file but not for the chunk.
    let fileBytes = UInt64(Self.length - 8) + dataBytes + dataBytes % 2
    let isLong = fileBytes > UInt64(UInt32.max)
    var header: [UInt8] = []
    func text(_ text: String) { header += Array(text.utf8) }
    func number<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { header += Array($0) }
    }
    text(isLong ? "RF64" : "RIFF")
    number(isLong ? UInt32.max : UInt32(fileBytes))
    text("WAVE")
    text(isLong ? "ds64" : "JUNK")
    number(UInt32(28))
    number(isLong ? fileBytes : 0)
    number(isLong ? dataBytes : 0)
    number(isLong ? dataBytes / UInt64(frameBytes) : 0)
    number(UInt32(0))
    text("fmt ")
    number(UInt32(16))
    number(UInt16(isFloat ? 3 : 1))
    number(UInt16(channels))
    number(UInt32(sampleRate))
    number(UInt32(sampleRate * frameBytes))
    number(UInt16(frameBytes))
    number(UInt16(sampleBytes * 8))
    text("data")
    number(isLong ? UInt32.max : UInt32(dataBytes))
    return header
  }

  /// The length of the samples in bytes, according to a header; nil if the bytes are not such a header.
  package static func dataBytes(in header: some Collection<UInt8>) -> UInt64? {
    let header = Array(header)
    guard header.count >= length else { return nil }
    func number(at offset: Int, bytes: Int) -> UInt64 {
      (0..<bytes).reduce(0) { $0 | UInt64(header[offset + $1]) << (8 * UInt64($1)) }
    }
    switch String(decoding: header.prefix(4), as: UTF8.self) {
    case "RIFF": return number(at: 76, bytes: 4)
    case "RF64": return number(at: 28, bytes: 8)
    default: return nil
    }
  }
}
