import Foundation

/// The result of an audit of a store.
public struct StoreAudit: Sendable, Hashable {
  /// The number of texts that were checked: every revision of every segment.
  public var texts: Int
  /// The problems, in words; empty if there are none.
  public var problems: [String]
}

extension TranscriptStore {
  /// Checks every revision of every segment for invented words: each text must be that of a candidate of its segment, and
  /// each word with a time must be in the text.
  ///
  /// - Throws: `StoreError`.
  public func audit() throws -> StoreAudit {
    try read { database in
      var audit = StoreAudit(texts: 0, problems: [])
      let problems = try database.rows(
        "SELECT id, revision.* FROM revision JOIN session ON session = session.number ORDER BY revision.number"
      ) { row -> String? in
        let name = "segment \(row.integer(3)), revision \(row.integer(4)) of \(row.text(0))"
        guard let candidates = CandidateCoding.candidates(row.data(12)),
          candidates.indices.contains(row.integer(7))
        else { return "\(name): its candidates cannot be read" }
        let chosen = candidates[row.integer(7)]
        guard row.text(11) == chosen.text else {
          return "\(name): \"\(row.text(11))\" is not the text of the selected candidate, \"\(chosen.text)\""
        }
        let said = Set(chosen.text.split(whereSeparator: \.isWhitespace).map(String.init))
        let missing = chosen.words.map(\.text).filter { word in
          !word.split(whereSeparator: \.isWhitespace).allSatisfy { said.contains(String($0)) }
        }
        return missing.first.map { "\(name): the word \"\($0)\" is not in its text" }
      }
      audit.texts = problems.count
      audit.problems = problems.compactMap(\.self)
      return audit
    }
  }
}
