import Foundation

/// What was said in each segment of one transcript by the words of another of the same recording, by their times: each
/// word belongs to the segment that it was said in or next to.
struct SegmentAlignment: Sendable {
  /// For each segment its candidates; where no word was heard, one without words.
  let candidates: [[Candidate]]

  /// - Parameters:
  ///   - heard: the other transcript's segments, in order.
  ///   - segments: in order.
  init(of heard: [Segment], to segments: [Segment]) {
    // A segment reaches to the middle of the pause before the next.
    let ends = zip(segments, segments.dropFirst()).map { ($0.end + $1.start) / 2 } + [.infinity]
    var rest = heard[...]
    var words = heard.flatMap(\.words)[...]
    candidates = ends.map { end in
      let own = words.prefix { ($0.start + $0.end) / 2 < end }
      words = words.dropFirst(own.count)
      // As it was heard where the cuts are the same, alternatives and all.
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
