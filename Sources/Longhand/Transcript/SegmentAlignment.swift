import Foundation

/// Assigns the words of one transcript to the segments of another transcript of the same recording, by their times. Each
/// word belongs to the segment in which its middle lies, or to the nearest one.
struct SegmentAlignment: Sendable {
  /// The candidates for each segment; one without words if no word belongs to it.
  let candidates: [[Candidate]]

  /// - Parameters:
  ///   - recognized: the segments of the transcript with the words, in order.
  ///   - segments: the segments to fill, in order.
  init(of recognized: [Segment], to segments: [Segment]) {
    // A segment ends in the middle of the pause before the next one.
    let ends = zip(segments, segments.dropFirst()).map { ($0.end + $1.start) / 2 } + [.infinity]
    var rest = recognized[...]
    var words = recognized.flatMap(\.words)[...]
    candidates = ends.map { end in
      let own = words.prefix { ($0.start + $0.end) / 2 < end }
      words = words.dropFirst(own.count)
      // A segment with the same boundaries keeps its alternatives.
      if let first = rest.first, first.words == Array(own) {
        rest = rest.dropFirst()
        return [first.chosen]
          + first.candidates.enumerated().filter { $0.offset != first.selection.index }.map(\.element)
      }
      rest = rest.drop { ($0.words.last?.end ?? $0.end) <= (own.last?.end ?? -1) }
      return [Candidate(text: own.map(\.text).joined(separator: " "), words: Array(own))]
    }
  }
}
