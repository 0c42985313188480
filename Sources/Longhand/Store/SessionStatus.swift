/// How far a session has come at one moment.
public struct SessionStatus: Sendable, Hashable {
  /// What is known of it.
  public var session: RecordedSession
  /// How many segments it has; their ids are the numbers below that.
  public var segmentCount: Int
  /// The `SegmentChange.sequence` of the newest text; 0 if there is none.
  public var sequence: Int
  /// What became of its seconds, added up.
  public var coverage: Coverage

  /// Each field by its name.
  public init(session: RecordedSession, segmentCount: Int, sequence: Int, coverage: Coverage) {
    self.session = session
    self.segmentCount = segmentCount
    self.sequence = sequence
    self.coverage = coverage
  }
}
