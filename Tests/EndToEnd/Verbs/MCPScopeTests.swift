import Foundation
import Longhand
import Testing

@testable import LonghandCommand

/// What a program that reads the library finds.
@Suite struct MCPScopeTests {
  @Test func hitsOfASpeakerAreFoundBehindManyOfOthers() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scope-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    let session = RecordedSession(source: "talk", locale: "en-US", engine: "analyzer", start: .now)
    try library.store.begin(session)
    let segments = (0..<1100).map { id in
      let word = Word(text: "word", start: Double(id), end: Double(id) + 0.5, confidence: nil)
      return Segment(
        id: id, start: word.start, end: word.end,
        candidates: [Candidate(text: word.text, words: [word], confidence: nil)])
    }
    try library.store.append(segments, to: session.id)
    try library.store.changeSpeakers(of: session.id) {
      for segment in segments.suffix(2) { try $0.assign(segment, to: "Anna") }
    }
    let scope = MCPScope(library: library, filter: SessionFilter(), page: nil)
    func keys(from first: Int) throws -> [Int?] {
      let document = try scope.search("word", in: nil, saidBy: "anna", from: first, limit: 1, MCPForm())
      let value = try JSONSerialization.jsonObject(with: Data(document.text.utf8)) as? [String: Any]
      return try #require(value?["hits"] as? [[String: Any]]).map { $0["key"] as? Int }
    }
    #expect(try keys(from: 0) == [1098])
    #expect(try keys(from: 1) == [1099])
    #expect(try keys(from: 2) == [])
  }

  /// Whoever says most of it.
  @Test func speakersInTheMiddleOfASegmentAreNamedAndFound() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scope-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    let session = RecordedSession(source: "talk", locale: "en-US", engine: "analyzer", start: .now)
    try library.store.begin(session)
    let words = ["have", "you", "moved", "it", "yes"].enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index) + 0.9, confidence: nil)
    }
    let candidate = Candidate(text: "have you moved it yes", words: words, confidence: nil)
    try library.store.append([Segment(id: 0, start: 0, end: 5, candidates: [candidate])], to: session.id)
    try library.store.changeSpeakers(of: session.id) {
      $0.setTurns([
        SpeakerTurn(start: 0, end: 4, speaker: "a"), SpeakerTurn(start: 4, end: 5, speaker: "b"),
      ])
    }
    let scope = MCPScope(library: library, filter: SessionFilter(), page: nil)
    func items(_ document: JSONValue, _ list: String) throws -> [[String: Any]] {
      let value = try JSONSerialization.jsonObject(with: Data(document.text.utf8)) as? [String: Any]
      return try #require(value?[list] as? [[String: Any]])
    }
    for (text, speaker, count) in [
      ("moved", "Speaker 1", 1), ("moved", "Speaker 2", 0), ("yes", "Speaker 1", 0), ("yes", "Speaker 2", 1),
    ] {
      let found = try scope.search(text, in: nil, saidBy: speaker, from: 0, limit: 9, MCPForm())
      #expect(try items(found, "hits").count == count, "\(text) by \(speaker)")
    }
    let part = MCPScope.Part(speaker: "Speaker 2", limit: 9)
    let segments = try items(scope.transcript(of: session.id, part, MCPForm()), "segments")
    let parts = try #require(segments.first?["parts"] as? [[String: Any]])
    #expect(parts.map { $0["speaker"] as? String } == ["Speaker 1", "Speaker 2"])
    #expect(
      parts.map { ($0["text"] as? String)?.lowercased().filter(\.isLetter) } == ["haveyoumovedit", "yes"])
  }
}
