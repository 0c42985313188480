import Foundation

/// A segment that holds the words that were searched for.
public struct SearchHit: Sendable, Hashable {
  /// A part of the segment's text.
  public struct Fragment: Sendable, Hashable {
    /// The text as it stands in the segment.
    public var text: String
    /// Whether it is what was searched for.
    public var isMatch: Bool

    /// Each field by its name.
    public init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  /// The session's id.
  public var session: String
  /// The segment's id.
  public var segment: Int
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio.
  public var end: TimeInterval
  /// The segment's text in fragments, what was searched for apart from the rest; joined they are the text.
  public var fragments: [Fragment]

  /// Each field by its name.
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
