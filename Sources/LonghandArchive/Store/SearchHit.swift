import Foundation
import LonghandTranscripts

/// A segment with the words of a search.
public struct SearchHit: Sendable, Hashable {
  /// A part of the segment's text.
  public struct Fragment: Sendable, Hashable {
    /// The text as it is in the segment.
    public var text: String
    /// Whether it matches the search.
    public var isMatch: Bool
  }

  /// The ID of the session.
  public var session: String
  /// The ID of the segment.
  public var segment: Int
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio.
  public var end: TimeInterval
  /// The segment's text in fragments: each match, and the text between the matches. Joined, they are the whole text.
  public var fragments: [Fragment]

  /// Whether all that matches is the echo of another channel.
  func isEcho(in segment: Segment) -> Bool {
    matches(in: segment)?.allSatisfy { $0.contains { segment.words[$0].isEcho } } ?? false
  }

  /// The `Speaker.id` of each one who says what matches, else of each one who says a part of the segment.
  func speakers(in segment: Segment) -> Set<String> {
    let matching = Array((matches(in: segment) ?? []).joined())
    guard !matching.isEmpty else { return segment.speakerIDs }
    let said = segment.wordSpeakers
    return Set(matching.compactMap { said[$0] })
  }

  /// The words of a segment in each match; nil if the words are not those of the text.
  private func matches(in segment: Segment) -> [[Int]]? {
    let bytes = text.utf8
    func offset(_ index: String.Index) -> Int { bytes.distance(from: bytes.startIndex, to: index) }
    var rest = bytes[...]
    var places: [Range<Int>] = []
    for word in segment.words {
      guard let range = rest.firstRange(of: word.text.utf8) else { return nil }
      places.append(offset(range.lowerBound)..<offset(range.upperBound))
      rest = rest[range.upperBound...]
    }
    var position = 0
    return fragments.compactMap { fragment in
      let range = position..<position + fragment.text.utf8.count
      position = range.upperBound
      return fragment.isMatch ? places.indices.filter { places[$0].overlaps(range) } : nil
    }
  }

  /// The segment's text.
  public var text: String { fragments.map(\.text).joined() }
}
