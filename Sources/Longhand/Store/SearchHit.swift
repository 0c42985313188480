import Foundation

/// A segment with the words of a search.
public struct SearchHit: Sendable, Hashable {
  /// A part of the segment's text.
  public struct Fragment: Sendable, Hashable {
    /// The text as it is in the segment.
    public var text: String
    /// Whether it matches the search.
    public var isMatch: Bool

    /// Creates a fragment.
    public init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  /// The ID of the session.
  public var session: String
  /// The ID of the segment.
  public var segment: Int
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio.
  public var end: TimeInterval
  /// The segment's text in fragments, what was searched for apart from the rest; joined they are the text.
  public var fragments: [Fragment]

  /// Creates a hit.
  public init(session: String, segment: Int, start: TimeInterval, end: TimeInterval, fragments: [Fragment]) {
    self.session = session
    self.segment = segment
    self.start = start
    self.end = end
    self.fragments = fragments
  }

  /// The segment's text.
  public var text: String { fragments.map(\.text).joined() }
}
