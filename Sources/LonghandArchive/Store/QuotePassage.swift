import LonghandTranscripts

/// Where a quote may have been said.
struct QuotePassage {
  var session: RecordedSession
  /// Segments that follow each other, with their speakers.
  var segments: [Segment]
  /// What became of the session's audio.
  var spans: [CoverageSpan]
}
