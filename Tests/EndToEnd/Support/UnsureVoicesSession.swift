import Foundation
import Longhand

/// A complete session without audio in which the voice of some turns is unsure, and that of one is unknown.
enum UnsureVoicesSession {
  /// The rows: what is said, whose voice it seems to be, and with which probability. Below 0.6, the speaker is unknown.
  private static let said: [(text: String, voice: String, confidence: Double)] = [
    ("Welcome to the panel.", "a", 0.95), ("Thank you for having me.", "a", 0.7),
    ("It is a pleasure.", "a", 0.7),
    ("We have met before.", "a", 0.7), ("Then we begin.", "a", 0.95), ("Gladly then we do.", "b", 0.9),
    ("Who opened the window?", "b", 0.4),
  ]

  /// Writes the session into a library. Turns 1 to 3 follow each other without a pause; "pleasure" is an unsure word.
  /// - Returns: its ID.
  static func write(to library: String) throws -> String {
    let store = try Library(at: URL(fileURLWithPath: library)).store
    var session = RecordedSession(source: "Unsure voices", locale: "en-US", engine: "rolling", start: .now)
    (session.state, session.duration) = (.complete, 24)
    try store.begin(session)
    var turns: [SpeakerTurn] = []
    let segments = said.enumerated().map { id, row in
      let start = Double(id) * 3
      let words = row.text.split(separator: " ").enumerated().map { index, text in
        let begin = start + Double(index) * 0.6
        return Word(
          text: String(text), start: begin, end: begin + 0.55, confidence: text == "pleasure." ? 0.4 : 0.95)
      }
      let end = words.last?.end ?? start
      turns.append(SpeakerTurn(start: start, end: end, speaker: row.voice, confidence: row.confidence))
      return Segment(
        id: id, start: start, end: end,
        candidates: [Candidate(text: row.text, words: words, confidence: 0.9)])
    }
    try store.append(segments, to: session.id)
    try store.changeSpeakers(of: session.id) { [turns] in $0.setTurns(turns) }
    return session.id
  }
}
