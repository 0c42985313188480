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

  /// Takes the last change of a session's text by a person back: a correction, a choice, a restored version or an edit.
  ///
  /// ```swift
  /// try store.correct(2..<3, to: "Winawer", of: 7, in: session)
  /// try store.undo(in: session)
  /// try store.redo(in: session)
  /// ```
  ///
  /// A segment that the change made by a division stays without words, so that other segments keep their IDs.
  ///
  /// - Returns: the changes; nil if there is no change that can be taken back.
  /// - Throws: `StoreError`.
  @discardableResult public func undo(in session: String) throws -> TextChange? {
    try restoreStep(in: session, isBack: true)
  }

  /// Makes the change again that was taken back last.
  ///
  /// - Returns: the changes; nil if there is none, or if there was another change since.
  /// - Throws: `StoreError`.
  @discardableResult public func redo(in session: String) throws -> TextChange? {
    try restoreStep(in: session, isBack: false)
  }

  /// Runs a change by a person as one step, in a transaction. The revisions that `body` inserts as of a step belong to it.
  /// Without any, nothing is stored.
  func step<Result: Sendable>(
    of session: String, _ body: @Sendable (_ session: Int, StoreDatabase) throws -> Result
  ) throws -> Result {
    do {
      return try write { database in
        try database.transaction {
          let number = try self.number(of: session, in: database)
          let step = try self.beginStep(of: number, in: database)
          let result = try body(number, database)
          guard try !self.segments(ofStep: step, number, in: database).isEmpty else {
            throw NothingChanged(result: result)
          }
          return result
        }
      }
    } catch let unchanged as NothingChanged<Result> {
      return unchanged.result
    }
  }

  /// Begins a step in a transaction. Those that were taken back are forgotten.
  /// - Returns: its number.
  @discardableResult func beginStep(of session: Int, in database: StoreDatabase) throws -> Int {
    let step = try steps(of: session, in: database) + 1
    try database.run(
      "UPDATE revision SET step = NULL WHERE session = ? AND step >= ?", .integer(session), .integer(step))
    try setSteps(step, of: session, in: database)
    return step
  }

  /// Ends the transaction of a step without revisions.
  private struct NothingChanged<Result: Sendable>: Error { var result: Result }

  private func restoreStep(in session: String, isBack: Bool) throws -> TextChange? {
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        let steps = try self.steps(of: number, in: database)
        let changed = try self.segments(ofStep: isBack ? steps : steps + 1, number, in: database)
        guard !changed.isEmpty else { return nil }
        var needsCoverage = false
        for (id, first, last) in changed {
          let wanted = isBack ? first - 1 : last
          let revisions = try self.revisions(of: id, number, in: database)
          guard let current = revisions.last else { throw self.error(.noSegment(id)) }
          let earlier = revisions.first { $0.segment.revision == wanted }
          let restored = try earlier?.segment ?? self.emptied(current.segment, number, in: database)
          if restored.range != current.segment.range || restored.text.isEmpty != current.segment.text.isEmpty
          {
            needsCoverage = true
          }
          _ = try self.revise(
            id, as: restored,
            reason: isBack ? "undone by the user" : "done again by the user",
            author: earlier?.author ?? .person, session: number, in: database)
        }
        if needsCoverage { try self.updateCoverage(of: number, in: database) }
        try self.setSteps(steps + (isBack ? -1 : 1), of: number, in: database)
        return TextChange(
          segments: changed.map(\.id), segmentCount: try self.segmentCount(of: number, in: database))
      }
    }
  }

  /// A segment that is not there any more: without words, at the end of the one before it.
  private func emptied(_ segment: Segment, _ session: Int, in database: StoreDatabase) throws -> Segment {
    var empty = segment.withoutWords
    empty.start = try self.segment(before: segment, session, in: database)?.end ?? segment.start
    empty.end = empty.start
    return empty
  }

  func segmentCount(of session: Int, in database: StoreDatabase) throws -> Int {
    try database.row(
      "SELECT coalesce(max(segment) + 1, 0) FROM revision WHERE session = ?", .integer(session)
    ) { $0.integer(0) } ?? 0
  }

  private func steps(of session: Int, in database: StoreDatabase) throws -> Int {
    try database.row("SELECT steps FROM session WHERE number = ?", .integer(session)) { $0.integer(0) } ?? 0
  }

  private func setSteps(_ steps: Int, of session: Int, in database: StoreDatabase) throws {
    try database.run("UPDATE session SET steps = ? WHERE number = ?", .integer(steps), .integer(session))
  }

  /// The segments that a step changed, in order, with the first and the last revision that it made of each.
  private func segments(
    ofStep step: Int, _ session: Int, in database: StoreDatabase
  ) throws -> [(id: Int, first: Int, last: Int)] {
    try database.rows(
      """
      SELECT segment, min(revision), max(revision) FROM revision
      WHERE session = ? AND step = ? GROUP BY segment ORDER BY segment
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
