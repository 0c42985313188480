import Foundation
import Longhand
import Testing

@testable import LonghandServer

/// Vocabularies as lists and files, and words that were corrected.
@Suite struct VocabularyAPITests {
  private func json(_ value: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
  }

  @Test func pastedTextBecomesRowsThatAreNotStored() async throws {
    try await TestServer.run { server in
      let lines = (0..<60).map { "Term\($0)x" }.joined(separator: "\n")
      let answer = try server.ask("POST", "/api/vocabulary/rows", json: try json(["text": lines]))
      let rows = answer.json["rows"] as? [[String: Any]]
      #expect(rows?.count == 60)
      #expect(rows?.last?["term"] as? String == "Term59x")
      #expect(server.library.vocabularies.allNames.isEmpty)
      let many = String(repeating: "a\n", count: 1001)
      let refused = try server.ask("POST", "/api/vocabulary/rows", json: try json(["text": many]))
      #expect(refused.status == 400)
    }
  }

  /// The content of a file, its name; the term that it makes.
  @Test(arguments: [
    ("Winawer\n", "a.txt"), ("term,replaces\nWinawer,when our\n", "a.csv"),
    ("{name: 'other', terms: [{text: 'Winawer'}], phrases: [{text: 'the Winawer'}]}", "a.json5"),
  ])
  func fileIsOpenedAndSaved(_ content: String, _ name: String) async throws {
    try await TestServer.run { server in
      let path = "/api/vocabularies/My%20chess/file"
      let made = try server.ask("PUT", path + "?name=\(name)", body: Data(content.utf8))
      #expect(made.status == 201, "\(made.json)")
      let words = try server.library.vocabularies.words(named: "My chess")
      let stored = try words.vocabulary()
      #expect(stored.name == "My chess")
      #expect(stored.terms.map(\.text) == ["Winawer"])
      let again = try server.ask("PUT", path + "?name=\(name)", body: Data("Other\n".utf8))
      #expect(again.status == 409)
      #expect(try words.vocabulary() == stored)
      for format in ["json5", "csv", "txt"] {
        let saved = try server.ask(path + "?format=\(format)")
        #expect(saved.status == 200)
        #expect(saved.headers["content-disposition"]?.contains("filename=\"My chess.\(format)\"") == true)
        let read = try Vocabulary(saved.body, file: "a.\(format)")
        #expect(read.terms == stored.terms)
        if format != "txt" { #expect(read.corrections == stored.corrections) }
        if format == "json5" { #expect(read == stored) }
      }
      #expect(try server.ask(path + "?format=docx").status == 400)
    }
  }

  @Test(arguments: [
    (Data([0xE9, 0x0A]), "a.txt"), (Data("{name: 1}".utf8), "a.json5"), (Data("".utf8), "a.txt"),
    (Data("{name: 'a', terms: [{text: 'haus', pronunciations: ['qq zz']}]}".utf8), "a.json5"),
  ])
  func fileThatIsNoVocabularyIsRefused(_ content: Data, _ name: String) async throws {
    try await TestServer.run { server in
      let answer = try server.ask("PUT", "/api/vocabularies/x/file?name=\(name)", body: content)
      #expect(answer.status == 400)
      #expect(server.library.vocabularies.allNames.isEmpty)
      let common = try server.ask("PUT", "/api/vocabularies/library/file?name=a.txt", body: Data("a\n".utf8))
      #expect(common.status == 409)
    }
  }

  /// What was corrected in two sessions comes first; common words and known terms are left out.
  @Test func correctedWordsAreListedForAVocabulary() async throws {
    try await TestServer.run { server in
      let one = try server.begin([
        "the albumen gamble", "when our and when our", "take there pawn", "keemura and kemura",
      ])
      let other = try server.begin(["win hour"])
      let store = server.library.store
      try store.correct(1..<3, to: "Albin gambit", of: 0, in: one)
      try store.correct(0..<2, to: "Winawer", of: 1, in: one)
      try store.correct(1..<2, to: "their", of: 2, in: one)
      try store.correct(0..<1, to: "Kimura", of: 3, in: one)
      try store.correct(2..<3, to: "Kimura", of: 3, in: one)
      try store.correct(0..<2, to: "Winawer", of: 0, in: other)
      func words(_ query: String = "") throws -> [[String: Any]] {
        let answer = try server.ask("/api/sessions/\(one)/corrected\(query)")
        #expect(answer.status == 200)
        return answer.json["words"] as? [[String: Any]] ?? []
      }
      let found = try words()
      #expect(found.map { $0["text"] as? String } == ["Winawer", "Kimura", "Albin gambit"])
      #expect(found.map { $0["sessions"] as? Int } == [2, 1, 1])
      #expect(found.map { $0["count"] as? Int } == [1, 2, 1])
      #expect(found[0]["recognized"] as? [String] == ["when our"])
      #expect(found[1]["recognized"] as? [String] == ["keemura", "kemura"])
      try server.library.vocabularies.words(named: "Chess").replace([])
      let body = try json(["text": "Kimura", "recognized": "keemura", "session": one, "vocabulary": "Chess"])
      #expect(try server.ask("POST", "/api/vocabulary", json: body).status == 200)
      #expect(try words("?vocabulary=Chess").map { $0["text"] as? String } == ["Winawer", "Albin gambit"])
      #expect(try words().count == 3)
      #expect(try server.ask("DELETE", "/api/vocabulary?text=Kimura&vocabulary=Chess").status == 200)
      #expect(try words("?vocabulary=Chess").count == 3)
      #expect(try server.ask("/api/sessions/\(one)/corrected?vocabulary=nosuch").status == 404)
      let missing = try json(["text": "Kimura", "vocabulary": "nosuch"])
      #expect(try server.ask("POST", "/api/vocabulary", json: missing).status == 404)
    }
  }
}
