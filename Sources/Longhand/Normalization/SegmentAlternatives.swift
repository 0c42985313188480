/// The names in what else the recognizer offered for segments.
struct SegmentAlternatives: Sendable {
  /// The ends of the segments, in order, as offsets into the UTF-8 of the text.
  let ends: [Int]
  let texts: [[String]]
  let matcher: EntityMatcher

  /// The names in the alternatives of the segment with this range.
  func names(at range: Range<Int>) -> Set<Int> {
    guard let segment = ends.firstIndex(where: { range.upperBound <= $0 }), texts.indices.contains(segment)
    else {
      return []
    }
    return Set(texts[segment].flatMap { matcher.matches(in: $0).map(\.entity) })
  }
}

extension TranscriptNormalizer {
  /// Normalizes the text of a transcript with the vocabulary and, if there is one, the language model.
  package func normalize(_ transcript: Transcript) async -> NormalizedTranscript {
    await normalize(transcript.segments)
  }

  /// Normalizes the texts of segments; see `normalize(segments:alternatives:progress:)`.
  package func normalize(_ segments: [Segment]) async -> NormalizedTranscript {
    await normalize(
      segments: segments.map(\.text),
      alternatives: segments.map { segment in
        segment.recognizedCandidates.map(\.text).filter { $0 != segment.text }
      })
  }
}

extension SpokenText {
  /// Where a word begins in the UTF-8 of the text; after the last word, where that ends.
  func position(of word: Int) -> Int {
    byteRanges.indices.contains(word) ? byteRanges[word].lowerBound : byteRanges.last?.upperBound ?? 0
  }
}
