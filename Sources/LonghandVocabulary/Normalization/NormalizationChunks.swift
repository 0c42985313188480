/// Cuts a text into chunks for a language model, which takes only so much at once.
struct NormalizationChunks {
  /// The chunks in order, as offsets into the UTF-8 of the text. A space between two chunks belongs to neither.
  let ranges: [Range<Int>]
  private let bytes: [UInt8]

  /// The bytes of preceding text that a model gets as context, at most.
  private static let maxContext = 200

  /// - Parameters:
  ///   - text: the text.
  ///   - maxBytes: the length of a chunk. A word that is longer is cut.
  ///   - ends: offsets at which a chunk should end if possible, in order: the ends of segments.
  ///   - whole: ranges that no cut divides, in order.
  init(_ text: String, maxBytes: Int, ends: [Int], whole: [Range<Int>]) {
    let bytes = Array(text.utf8)
    func divides(_ offset: Int) -> Bool {
      whole.contains { $0.lowerBound < offset && offset < $0.upperBound }
    }
    var ranges: [Range<Int>] = []
    var start = 0
    while bytes.count - start > max(maxBytes, 1) {
      let limit = start + max(maxBytes, 1)
      // Not a tiny chunk only because a segment ends there.
      let earliest = start + maxBytes / 4
      let end =
        ends.last { $0 > earliest && $0 <= limit && !divides($0) }
        ?? (start + 1...limit).last { bytes[$0] == 0x20 && !divides($0) }
        ?? (start + 1...limit).last { bytes[$0] & 0xC0 != 0x80 } ?? limit
      ranges.append(start..<end)
      start = bytes[end] == 0x20 ? end + 1 : end
    }
    if start < bytes.count || ranges.isEmpty { ranges.append(start..<bytes.count) }
    self.ranges = ranges
    self.bytes = bytes
  }

  /// The text of a chunk.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The last words before a chunk; nil for the first.
  func context(_ range: Range<Int>) -> String? {
    guard range.lowerBound > 0 else { return nil }
    let start = max(0, range.lowerBound - Self.maxContext)
    let before = bytes[start..<range.lowerBound]
    let words = start == 0 ? before : before[(before.firstIndex(of: 0x20) ?? before.endIndex)...]
    let text = String(decoding: words, as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }
}
