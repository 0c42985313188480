/// The head of a WAVE file that comes as a stream, as far as the first sample.
struct WaveStreamHeader: Sendable, Hashable {
  /// Bytes of what stands before the sound at the most: more is no sound file, or one that is not for a pipe.
  private static let mostBytes = 16 << 20
  /// Lengths from here on are those that programs write which do not know the length yet, each its own.
  private static let unknownLength: UInt64 = 0x7FFF_F000

  /// How the samples are laid out.
  let layout: RawAudioFormat
  /// Bytes of the samples; nil if they go on to the end of the stream.
  let length: UInt64?

  /// Reads it.
  ///
  /// - Parameters:
  ///   - name: what errors call the stream.
  ///   - next: gives so many bytes, fewer only at the end of the stream.
  /// - Throws: a `Failure` if it is no such head, and what `next` throws.
  init(of name: String, _ next: (Int) throws -> [UInt8]) throws {
    var total = 0
    func bytes(_ count: Int) throws -> [UInt8] {
      total += count
      guard total <= Self.mostBytes else { throw Self.failure("no sound in its first 16 MB", name) }
      let bytes = try next(count)
      guard bytes.count == count else {
        if total == count, bytes.isEmpty { throw Failure.emptyInput(name) }
        throw Self.failure("it ends before its sound begins, or is no WAVE file", name)
      }
      return bytes
    }
    let head = try bytes(12)
    let kind = Self.text(head[..<4])
    guard kind == "RIFF" || kind == "RF64", Self.text(head[8...]) == "WAVE" else {
      throw Self.failure("it is no WAVE file", name)
    }
    var layout: RawAudioFormat?
    var longLength: UInt64?
    while true {
      let chunk = try bytes(8)
      let size = Self.number(chunk[4...])
      let kind = Self.text(chunk[..<4])
      if kind == "data" {
        guard let layout else { throw Self.failure("its samples come before their format", name) }
        self.layout = layout
        let told = size == UInt64(UInt32.max) ? longLength ?? 0 : size
        // An empty file is not worth a pipe either: 0 is written by who does not know, too.
        let isKnown = told > 0 && (told < Self.unknownLength || longLength != nil)
        length = isKnown && told != .max ? told : nil
        return
      }
      // A chunk of odd length is followed by a byte that does not count.
      let content = try bytes(Int(size + size % 2))
      if kind == "fmt " { layout = try Self.layout(content, name) }
      if kind == "ds64", content.count >= 16 { longLength = Self.number(content[8..<16]) }
    }
  }

  private static func layout(_ chunk: [UInt8], _ name: String) throws -> RawAudioFormat {
    guard chunk.count >= 16 else { throw failure("its format is cut short", name) }
    let code = number(chunk[..<2])
    // An extensible format has its code later.
    let encoding = code == 0xFFFE && chunk.count >= 26 ? number(chunk[24..<26]) : code
    let bits = Int(number(chunk[14..<16]))
    let kinds: [UInt64: RawAudioFormat.Encoding.Kind] = [1: bits == 8 ? .unsigned : .signed, 3: .float]
    let known = kinds[encoding].map {
      RawAudioFormat.Encoding(kind: $0, bytes: bits / 8, isBigEndian: false)
    }
    guard let known, bits % 8 == 0, RawAudioFormat.encodings.values.contains(known) else {
      throw failure("its samples are of kind \(encoding) with \(bits) bits, not plain numbers", name)
    }
    let rate = Int(number(chunk[4..<8]))
    let channels = Int(number(chunk[2..<4]))
    guard RawAudioFormat.rates.contains(rate), RawAudioFormat.channelCounts.contains(channels),
      number(chunk[12..<14]) == UInt64(channels * known.bytes)
    else { throw failure("\(channels) channels at \(rate) Hz cannot be", name) }
    return RawAudioFormat(encoding: known, rate: rate, channels: channels)
  }

  private static func failure(_ message: String, _ name: String) -> Failure {
    Failure(
      .undecodable, message, input: name,
      hint: "give the samples' layout, such as --raw s16le:16000:1, or pipe through 'ffmpeg -i - -f wav -'")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The little end comes first.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
