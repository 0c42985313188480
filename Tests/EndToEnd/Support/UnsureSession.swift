import Foundation
import Longhand

/// A complete session without audio, with 60 unsure words, each with an alternative.
enum UnsureSession {
  /// Writes the session into a library. Each of 12 rows has five words of which the recognizer is unsure, and "so".
  /// - Returns: its ID.
  static func write(to library: String) throws -> String {
    let store = try Library(at: URL(fileURLWithPath: library)).store
    var session = RecordedSession(source: "Unsure", locale: "en-US", engine: "rolling", start: .now)
    session.state = .complete
    session.duration = 120
    try store.begin(session)
    let said = ["take", "so", "the", "pawn", "so", "with", "care"]
    let segments = (0..<12).map { row in
      let start = Double(row) * 10
      let words = said.enumerated().map { index, text in
        let begin = start + Double(index) / 2
        return Word(text: text, start: begin, end: begin + 0.5, confidence: text == "so" ? 0.9 : 0.4)
      }
      var others = words
      for index in others.indices where others[index].text != "so" {
        others[index].text += "s"
        others[index].confidence = 0.3
      }
      let candidates = [words, others].map {
        Candidate(text: $0.map(\.text).joined(separator: " "), words: $0, confidence: 0.5)
      }
      return Segment(id: row, start: start, end: start + 4, candidates: candidates)
    }
    try store.append(segments, to: session.id)
    return session.id
  }
}
