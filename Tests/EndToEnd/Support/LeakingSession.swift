import Foundation
import Longhand

/// A complete session of a call, without audio, in which the microphone has words of the loudspeaker again.
enum LeakingSession {
  /// The rows: what is said, from when on in seconds, and on which channel; 0 is the microphone.
  private static let said: [(text: String, start: TimeInterval, channel: Int)] = [
    ("are you there", 1, 0), ("are you there", 1.1, 1), ("good morning", 5, 0), ("good morning", 5.1, 1),
    ("yes twenty", 8, 0), ("twenty", 9, 1),
  ]
  /// The words that are echoes, for each row of the microphone.
  private static let echoes = [0: 0..<3, 2: 0..<2, 4: 1..<2]

  /// Writes the session into a library. Its speakers are Me and Call, and each word takes half a second of every second.
  /// - Returns: its ID.
  static func write(to library: String) throws -> String {
    let store = try Library(at: URL(fileURLWithPath: library)).store
    var session = RecordedSession(source: "Call", locale: "en-US", engine: "rolling", start: .now)
    session.state = .complete
    session.duration = 12
    try store.begin(session)
    let segments = said.enumerated().map { id, row in
      let words = row.text.split(separator: " ").enumerated().map { index, text in
        let start = row.start + Double(index)
        return Word(text: String(text), start: start, end: start + 0.5, confidence: 0.5)
      }
      return Segment(
        id: id, start: row.start, end: row.start + Double(words.count) - 0.5,
        candidates: [Candidate(text: row.text, words: words, confidence: 0.5)], channel: row.channel)
    }
    try store.append(segments, to: session.id)
    try store.changeSpeakers(of: session.id) { speakers in
      speakers.addChannels(2, names: ["Me", "Call"])
      speakers.echoes = echoes.flatMap { row, words in
        segments[row].words[words].map { EchoWord(channel: 0, start: $0.start, end: $0.end, word: $0.text) }
      }
    }
    return session.id
  }
}

/// A complete session without audio in which another voice begins in the middle of a segment.
enum InterruptedSession {
  /// Writes the session into a library. Speaker 1 asks, Speaker 2 answers in the same segment, and Speaker 1 goes on.
  /// - Returns: its ID.
  static func write(to library: String) throws -> String {
    let store = try Library(at: URL(fileURLWithPath: library)).store
    var session = RecordedSession(source: "Panel", locale: "en-US", engine: "rolling", start: .now)
    (session.state, session.duration) = (.complete, 12)
    try store.begin(session)
    let segments = ["Who is there? It is me, the neighbour.", "Come in then."].enumerated().map { id, text in
      let words = text.split(separator: " ").enumerated().map { index, text in
        Word(
          text: String(text), start: Double(id * 9 + index), end: Double(id * 9 + index) + 0.9,
          confidence: 0.9)
      }
      let end = words.last?.end ?? 0
      return Segment(
        id: id, start: Double(id * 9), end: end,
        candidates: [Candidate(text: text, words: words, confidence: 0.9)])
    }
    try store.append(segments, to: session.id)
    try store.changeSpeakers(of: session.id) { speakers in
      speakers.setTurns([
        SpeakerTurn(start: 0, end: 4, speaker: "a", confidence: 0.9),
        SpeakerTurn(start: 4, end: 9, speaker: "b", confidence: 0.9),
        SpeakerTurn(start: 9, end: 12, speaker: "a", confidence: 0.9),
      ])
    }
    return session.id
  }
}
