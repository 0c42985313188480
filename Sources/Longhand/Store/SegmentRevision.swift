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
  public var author: Author = .recognizer
}

/// A version of a segment with its position in the order in which a session changed.
package struct SegmentChange: Sendable, Hashable {
  /// Grows with every version of any segment of the session.
  package var sequence: Int
  /// The segment in this version.
  package var segment: Segment
}

/// The progress of a session at one moment.
public struct SessionStatus: Sendable, Hashable {
  /// The session.
  public var session: RecordedSession
  /// The number of segments; their IDs are the numbers from 0 up to it, in any order.
  public var segmentCount: Int
  /// The `SegmentChange.sequence` of the newest version; 0 if there is no segment.
  public var sequence: Int
  /// The seconds of the session by what became of them.
  public var coverage: Coverage
  /// The changes by a person that can be taken back and made again.
  package var steps: TranscriptStore.Steps
}
