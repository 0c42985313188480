import Foundation

@testable import LonghandArchive
@testable import LonghandTranscription
@testable import LonghandTranscripts

/// The result of an audit of a store.
package struct StoreAudit: Sendable, Hashable {
  /// The number of texts that were checked: every revision of every segment.
  package var texts: Int
  /// The number of these that a person wrote or confirmed, which are labelled as such.
  package var corrections = 0
  /// The problems, in words; empty if there are none.
  package var problems: [String]
}

extension TranscriptStore {
  /// Checks every revision of every segment for invented words: each text must be that of a candidate of its segment, and
  /// each word with a time must be in the text. A candidate that was composed must consist of words of the recognizer's
  /// candidates. A text that a person wrote must be labelled as such in three places: its candidate, its rule and its
  /// author. A word that is marked as an echo must also be in another channel at that time, so that hiding it loses nothing.
  /// Each segment must have a place in the order, and all its revisions from 0 on.
  ///
  /// - Throws: `StoreError`.
  package func audit() throws -> StoreAudit {
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
        let isCorrection = chosen.source == Candidate.person
        if isCorrection { audit.corrections += 1 }
        guard isCorrection == (RerankingRule(rawValue: row.text(8))?.isPersons ?? false),
          !isCorrection || row.text(14) == SegmentRevision.Author.person.rawValue
        else { return "\(name): what a person wrote is not labelled as such, or the recognizer's text is" }
        let said = Set(chosen.text.split(whereSeparator: \.isWhitespace).map(String.init))
        let missing = chosen.words.map(\.text).filter { word in
          !word.split(whereSeparator: \.isWhitespace).allSatisfy { said.contains(String($0)) }
        }
        if let missing = missing.first { return "\(name): the word \"\(missing)\" is not in its text" }
        return candidates.contains { $0.isInvented(beside: candidates) }
          ? "\(name): a composed candidate has words that no candidate of the recognizer has" : nil
      }
      audit.texts = problems.count
      audit.problems =
        try problems.compactMap(\.self) + self.incompleteSegments(in: database)
        + self.echoesWithoutOrigin(in: database)
      return audit
    }
  }
}

extension TranscriptStore {
  /// Segments that readers leave out, or whose versions are not all there, because a number is damaged.
  private func incompleteSegments(in database: StoreDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT coalesce(id, 'no session'), segment, count(revision) FROM (
        SELECT session, segment, revision FROM revision UNION ALL SELECT session, key, NULL FROM segment)
      LEFT JOIN session ON session = session.number GROUP BY session, segment
      HAVING id IS NULL OR count(*) <> count(revision) + 1 OR min(revision) IS NOT 0
        OR max(revision) <> count(revision) - 1
      """
    ) {
      "segment \($0.integer(1)) of \($0.text(0)): of its revisions or its place in the order, "
        + "only \($0.integer(2)) revisions are there"
    }
  }

  /// Words that are marked as echoes of what no version of a segment of another channel has.
  private func echoesWithoutOrigin(in database: StoreDatabase) throws -> [String] {
    let sessions = try database.rows(
      "SELECT DISTINCT session.number, session.id FROM echo JOIN session ON session.number = echo.session"
    ) { (number: $0.integer(0), id: $0.text(1)) }
    return try sessions.flatMap { session in
      let segments = try database.rows("SELECT * FROM revision WHERE session = ?", .integer(session.number)) {
        try self.revision($0).segment
      }
      var beginnings: [String: [(channel: Int?, start: TimeInterval)]] = [:]
      for segment in segments {
        for word in segment.words {
          beginnings[EchoWord.key(of: word.text), default: []].append((segment.channel, word.start))
        }
      }
      return try self.echoes(of: session.number, in: database).filter { echo in
        !(beginnings[EchoWord.key(of: echo.word)] ?? []).contains {
          $0.channel != echo.channel && abs($0.start - echo.start) <= EchoFinder.maxDelay + 0.001
        }
      }.map {
        "\(session.id): \"\($0.word)\" at \($0.start) s is marked as an echo, and no other channel has it"
      }
    }
  }
}

extension Candidate {
  /// Whether it is called composed, and its text does not consist of the words that it names.
  fileprivate func isInvented(beside candidates: [Candidate]) -> Bool {
    guard let source, CandidateComposition.isComposed(source) else { return false }
    guard let evidence = composition?.words(of: candidates) else { return true }
    let written = text.filter { !$0.isWhitespace }
    return words.map(\.text) != evidence.map(\.text)
      || written != evidence.map(\.text).joined().filter { !$0.isWhitespace }
  }
}

extension CandidateComposition {
  /// Whether a source says that a candidate is composed, even if it cannot be read.
  fileprivate static func isComposed(_ source: String) -> Bool {
    source == name || source.hasPrefix(name + " ")
  }

  /// The words that the parts name; nil if a candidate does not have them, or is composed itself.
  package func words(of candidates: [Candidate]) -> [Word]? {
    var words: [Word] = []
    for part in parts {
      guard candidates.indices.contains(part.candidate), candidates[part.candidate].composition == nil,
        part.words.upperBound <= candidates[part.candidate].words.count
      else { return nil }
      words += candidates[part.candidate].words[part.words]
    }
    return words
  }
}
