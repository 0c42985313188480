import Foundation
import LonghandTranscripts

/// Changes by a person are steps, which are taken back and made again one by one, also by another process and after a
/// restart. A step back is a new revision of its segments, so that nothing is lost; only a new step forgets those that were
/// taken back.
extension TranscriptStore {
  /// What an edit of the text changed.
  public struct TextChange: Sendable, Hashable {
    /// The IDs of the segments that are new or changed, in order.
    public var segments: [Int]
    /// The number of segments of the session.
    public var segmentCount: Int
  }

  /// Which change of a session is taken back next, and which is made again next. A step has a number that is never used again.
  package struct Steps: Sendable, Hashable {
    /// The last step that was not taken back; 0 if there is none.
    package var last: Int
    /// The step that was taken back last; nil if there is none.
    package var next: Int?
  }

  /// The steps of a session.
  ///
  /// - Throws: `StoreError`.
  package func steps(of session: String) throws -> Steps {
    try read { try self.steps(of: self.number(of: session, in: $0), in: $0) }
  }

  /// Takes the last change of a session's text by a person back: a correction, a choice, a restored version or an edit.
  ///
  /// ```swift
  /// try store.correct(2..<3, to: "Winawer", of: 7, in: session)
  /// try store.undo(in: session)
  /// try store.redo(in: session)
  /// ```
  ///
  /// A segment that the change made by a division stays, without words. If the recording was transcribed again since a
  /// change of what was recognized, the new decoding comes in its place.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - step: the number of the step, as the caller knows it; nil for the last one.
  /// - Returns: the changes; nil if there is no change that can be taken back, or if it is taken back already.
  /// - Throws: `StoreError`; `changed` if another step is the last one.
  @discardableResult public func undo(in session: String, step: Int? = nil) throws -> TextChange? {
    try restoreStep(in: session, step, isBack: true)
  }

  /// Makes the change again that was taken back last.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - step: the number of the step, as the caller knows it; nil for the next one.
  /// - Returns: the changes; nil if there is none, if there was another change since, or if it is made again already.
  /// - Throws: `StoreError`; `changed` if another step is the next one.
  @discardableResult public func redo(in session: String, step: Int? = nil) throws -> TextChange? {
    try restoreStep(in: session, step, isBack: false)
  }

