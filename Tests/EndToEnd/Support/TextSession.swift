import Foundation
import Longhand

/// A complete session without audio, with words that are given.
enum TextSession {
  /// Writes the session into a library.
  /// - Parameters:
  ///   - lines: the words of each segment. They follow each other without a pause.
  ///   - spellings: the vocabulary with which they were recognized.
  /// - Returns: its ID.
  @discardableResult static func write(
    _ lines: [[String]], locale: String, spellings: Vocabulary? = nil, to library: String
  ) throws -> String {
    let store = try Library(at: URL(fileURLWithPath: library)).store
    var session = RecordedSession(source: locale, locale: locale, engine: "rolling", start: .now)
    session.state = .complete
    try store.begin(session, spellings: spellings)
    var end = 0.0
    let segments = lines.enumerated().map { row, line in
      let words = line.map { text in
        defer { end += 0.5 }
        return Word(text: text, start: end, end: end + 0.5, confidence: 0.9)
      }
      return Segment(
        id: row, start: words[0].start, end: end,
        candidates: [Candidate(text: line.joined(separator: " "), words: words, confidence: 0.9)])
    }
    try store.append(segments, to: session.id)
    return session.id
  }
}
