/// Replacements in a text, which say at every step where each of them stands in it.
struct TextEdits: Sendable {
  /// One replacement.
  struct Edit: Sendable, Hashable {
    /// The bytes that are replaced, in the text's UTF-8.
    var source: Range<Int>
    /// What stands there instead.
    var text: String
    var provenance: NormalizedTranscript.Provenance
    var score: Double?
  }

  /// The text that is edited.
  let original: String
  private let bytes: [UInt8]
  /// In order, without overlaps.
  private(set) var edits: [Edit] = []

  init(_ original: String) {
    self.original = original
    bytes = Array(original.utf8)
  }

  /// Adds a replacement; all that lie within its place give way. It is left out where it would cut another.
  mutating func replace(_ edit: Edit) {
    let isCut = edits.contains { other in
      other.source.overlaps(edit.source)
        && !(edit.source.lowerBound <= other.source.lowerBound
          && other.source.upperBound <= edit.source.upperBound)
    }
    guard !isCut else { return }
    edits.removeAll { $0.source.overlaps(edit.source) }
    let place = edits.firstIndex { $0.source.lowerBound > edit.source.lowerBound } ?? edits.endIndex
    edits.insert(edit, at: place)
  }

  /// What stands in the original at a place.
  func heard(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The text with all replacements, and where they stand.
  func applied() -> (text: String, spans: [NormalizedTranscript.Span]) {
    var result: [UInt8] = []
    var spans: [NormalizedTranscript.Span] = []
    var position = 0
    for edit in edits {
      result += bytes[position..<edit.source.lowerBound]
      let start = result.count
      result += edit.text.utf8
      spans.append(
        NormalizedTranscript.Span(
          provenance: edit.provenance, source: edit.source, target: start..<result.count,
          heard: heard(edit.source), text: edit.text, score: edit.score))
      position = edit.source.upperBound
    }
    result += bytes[position...]
    return (String(decoding: result, as: UTF8.self), spans)
  }

  /// The place in the original of a place in the text with all replacements; nil if it begins or ends within one.
  static func source(
    of target: Range<Int>, through spans: [NormalizedTranscript.Span]
  ) -> Range<Int>? {
    guard let start = source(of: target.lowerBound, through: spans, isEnd: false),
      let end = source(of: target.upperBound, through: spans, isEnd: true), start <= end
    else { return nil }
    return start..<end
  }

  private static func source(
    of offset: Int, through spans: [NormalizedTranscript.Span], isEnd: Bool
  ) -> Int? {
    var shift = 0
    for span in spans {
      if offset < span.target.lowerBound || (isEnd && offset == span.target.lowerBound) { break }
      if offset == span.target.lowerBound { return span.source.lowerBound }
      if isEnd && offset == span.target.upperBound { return span.source.upperBound }
      if offset < span.target.upperBound { return nil }
      shift = span.source.upperBound - span.target.upperBound
    }
    return offset + shift
  }
}
