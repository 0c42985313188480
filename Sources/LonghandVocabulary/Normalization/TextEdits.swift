import LonghandTranscripts

/// Replacements in a text, with their positions in the original and in the result.
struct TextEdits: Sendable {
  /// One replacement.
  struct Edit: Sendable, Hashable {
    /// The range that is replaced, in the UTF-8 of the original.
    var source: Range<Int>
    /// The new text.
    var text: String
    var provenance: NormalizedTranscript.Provenance
    var score: Double?
  }

  /// The text before all replacements.
  let original: String
  private let bytes: [UInt8]
  /// The replacements in order, without overlaps.
  private(set) var edits: [Edit] = []

  init(_ original: String) {
    self.original = original
    bytes = Array(original.utf8)
  }

  /// Adds a replacement and removes those within its range. If it overlaps another only partly, it is not added.
  mutating func replace(_ edit: Edit) {
    let overlapsPartly = edits.contains { other in
      other.source.overlaps(edit.source)
        && !(edit.source.lowerBound <= other.source.lowerBound
          && other.source.upperBound <= edit.source.upperBound)
    }
    guard !overlapsPartly else { return }
    edits.removeAll { $0.source.overlaps(edit.source) }
    // What is inserted before a replaced range comes before it.
    let index =
      edits.firstIndex { other in
        (other.source.lowerBound, other.source.upperBound) > (edit.source.lowerBound, edit.source.upperBound)
      } ?? edits.endIndex
    edits.insert(edit, at: index)
  }

  /// The part of the original in a range of its UTF-8.
  func original(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The text with all replacements, and their positions.
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
          original: original(edit.source), text: edit.text, score: edit.score))
      position = edit.source.upperBound
    }
    result += bytes[position...]
    return (String(decoding: result, as: UTF8.self), spans)
  }

  /// The range in the original for a range in the result; nil if it starts or ends within a replacement.
  static func source(
    of target: Range<Int>, through spans: [NormalizedTranscript.Span]
  ) -> Range<Int>? {
    guard let start = source(of: target.lowerBound, through: spans, isEnd: false),
      let end = source(of: target.upperBound, through: spans, isEnd: true), start <= end
    else { return nil }
    return start..<end
  }

  /// The range in the original for a range in the result, with the whole of the replacements that it touches.
  static func source(around target: Range<Int>, through spans: [NormalizedTranscript.Span]) -> Range<Int> {
    if let exact = source(of: target, through: spans) { return exact }
    let touched = spans.filter { $0.target.overlaps(target) }
    let start = touched.first.map { min($0.target.lowerBound, target.lowerBound) } ?? target.lowerBound
    let end = touched.last.map { max($0.target.upperBound, target.upperBound) } ?? target.upperBound
    return source(of: start..<end, through: spans) ?? 0..<0
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
