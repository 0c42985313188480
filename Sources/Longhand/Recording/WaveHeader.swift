/// The header of a WAVE file: read from any, and written as the first 80 bytes, which can be rewritten with the length when
/// the samples are written.
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
  /// Whether a header that was read states the length with 64 bits.
  private var hasLongLength = false

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
}

extension WaveHeader {
  /// Why bytes are not the header of a WAVE file with PCM samples.
  package enum Fault: Error { case empty, invalid }

  /// The maximum size of a header. A longer one is not that of a WAVE file, or not of one for a pipe.
  private static let maxBytes = 16 << 20

  /// Reads the header of any WAVE file with PCM samples, up to its first sample; `dataBytes` is what the header states.
  ///
  /// - Parameter next: returns the given number of bytes, or fewer at the end.
  /// - Throws: a `Fault`, and the errors of `next`.
  package init(reading next: (Int) throws -> [UInt8]) throws {
    var total = 0
    func bytes(_ count: Int) throws -> [UInt8] {
      total += count
      guard total <= Self.maxBytes else { throw Fault.invalid }
      let bytes = try next(count)
      guard bytes.count == count else { throw total == count && bytes.isEmpty ? Fault.empty : .invalid }
      return bytes
    }
    let head = try bytes(12)
    guard ["RIFF", "RF64"].contains(Self.text(head[..<4])), Self.text(head[8...]) == "WAVE" else {
      throw Fault.invalid
    }
    var format: WaveHeader?
    var longLength: UInt64?
    while true {
      let chunk = try bytes(8)
      let size = Self.number(chunk[4...])
      let kind = Self.text(chunk[..<4])
      if kind == "data" {
        guard let format else { throw Fault.invalid }
        self = format
        dataBytes = size == UInt64(UInt32.max) ? longLength ?? size : size
        hasLongLength = longLength != nil
        return
      }
      // A chunk of odd length has one byte of padding.
      let content = try bytes(Int(size + size % 2))
      if kind == "fmt " { format = try WaveHeader(format: content) }
      if kind == "ds64", content.count >= 16 { longLength = Self.number(content[8..<16]) }
    }
  }

  private init(format chunk: [UInt8]) throws(Fault) {
    guard chunk.count >= 16 else { throw .invalid }
    let code = Self.number(chunk[..<2])
    // An extensible format has its code at byte 24.
    let encoding = code == 0xFFFE && chunk.count >= 26 ? Self.number(chunk[24..<26]) : code
    let bits = Int(Self.number(chunk[14..<16]))
    self.init(
      sampleRate: Int(Self.number(chunk[4..<8])), channels: Int(Self.number(chunk[2..<4])),
      sampleBytes: bits / 8, isFloat: encoding == 3, dataBytes: 0)
    guard [1: [8, 16, 24, 32], 3: [32, 64]][encoding]?.contains(bits) == true,
      AudioLimits.sampleRates.contains(sampleRate), AudioLimits.channelCounts.contains(channels),
      Self.number(chunk[12..<14]) == UInt64(frameBytes)
    else { throw .invalid }
  }

  /// The length of the samples in bytes that a header states; nil if the bytes are not a header.
  package static func dataBytes(in header: some Collection<UInt8>) -> UInt64? {
    var left = Array(header)[...]
    let read = try? WaveHeader { count in
      defer { left = left.dropFirst(count) }
      return Array(left.prefix(count))
    }
    return read?.dataBytes
  }

  /// The length of the samples in bytes; nil if a program wrote the header before it knew the length.
  package var knownBytes: UInt64? {
    // Such programs write 0, or various values from here on.
    dataBytes > 0 && (dataBytes < 0x7FFF_F000 || hasLongLength) && dataBytes != .max ? dataBytes : nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// A little-endian number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
