import Foundation

/// One text of a segment, and why it was written.
public struct SegmentRevision: Sendable, Hashable, Codable {
  /// The segment as it was then; its `revision` counts from 0.
  public var segment: Segment
  /// Why it was written; empty for the first text.
  public var reason: String
  /// When it was written.
  public var date: Date

  /// Each field by its name.
  public init(segment: Segment, reason: String, date: Date) {
    self.segment = segment
    self.reason = reason
    self.date = date
  }
}
