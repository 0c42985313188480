import LonghandTranscripts

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
