/// The first 80 bytes of a WAVE file, whose length may be filled in when the samples are there.
///
/// Past 4 GiB the same bytes become an RF64 header (EBU Tech 3306): the place for its 64-bit lengths is kept free by a
/// `JUNK` chunk until then.
struct WaveHeader: Sendable {
  /// How the samples are laid out, after `RawAudioFormat.littleEndian`.
  let format: RawAudioFormat
  /// Bytes of all samples.
  let dataBytes: UInt64

  /// Bytes of the header.
  static let length = 80

  /// The header.
  var bytes: [UInt8] {
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
    number(isLong ? dataBytes / UInt64(format.frameBytes) : 0)
    number(UInt32(0))
    text("fmt ")
    number(UInt32(16))
    number(UInt16(format.encoding.kind == .float ? 3 : 1))
    number(UInt16(format.channels))
    number(UInt32(format.rate))
    number(UInt32(format.rate * format.frameBytes))
    number(UInt16(format.frameBytes))
    number(UInt16(format.encoding.bytes * 8))
    text("data")
    number(isLong ? UInt32.max : UInt32(dataBytes))
    return header
  }
}
