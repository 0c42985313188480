import Foundation
import Longhand
import Testing
@testable import LonghandServer

/// How recordings are transcribed, as clients choose it; vocabularies; replacements.
@Suite struct RecognitionTests {
  @Test(arguments: [
    (["speakers": "1000"], "speakers"), (["speakers": "many"], "speakers"),
    (["locale": "no language"], "locale"),
    (["vocabulary": "nosuch"], nil), (["vocabulary": "../x"], nil), (["model": "nosuch"], "model"),
  ])
  func impossibleChoiceIsRefusedBeforeAnythingIsSent(_ fields: [String: String], parameter: String?)
    async throws
  {
    try await TestServer.run { server in
      let all = fields.merging(["name": "a.wav", "size": "10"]) { $1 }
      let json =
        "{" + all.map { "\"\($0)\": \($0 == "size" ? $1 : "\"\($1)\"")" }.joined(separator: ",") + "}"
      let answer = try await server.answer("POST", "/api/uploads", json: json)
      #expect(answer.status == 400, "\(answer.json)")
      let error = answer.json["error"] as? [String: Any]
      if let parameter { #expect(error?["param"] as? String == parameter) }
      #expect(server.library.uploads.all.isEmpty)
    }
  }

  @Test func choiceIsKeptWithTheUploadAndReplacedByALaterOne() async throws {
    try await TestServer.run { server in
      for count in ["2", "auto", "none"] {
        let json = "{\"name\": \"a.wav\", \"size\": 10, \"modified\": 1, \"speakers\": \"\(count)\"}"
        let answer = try await server.answer("POST", "/api/uploads", json: json)
        #expect(answer.status == 201)
        #expect(server.library.uploads.all.map(\.choice?.voices) == [VoiceCount(rawValue: count)])
      }
    }
  }

  @Test func vocabularyIsMadeCheckedEditedAndDeleted() async throws {
    try await TestServer.run { server in
      let path = "/api/vocabularies/My%20chess"
      let rows = #"{"rows": [{"term": "Winawer", "soundsLike": ["w I n aU @r"], "replaces": ["when our"]}]}"#
      #expect(try server.ask(path).status == 404)
      #expect(try server.ask("POST", path + "/check", json: rows).status == 200)
      #expect(try server.ask(path).status == 404)
      #expect(try server.ask("PUT", path, json: rows).status == 200)
      let list = try server.ask("/api/vocabularies").json["vocabularies"] as? [String]
      #expect(list == ["library", "My chess"])
      let found = try await server.answer("GET", "/api/recognition").json["vocabularies"] as? [String]
      #expect(found == ["My chess"])
      let read = try server.library.vocabularies.words(named: "My chess").vocabulary()
      #expect(read.terms == [.init(text: "Winawer", pronunciations: ["w I n aU @r"])])
      #expect(read.corrections == [.init(recognized: "when our", text: "Winawer")])

      let twice =
        #"{"rows": [{"term": "Two words", "soundsLike": [], "replaces": []}, {"term": "the", "soundsLike": [], "replaces": []}]}"#
      let findings = try server.ask("POST", path + "/check", json: twice).json["findings"] as? [[String: Any]]
      #expect(findings?.contains { $0["row"] as? Int == 1 && $0["severity"] as? String == "warning" } == true)
      let empty = #"{"rows": [{"term": " ", "soundsLike": ["x"], "replaces": []}]}"#
      #expect(try server.ask("PUT", path, json: empty).status == 400)
      #expect(try server.ask("PUT", "/api/vocabularies/..%2Fx", json: rows).status == 400)
      #expect(try server.ask("DELETE", path).status == 204)
      #expect(server.library.vocabularies.names.isEmpty)
    }
  }

  /// Else it goes to the words for every recording.
  @Test func addedWordGoesIntoTheVocabularyOfItsSession() async throws {
    try await TestServer.run { server in
      try server.library.vocabularies.words(named: "Chess").replace([])
      let (plain, own) = (try server.begin(["a"]), try server.begin(["a"]))
      var session = try server.library.store.session(matching: own)
      session.vocabulary = VocabularyStamp(name: "Chess", sha256: "0")
      try server.library.store.update(session)
      for (id, word) in [(plain, "One"), (own, "Two")] {
        let json = "{\"text\": \"\(word)\", \"session\": \"\(id)\"}"
        #expect(try server.ask("POST", "/api/vocabulary", json: json).status == 200)
      }
      #expect(server.library.vocabularies.words.texts == ["One"])
      #expect(try server.library.vocabularies.words(named: "Chess").texts == ["Two"])
    }
  }

  @Test func placesAreListedReplacedAndUndone() async throws {
    try await TestServer.run { server in
      let sessions = [try server.begin(["a wrong b"]), try server.begin(["wrong c", "d"])]
      let found = try server.ask("/api/replacements?text=wrong").json
      let places = try #require(found["places"] as? [[String: Any]])
      #expect(found["count"] as? Int == 2)
      #expect(Set(places.compactMap { $0["session"] as? String }) == Set(sessions))
      #expect(places.contains { $0["before"] as? String == "a" && $0["after"] as? String == "b" })
      let one = try server.ask("/api/replacements?text=wrong&session=\(sessions[1])").json
      let body: [String: Any] = ["text": "right", "places": one["places"] ?? []]
      let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
      let done = try server.ask("POST", "/api/replacements", json: json)
      #expect(done.status == 200)
      #expect(try server.library.store.segment(0, in: sessions[1]).text == "right c")
      #expect(try server.library.store.segment(0, in: sessions[0]).text == "a wrong b")
      // Its answer may have been lost; another change is refused.
      #expect(try server.ask("POST", "/api/replacements", json: json).body == done.body)
      let other = json.replacing("right", with: "other")
      let refused = try server.ask("POST", "/api/replacements", json: other)
      #expect(refused.code == "changed")
      let present = refused.json["segments"] as? [[String: Any]]
      #expect(present?.map { $0["text"] as? String } == ["right c"])
      let undo = String(decoding: done.body, as: UTF8.self)
      #expect(try server.ask("POST", "/api/replacements/undo", json: undo).status == 200)
      #expect(try server.library.store.segment(0, in: sessions[1]).text == "wrong c")
    }
  }

  @Test func onlyWhatIsCompleteAndHasAudioIsTranscribedAgain() async throws {
    try await TestServer.run { server in
      let (live, silent) = (try server.begin(["a"]), try server.begin(["a"], state: .complete))
      for (id, code) in [(live, "not_complete"), (silent, "no_sound")] {
        for (path, json) in [("transcription", "{}"), ("speakers", #"{"speakers": "2"}"#)] {
          #expect(try server.ask("POST", "/api/sessions/\(id)/\(path)", json: json).code == code)
        }
      }
    }
  }
}
