import Foundation

/// One version of a segment, with the reason for it.
public struct SegmentRevision: Sendable, Hashable, Codable {
  /// Who made a version. The names are stored and never change.
  public enum Author: String, Sendable, Hashable, Codable, CaseIterable {
    /// The recognizer, with the rules that choose among its candidates.
    case recognizer
    /// A person: a choice, a correction, or a version that was restored. A new decoding does not replace it.
    case person
  }

  /// The segment in this version; its `revision` counts from 0.
  public var segment: Segment
  /// The reason for the version; empty for the first one.
  public var reason: String
  /// The date at which it was stored.
  public var date: Date
  /// Who made the version.
  public var author: Author

  package init(segment: Segment, reason: String, date: Date, author: Author = .recognizer) {
    self.segment = segment
    self.reason = reason
    self.date = date
    self.author = author
  }
}