  /// Runs a change by a person as one step, in a transaction. The revisions that `body` inserts as of a step belong to it.
  /// Without any, nothing is stored.
  func step<Result: Sendable>(
    of session: String, _ body: @Sendable (_ session: Int, StoreDatabase) throws -> Result
  ) throws -> Result {
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        return try self.step(of: number, in: database) { try body(number, database) }
      }
    }
  }

  /// The same in a transaction.
  func step<Result>(of session: Int, in database: StoreDatabase, _ body: () throws -> Result) throws -> Result
  {
    try database.run("SAVEPOINT step")
    let step = try beginStep(of: session, in: database)
    let result = try body()
    if try segments(ofStep: step, session, in: database).isEmpty { try database.run("ROLLBACK TO step") }
    try database.run("RELEASE step")
    return result
  }

  /// Begins a step in a transaction. Those that were taken back are forgotten.
  /// - Returns: its number.
  @discardableResult func beginStep(of session: Int, in database: StoreDatabase) throws -> Int {
    let last = try steps(of: session, in: database).last
    try database.run(
      "UPDATE revision SET step = -step WHERE session = ? AND step > ?", .integer(session), .integer(last))
    let step =
      try database.row(
        """
        SELECT max(?2, coalesce(max(step), 0), coalesce(-min(step), 0)) + 1 FROM revision
        WHERE session = ?1 AND step IS NOT NULL
        """, .integer(session), .integer(last)
      ) { $0.integer(0) } ?? 1
    try setLastStep(step, of: session, in: database)
    return step
  }

  private func restoreStep(in session: String, _ wanted: Int?, isBack: Bool) throws -> TextChange? {
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        let steps = try self.steps(of: number, in: database)
        let step = isBack ? steps.last : steps.next ?? 0
        // The answer to the same request was lost.
        if let wanted, wanted == (isBack ? steps.next : steps.last) { return nil }
        try self.check(wanted, step)
        let changed = try self.segments(ofStep: step, number, in: database)
        guard !changed.isEmpty else { return nil }
        for (id, first, last) in changed {
          let wanted = isBack ? first - 1 : last
          let revisions = try self.revisions(of: id, number, in: database)
          guard let current = revisions.last else { throw self.error(.noSegment(id)) }
          let earlier = revisions.first { $0.segment.revision == wanted }
          let newer: Segment? =
            if isBack, let earlier {
              try self.decoding(in: revisions, after: last, newerThan: earlier, number, in: database)
            } else { nil }
          let restored =
            try newer ?? earlier?.segment ?? self.emptied(current.segment, number, in: database)
          let new = try self.revise(
            id, as: restored,
            reason: isBack ? Self.undone : "done again by the user",
            author: earlier?.author ?? .person, session: number, in: database)
          try self.updateCoverage(from: current.segment, to: new, number, in: database)
        }
        let before =
          try database.row(
            "SELECT coalesce(max(step), 0) FROM revision WHERE session = ? AND step > 0 AND step < ?",
            .integer(number), .integer(step)
          ) { $0.integer(0) } ?? 0
        try self.setLastStep(isBack ? before : step, of: number, in: database)
        return TextChange(
          segments: changed.map(\.id), segmentCount: try self.segmentCount(of: number, in: database))
      }
    }
  }

  /// The reason of a version that a step back made.
  private static let undone = "undone by the user"

  /// What the recognizer made of a segment since a step, between its neighbours; nil if that did not replace what was
  /// there before the step, or if it is only a part of that, because the segment is divided or was.
  private func decoding(
    in revisions: [SegmentRevision], after last: Int, newerThan earlier: SegmentRevision, _ session: Int,
    in database: StoreDatabase
  ) throws -> Segment? {
    let newer = revisions.last {
      $0.author == .recognizer && $0.segment.revision > last && $0.reason != Self.undone
    }
    guard earlier.author == .recognizer, var segment = newer?.segment,
      try dividedOff(segment.id, since: earlier.segment.revision, session, in: database).isEmpty
    else { return nil }
    let start = try self.segment(before: segment, session, in: database)?.end ?? -.infinity
    let end = try self.segment(after: segment, session, in: database)?.start ?? .infinity
    segment.enclose(within: start...max(start, end), widens: true)
    return segment
  }

  /// A segment that is not there any more: without words, at the end of the one before it.
  private func emptied(_ segment: Segment, _ session: Int, in database: StoreDatabase) throws -> Segment {
    var empty = segment.withoutWords
    empty.start = try self.segment(before: segment, session, in: database)?.end ?? segment.start
    empty.end = empty.start
    return empty
  }

  func steps(of session: Int, in database: StoreDatabase) throws -> Steps {
    try database.row(
      """
      SELECT steps, (SELECT min(step) FROM revision WHERE session = session.number AND step > steps)
      FROM session WHERE number = ?
      """, .integer(session)
    ) { Steps(last: $0.integer(0), next: $0.isNull(1) ? nil : $0.integer(1)) } ?? Steps(last: 0)
  }

  private func setLastStep(_ step: Int, of session: Int, in database: StoreDatabase) throws {
    try database.run("UPDATE session SET steps = ? WHERE number = ?", .integer(step), .integer(session))
  }

  /// The segments that the current step has changed so far, in order.
  func changedSegments(_ session: Int, in database: StoreDatabase) throws -> [Int] {
    try segments(ofStep: steps(of: session, in: database).last, session, in: database).map(\.id)
  }

  /// The segments that a step changed, in order, with the first and the last revision that it made of each.
  private func segments(
    ofStep step: Int, _ session: Int, in database: StoreDatabase
  ) throws -> [(id: Int, first: Int, last: Int)] {
    try database.rows(
      """
      SELECT key, min(revision), max(revision) FROM revision
        JOIN segment ON segment.session = revision.session AND key = revision.segment
      WHERE revision.session = ? AND step = ? GROUP BY key ORDER BY rank
      """, .integer(session), .integer(step)
    ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
  }
}

extension Segment {
  /// The segment without words because a person removed them. The recognizer's candidates stay.
  var withoutWords: Segment {
    var empty = self
    empty.candidates =
      recognizedCandidates + [Candidate(text: "", words: [], confidence: nil, source: Candidate.person)]
    empty.selection = Selection(
      index: empty.candidates.count - 1, rule: RerankingRule.paragraph.rawValue)
    empty.paragraph = nil
    return empty
  }
}
