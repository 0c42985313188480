import Foundation
import Longhand
import TestSupport
import Testing
@testable import LonghandServer

/// The speakers of a session over the API.
@Suite struct SpeakersTests {
  private func withCall(_ body: (TestServer, String) throws -> Void) async throws {
    try await TestServer.run { server in
      let id = try server.begin(["play the opening", "good"])
      try server.library.store.changeSpeakers(of: id) { speakers in
        speakers.setTurns([
          SpeakerTurn(start: 0, end: 1, speaker: "x", confidence: 0.9),
          SpeakerTurn(start: 1, end: 30, speaker: "y", confidence: 0.8),
        ])
      }
      try body(server, "/api/sessions/\(id)")
    }
  }

  private func names(_ answer: HTTPConnection.Response) throws -> [String?] {
    try #require(answer.json["speakers"] as? [[String: Any]]).map { $0["name"] as? String }
  }

  @Test func speakersAreListedWithTheirShares() async throws {
    try await withCall { server, target in
      let all = try server.ask(target + "/speakers").json
      let rows = try #require(all["speakers"] as? [[String: Any]])
      #expect(rows.map { $0["id"] as? String } == ["voice1", "voice2"])
      #expect(rows.allSatisfy { $0["basis"] as? String == "voice" })
      let shares = rows.compactMap { $0["timeShare"] as? Double }
      #expect(abs(shares.reduce(0, +) - 1) < 0.001)
      #expect(rows.compactMap { $0["words"] as? Int }.reduce(0, +) + (all["unknownWords"] as? Int ?? 0) == 4)
      #expect(try server.ask("/api/sessions/\(UUID().uuidString)/speakers").status == 404)
    }
  }

  @Test func speakerIsRenamedMergedAndAssigned() async throws {
    try await withCall { server, target in
      let renamed = try server.ask("PATCH", target + "/speakers/voice2", json: #"{"name": "Ben"}"#)
      #expect(try names(renamed) == ["Speaker 1", "Ben"])
      let assigned = try server.ask(
        "PUT", target + "/segments/1/speaker", json: #"{"speaker": "Carl", "revision": 0}"#)
      #expect(try names(assigned).contains("Carl"))
      let segment = try server.ask(target + "/segments/1").json
      #expect(segment["speaker"] as? String == "person1")
      #expect(segment["speakerBasis"] as? String == "person")
      #expect(segment["text"] as? String == "good")
      let merged = try server.ask("POST", target + "/speakers/voice1/merge", json: #"{"other": "person1"}"#)
      #expect(try !names(merged).contains("Carl"))
      #expect(try server.ask(target + "/segments/1").json["speaker"] as? String == "voice1")
      let rows = try #require(merged.json["speakers"] as? [[String: Any]])
      #expect(rows.first { $0["id"] as? String == "voice1" }?["merged"] as? [String] == ["Carl"])
      let undone = try server.ask("POST", target + "/speakers/voice1/unmerge", json: "{}")
      #expect(try names(undone).contains("Carl"))
      #expect(try server.ask(target + "/segments/1").json["speaker"] as? String == "person1")
      let refused = try server.ask("POST", target + "/speakers/voice1/unmerge", json: "{}")
      #expect(refused.status == 409)
    }
  }

  /// Also in the middle of a segment, most of which another one says.
  @Test func speakerHasTheSegmentsInWhichItSpeaks() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["play the opening now please yes", "good game"])
      try server.library.store.changeSpeakers(of: id) { speakers in
        speakers.setTurns([
          SpeakerTurn(start: 0, end: 2, speaker: "x"), SpeakerTurn(start: 2, end: 3, speaker: "y"),
          SpeakerTurn(start: 3.2, end: 9, speaker: "x"),
        ])
      }
      let all = try server.ask("/api/sessions/\(id)/speakers").json["speakers"] as? [[String: Any]]
      #expect(all?.map { $0["segments"] as? [Int] } == [[0, 1], [0]])
    }
  }

  /// Speaker 1 says two rows, Speaker 2 the last; the end of the first row and the second one are unsure.
  private func withUnsure(_ body: (TestServer, String) throws -> Void) async throws {
    try await TestServer.run { server in
      let id = try server.begin(["play the opening now", "good game it is", "so it is then"])
      try server.library.store.changeSpeakers(of: id) { speakers in
        speakers.setTurns([
          SpeakerTurn(start: 0, end: 0.5, speaker: "x", confidence: 0.9),
          SpeakerTurn(start: 0.5, end: 5, speaker: "x", confidence: 0.7),
          SpeakerTurn(start: 6, end: 8, speaker: "y", confidence: 0.9),
        ])
      }
      try body(server, "/api/sessions/\(id)")
    }
  }

