/// A text that a segment was given: its first, or a revision.
public struct SegmentChange: Sendable, Hashable {
  /// Grows with every text that any segment of the session is given, and is never given twice.
  public var sequence: Int
  /// The segment as it was then.
  public var segment: Segment

  /// Each field by its name.
  public init(sequence: Int, segment: Segment) {
    self.sequence = sequence
    self.segment = segment
  }
}
