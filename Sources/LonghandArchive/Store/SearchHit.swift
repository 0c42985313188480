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
    let bytes = text.utf8
    func offset(_ index: String.Index) -> Int { bytes.distance(from: bytes.startIndex, to: index) }
    var rest = bytes[...]
    var echoes: [Range<Int>] = []
    for word in segment.words {
      guard let range = rest.firstRange(of: word.text.utf8) else { return false }
      if word.isEcho {
        echoes.append(offset(range.lowerBound)..<offset(range.upperBound))
      }
      rest = rest[range.upperBound...]
    }
    var position = 0
    return fragments.allSatisfy { fragment in
      let range = position..<position + fragment.text.utf8.count
      position = range.upperBound
      return !fragment.isMatch || echoes.contains { $0.overlaps(range) }
    }
  }

  /// The segment's text.
  public var text: String { fragments.map(\.text).joined() }
}
