import Foundation
import LonghandTranscripts

/// Words that a person wrote or chose in place of what was recognized.
package struct CorrectedWords: Sendable, Hashable {
  /// The ID of the session.
  package var session: String
  /// The words, without the marks around them.
  package var text: String
  /// What was recognized, in lower case; empty if nothing was.
  package var recognized: String
}

extension TranscriptStore {
  /// The segments that `correctedWords(of:)` reads at most. Those that were edited last count.
  static let maxCorrectedSegments = 2000
  /// More words than these are no term.
  private static let maxTermLength = 4

  /// The words of segments that a person corrected, in order, each time that they were: what may be terms of a vocabulary.
  ///
  /// - Parameter session: the ID of the session; nil for all sessions.
  /// - Throws: `StoreError`.
  package func correctedWords(of session: String? = nil) throws -> [CorrectedWords] {
    try read { database in
      let number = try session.map { try self.number(of: $0, in: database) }
      // By the index of steps, which has only what people changed.
      let edited = try database.rows(
        """
        SELECT id, session, segment FROM (
          SELECT session, segment, max(number) AS last FROM revision INDEXED BY revision_by_step
          WHERE step IS NOT NULL AND (?1 IS NULL OR session = ?1) GROUP BY session, segment)
        JOIN session ON session.number = session AND state <> 'erasing' ORDER BY last DESC LIMIT ?2
        """, StoreValue(number), .integer(Self.maxCorrectedSegments)
      ) { (id: $0.text(0), session: $0.integer(1), segment: $0.integer(2)) }
      let found = try edited.flatMap { id, session, segment in
        let revisions = try self.revisions(of: segment, session, in: database)
        guard let current = revisions.last, current.author == .person else {
          return [(start: TimeInterval, words: CorrectedWords)]()
        }
        let recognized =
          revisions.last { $0.author == .recognizer }?.segment.words
          ?? current.segment.recognizedCandidates.first?.words ?? []
        return Self.corrections(of: current.segment, from: recognized).map { text, recognized in
          (current.segment.start, CorrectedWords(session: id, text: text, recognized: recognized))
        }
      }
      return found.sorted { $0.start < $1.start }.map(\.words)
    }
  }

  private static func corrections(
    of segment: Segment, from recognized: [Word]
  ) -> [(text: String, recognized: String)] {
    Segment.differences(of: segment.words, from: recognized).compactMap { difference in
      guard (1...maxTermLength).contains(difference.own.count), difference.other.count <= 2 * maxTermLength
      else { return nil }
      let text = segment.words[difference.own].map(\.text).joinedWords()
        .trimmingCharacters(in: .punctuationCharacters)
      guard text.contains(where: \.isLetter) else { return nil }
      return (text, recognized[difference.other].map(\.bareText).joinedWords())
    }
  }
}
