import Foundation
import SentenceFormatting

/// Assigns the segments of a new decoding to the segments of a transcript of the same recording, by their times. Speech
/// where the transcript has no segment keeps the segment of the new decoding.
package struct SegmentAlignment: Sendable {
  /// For each segment of the transcript, what was recognized there; nil if nothing was.
  package private(set) var revised: [Segment?]
  /// Segments of the new decoding where the transcript has none, each with the number of the transcript's segments before
  /// it.
  package private(set) var added: [(segment: Segment, position: Int)] = []

  /// - Parameters:
  ///   - recognized: the segments of the new decoding, in order.
  ///   - ranges: for each segment of the transcript, in order, the seconds of all its versions.
  package init(of recognized: [Segment], to ranges: [ClosedRange<TimeInterval>]) {
    var parts: [[Segment]] = Array(repeating: [], count: ranges.count)
    let areas = Self.disjoint(ranges)
    var first = areas.startIndex
    for segment in recognized {
      first = areas[first...].firstIndex { $0.upperBound > segment.start } ?? areas.endIndex
      let touched = areas[first...].prefix { $0.lowerBound < segment.end }
      if touched.isEmpty { added.append((segment, first)) }
      for (index, part) in Self.split(segment, among: touched) { parts[index].append(part) }
    }
    revised = parts.map(Self.joined)
  }

  /// Divides what two neighbours share in the middle.
  private static func disjoint(_ ranges: [ClosedRange<TimeInterval>]) -> [ClosedRange<TimeInterval>] {
    let middles = zip(ranges, ranges.dropFirst()).map { ($0.upperBound + $1.lowerBound) / 2 }
    return ranges.indices.map { index in
      let start = index > 0 ? middles[index - 1] : -.infinity
      let end = index < middles.count ? middles[index] : .infinity
      return ranges[index].clamped(to: start...max(start, end))
    }
  }

  /// Each word belongs to the area that has most of it, or to the nearest one. A segment whose words all belong to one
  /// area keeps its alternatives.
  private static func split(
    _ segment: Segment, among areas: ArraySlice<ClosedRange<TimeInterval>>
  ) -> [(index: Int, part: Segment)] {
    var words: [Int: [Word]] = [:]
    for word in segment.words {
      let nearest = areas.indices.min { distance(word, areas[$0]) < distance(word, areas[$1]) }
      if let nearest { words[nearest, default: []].append(word) }
    }
    // A candidate without word times.
    if words.isEmpty, let first = areas.indices.first { words[first] = [] }
    if words.count == 1, let index = words.keys.first { return [(index, segment)] }
    return words.sorted { $0.key < $1.key }.map { ($0.key, Self.segment($0.value)) }
  }

  /// 0 where a word lies in an area, more the less of it is there, and more than 1 outside.
  private static func distance(_ word: Word, _ area: ClosedRange<TimeInterval>) -> Double {
    let length = max(word.end - word.start, .leastNonzeroMagnitude)
    let shared = min(word.end, area.upperBound) - max(word.start, area.lowerBound)
    return 1 - shared / length
  }

  private static func joined(_ parts: [Segment]) -> Segment? {
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return parts.first }
    let text = parts.map(\.text).joinedWords()
    return Segment(
      id: 0, start: first.start, end: last.end,
      candidates: [Candidate(text: text, words: parts.flatMap(\.words))])
  }

  private static func segment(_ words: [Word]) -> Segment {
    Segment(
      id: 0, start: words.first?.start ?? 0, end: words.last?.end ?? 0,
      candidates: [Candidate(text: words.map(\.text).joinedWords(), words: words)])
  }
}
