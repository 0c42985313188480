/// The header of a WAVE file that arrives as a stream, up to the first sample.
struct WaveStreamHeader: Sendable, Hashable {
  /// The maximum size of the header. A longer one is not a WAVE file, or not one for a pipe.
  private static let maxBytes = 16 << 20
  /// Programs that do not know the length yet write various values from here on.
  private static let unknownLength: UInt64 = 0x7FFF_F000

  /// The sample format.
  let layout: RawAudioFormat
  /// The number of audio bytes; nil if the audio continues to the end of the stream.
  let length: UInt64?

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - name: the stream's name in errors.
  ///   - next: returns the given number of bytes, or fewer at the end of the stream.
  /// - Throws: a `Failure` if the header is not valid, and the errors of `next`.
  init(of name: String, _ next: (Int) throws -> [UInt8]) throws {
    var total = 0
    func bytes(_ count: Int) throws -> [UInt8] {
      total += count
      guard total <= Self.maxBytes else { throw Self.failure("The first 16 MB contain no audio.", name) }
      let bytes = try next(count)
      guard bytes.count == count else {
        if total == count, bytes.isEmpty { throw Failure.emptyInput(name) }
        throw Self.failure("The stream ends before its audio begins, or is not a WAVE file.", name)
      }
      return bytes
    }
    let head = try bytes(12)
    let kind = Self.text(head[..<4])
    guard kind == "RIFF" || kind == "RF64", Self.text(head[8...]) == "WAVE" else {
      throw Self.failure("This is not a WAVE file.", name)
    }
    var layout: RawAudioFormat?
    var longLength: UInt64?
    while true {
      let chunk = try bytes(8)
      let size = Self.number(chunk[4...])
      let kind = Self.text(chunk[..<4])
      if kind == "data" {
        guard let layout else {
          throw Self.failure("The WAVE file has its samples before their format.", name)
        }
        self.layout = layout
        let declared = size == UInt64(UInt32.max) ? longLength ?? 0 : size
        // Some programs write 0 for an unknown length.
        let isKnown = declared > 0 && (declared < Self.unknownLength || longLength != nil)
        length = isKnown && declared != .max ? declared : nil
        return
      }
      // A chunk of odd length has one byte of padding.
      let content = try bytes(Int(size + size % 2))
      if kind == "fmt " { layout = try Self.layout(content, name) }
      if kind == "ds64", content.count >= 16 { longLength = Self.number(content[8..<16]) }
    }
  }

  private static func layout(_ chunk: [UInt8], _ name: String) throws -> RawAudioFormat {
    guard chunk.count >= 16 else { throw failure("The format chunk of the WAVE file is too short.", name) }
    let code = number(chunk[..<2])
    // An extensible format has its code at byte 24.
    let encoding = code == 0xFFFE && chunk.count >= 26 ? number(chunk[24..<26]) : code
    let bits = Int(number(chunk[14..<16]))
    let kinds: [UInt64: RawAudioFormat.Encoding.Kind] = [1: bits == 8 ? .unsigned : .signed, 3: .float]
    let known = kinds[encoding].map {
      RawAudioFormat.Encoding(kind: $0, bytes: bits / 8, isBigEndian: false)
    }
    guard let known, bits % 8 == 0, RawAudioFormat.encodings.values.contains(known) else {
      throw failure("The WAVE file has samples of type \(encoding) with \(bits) bits, not PCM.", name)
    }
    let rate = Int(number(chunk[4..<8]))
    let channels = Int(number(chunk[2..<4]))
    guard RawAudioFormat.rates.contains(rate), RawAudioFormat.channelCounts.contains(channels),
      number(chunk[12..<14]) == UInt64(channels * known.bytes)
    else {
      throw failure("The WAVE file declares \(channels) channels at \(rate) Hz, which is not valid.", name)
    }
    return RawAudioFormat(encoding: known, rate: rate, channels: channels)
  }

  private static func failure(_ message: String, _ name: String) -> Failure {
    Failure(
      .undecodable, message, input: name,
      hint: "Add the sample format, for example --raw s16le:16000:1, or convert with 'ffmpeg -i - -f wav -'.")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// A little-endian number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
