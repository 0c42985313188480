import LonghandTranscripts

/// What else the recognizer offered for segments, and how sure it was of them.
struct SegmentAlternatives: Sendable {
  /// The ends of the segments, in order, as offsets into the UTF-8 of the text.
  let ends: [Int]
  let texts: [[String]]
  /// The words of each segment of which the recognizer was unsure.
  let unsure: [Set<String>]
  /// Whether each segment is in another language than English; empty if none is.
  let isForeign: [Bool]
  let matcher: EntityMatcher

  /// The names in the alternatives of the segment with this range.
  func names(at range: Range<Int>) -> Set<Int> {
    guard let segment = segment(at: range), texts.indices.contains(segment) else { return [] }
    let foreign = isForeign(at: range) ? [0..<Int.max] : []
    return Set(texts[segment].flatMap { matcher.matches(in: SpokenText($0), foreign: foreign).map(\.entity) })
  }

  /// Whether the segment with this range is in another language than English.
  func isForeign(at range: Range<Int>) -> Bool {
    guard let segment = segment(at: range), isForeign.indices.contains(segment) else { return false }
    return isForeign[segment]
  }

  /// Whether the recognizer was unsure of one of these words of the segment with this range.
  func isUnsure(of words: some Sequence<String>, at range: Range<Int>) -> Bool {
    guard let segment = segment(at: range), unsure.indices.contains(segment) else { return false }
    return words.contains(where: unsure[segment].contains)
  }

  private func segment(at range: Range<Int>) -> Int? { ends.firstIndex { range.upperBound <= $0 } }
}

extension TranscriptNormalizer {
  /// Normalizes the text of a transcript with the vocabulary and, if there is one, the language model.
  package func normalize(_ transcript: Transcript) async -> NormalizedTranscript {
    await normalize(transcript.segments, locale: transcript.locale)
  }

  /// A word below this confidence may be a name that a language model proposes for it.
  private static let unsure = 0.5

  /// Normalizes the texts of segments; see `normalize(segments:alternatives:progress:)`.
  /// - Parameter locale: the language of segments that have none of their own; nil for that of the vocabulary.
  package func normalize(_ segments: [Segment], locale: String? = nil) async -> NormalizedTranscript {
    await normalize(
      segments: segments.map(\.text),
      alternatives: segments.map { segment in
        segment.recognizedCandidates.map(\.text).filter { $0 != segment.text }
      },
      unsure: segments.map { segment in
        let words = segment.words.filter { $0.confidence.map { $0 < Self.unsure } ?? false }
        return Set(words.map { SpokenText($0.text) }.flatMap { text in (0..<text.count).map(text.word) })
      }, languages: segments.map { $0.language ?? locale })
  }
}

extension SpokenText {
  /// Where a word begins in the UTF-8 of the text; after the last word, where that ends.
  func position(of word: Int) -> Int {
    byteRanges.indices.contains(word) ? byteRanges[word].lowerBound : byteRanges.last?.upperBound ?? 0
  }
}
