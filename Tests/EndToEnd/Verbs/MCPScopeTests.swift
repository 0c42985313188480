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
}
