import Foundation

/// What an audit of a store found.
public struct StoreAudit: Sendable, Hashable {
  /// Texts that were looked at: every revision of every segment.
  public var texts: Int
  /// What is not as it must be, in words; empty when all is well.
  public var problems: [String]
}

extension TranscriptStore {
  /// Walks the whole store, every revision of every segment, and proves that nothing was invented: each text is that of
  /// a candidate of its segment, and each word with a time stands in it.
  ///
  /// - Throws: `StoreError`.
  public func audit() throws -> StoreAudit {
    try read { database in
      var audit = StoreAudit(texts: 0, problems: [])
      let problems = try database.rows(
        "SELECT revision.*, id FROM revision JOIN session ON session = session.number ORDER BY revision.number"
      ) { row -> String? in
        let place = "segment \(row.integer(2)), revision \(row.integer(3)) of \(row.text(13))"
        guard let candidates = CandidateCoding.candidates(row.data(11)),
          candidates.indices.contains(row.integer(6))
        else { return "\(place): its candidates cannot be read" }
        let chosen = candidates[row.integer(6)]
        guard row.text(10) == chosen.text else {
          return "\(place): \"\(row.text(10))\" is not what the chosen candidate says, \"\(chosen.text)\""
        }
        let said = Set(chosen.text.split(whereSeparator: \.isWhitespace).map(String.init))
        let foreign = chosen.words.map(\.text).filter { word in
          !word.split(whereSeparator: \.isWhitespace).allSatisfy { said.contains(String($0)) }
        }
        return foreign.first.map { "\(place): the word \"\($0)\" does not stand in its text" }
      }
      audit.texts = problems.count
      audit.problems = problems.compactMap(\.self)
      return audit
    }
  }
}