  @Test func unsureWordsOfASegmentAreAssignedWithWhatFollowedThem() async throws {
    try await withUnsure { server, target in
      func speakers() throws -> [[String?]] {
        try [0, 1].map { key in
          let words = try server.ask("\(target)/segments/\(key)").json["words"] as? [[String: Any]]
          return try #require(words).map { $0["speaker"] as? String }
        }
      }
      let all = try server.ask(target + "/unsure?of=all&segment=0&word=0").json
      #expect(all["turns"] as? Int == 2)
      let next = try #require(all["next"] as? [String: Any])
      #expect(next["word"] as? Int == 1)
      #expect(next["end"] as? Int == 4)
      #expect(next["speaker"] as? String == "voice1")
      #expect(next["speakerConfidence"] as? Double == 0.7)
      let onlyWords = try server.ask(target + "/unsure").json["next"] as? [String: Any]
      #expect(onlyWords?["end"] == nil)
      #expect(try server.ask(target + "/unsure?of=nothing").status == 400)
      let before = try speakers()
      #expect(before == [Array(repeating: "voice1", count: 4), Array(repeating: "voice1", count: 4)])

      let path = target + "/segments/0/speaker"
      for (body, status) in [
        (#"{"speaker": "voice2", "revision": 7, "first": 1, "end": 4}"#, 409),
        (#"{"speaker": "voice2", "revision": 0, "first": 1, "end": 5}"#, 400),
        (#"{"speaker": "voice2", "revision": 0, "first": 2, "end": 2}"#, 400),
        (#"{"speaker": "voice2", "revision": 0, "first": 1}"#, 400),
      ] {
        #expect(try server.ask("PUT", path, json: body).status == status, "\(body)")
        #expect(try speakers() == before)
      }
      let answer = try server.ask(
        "PUT", path, json: #"{"speaker": "voice2", "revision": 0, "first": 1, "end": 4}"#)
      #expect(
        try speakers() == [["voice1", "voice2", "voice2", "voice2"], Array(repeating: "voice2", count: 4)])
      let assigned = try #require(answer.json["assigned"] as? [String: Any])
      #expect(assigned["before"] as? [Int] == [])
      #expect(assigned["after"] as? [Int] == [1])
      #expect(try server.ask(target + "/unsure").json["turns"] as? Int == 0)

      var replaced = try #require(assigned["replaced"] as? [String: Any])
      replaced["revision"] = answer.json["revision"]
      let body = String(decoding: try JSONSerialization.data(withJSONObject: replaced), as: UTF8.self)
      #expect(try server.ask("PUT", target + "/assignments", json: body).status == 200)
      #expect(try speakers() == before)
      #expect(try server.ask(target + "/unsure").json["turns"] as? Int == 2)
      // The speakers were changed since.
      #expect(try server.ask("PUT", target + "/assignments", json: body).status == 409)
      let unknown = #"{"segments": [0], "assignments": [{"segment": 0, "speaker": "nobody"}]}"#
      #expect(try server.ask("PUT", target + "/assignments", json: unknown).status == 404)
      let missing = #"{"segments": [99], "assignments": []}"#
      #expect(try server.ask("PUT", target + "/assignments", json: missing).status == 404)
      #expect(try speakers() == before)
    }
  }

  @Test func everyHitOfASpeakerIsFound() async throws {
    try await TestServer.run { server in
      // The only one who is looked for speaks last, after more hits than are read at once.
      let count = 1100
      let id = try server.begin((0..<count).map { "word \($0)" }, state: .complete)
      // From here on, segments have other numbers than keys.
      try server.library.store.edit([0], to: ["word", "zero"], in: id)
      let segments = try server.library.store.transcript(of: id).segments
      #expect(segments.count == count + 1)
      let last = try #require(segments.last)
      try server.library.store.changeSpeakers(of: id) { try $0.assign(last, to: "Anna") }
      let found = try server.ask("/api/search?q=word&speaker=anna").json["hits"] as? [[String: Any]]
      #expect(found?.map { $0["segment"] as? Int } == [count - 1])
    }
  }

  @Test func documentIsWrittenWithoutSpeakers() async throws {
    try await withCall { server, target in
      for format in ["txt", "vtt", "textgrid"] {
        #expect(try server.ask("\(target)/export?format=\(format)").text.contains("Speaker 1"), "\(format)")
        let plain = try server.ask("\(target)/export?format=\(format)&speakers=no").text
        #expect(!plain.contains("Speaker"), "\(format)")
        #expect(plain.contains("opening"), "\(format)")
      }
      let document = try server.ask("\(target)/export?format=json&speakers=no").json
      #expect(document["speakers"] == nil)
      let segments = try #require(document["segments"] as? [[String: Any]])
      #expect(segments.allSatisfy { $0["speaker"] == nil })
    }
  }

  /// It would be ignored.
  @Test func numberOfVoicesInChannelsIsRefused() async throws {
    try await TestServer.run { server in
      let id = try server.begin(state: .complete)
      var segment = TestServer.segment(0, "good game")
      segment.channel = 1
      try server.library.store.append([segment], to: id)
      let audio = server.library.recording(of: id).audio
      try FileManager.default.createDirectory(
        at: audio.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: audio)
      let refused = try server.ask("POST", "/api/sessions/\(id)/speakers", json: #"{"speakers": "2"}"#)
      #expect(refused.status == 400)
      #expect(throws: SpeakerError.separateChannels) {
        try server.library.checkSeparation(of: id, into: .exactly(2))
      }
      #expect(throws: Never.self) { try server.library.checkSeparation(of: id, into: .automatic) }
    }
  }

  @Test func mistakesAreErrors() async throws {
    try await withCall { server, target in
      let unknown = try server.ask("PATCH", target + "/speakers/nobody", json: #"{"name": "Ben"}"#)
      #expect(unknown.status == 404)
      let empty = try server.ask("PATCH", target + "/speakers/voice1", json: #"{"name": " "}"#)
      #expect(empty.status == 400)
      let taken = try server.ask("PATCH", target + "/speakers/voice1", json: #"{"name": "Speaker 2"}"#)
      #expect(taken.status == 409)
      let segment = try server.ask(
        "PUT", target + "/segments/99/speaker", json: #"{"speaker": "Ben", "revision": 0}"#)
      #expect(segment.status == 404)
      #expect(try names(server.ask(target + "/speakers")) == ["Speaker 1", "Speaker 2"])
    }
  }
}
