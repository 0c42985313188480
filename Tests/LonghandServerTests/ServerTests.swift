import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandArchive
@testable import LonghandServer

@Suite struct ServerTests {
  @Test func everyResponseHasTheSecurityHeaders() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["a"])
      for target in ["/", "/page/style.css", "/health", "/api/sessions/\(id)", "/nothing", "/api/sessions/x"]
      {
        let headers = try server.ask(target).headers
        let policy = try #require(headers["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
        #expect(headers["x-content-type-options"] == "nosniff")
        #expect(headers["referrer-policy"] == "no-referrer")
        #expect(headers["cross-origin-resource-policy"] == "same-origin")
        #expect(headers["access-control-allow-origin"] == nil)
        let isAsset = target == "/" || target.hasPrefix("/page")
        #expect(headers["cache-control"] == (isAsset ? "no-cache" : "no-store"))
      }
    }
  }

  #if os(Linux)
    /// The server has one library: one connection writes, at most four read, and one watches for changes.
    @Test func manyRequestsAtOnceOpenStoreAFewTimes() async throws {
      try await TestServer.run { server in
        let id = try server.begin(["a", "b"], state: .complete)
        let paths = ["", "/segments", "/terms", "/speakers", "/export?format=json"].map {
          "/api/sessions/\(id)\($0)"
        }
        let targets = paths + ["/api/sessions", "/api/search?q=a", "/api/tags", "/api/recording"]
        try await withThrowingTaskGroup(of: Int.self) { group in
          for target in targets + targets { group.addTask { try server.ask(target).status } }
          for try await status in group { #expect(status == 200) }
        }
        // The test has a library of its own, which wrote the session.
        let count = try #require(OpenFiles.count(of: server.library.store.file))
        #expect(count <= 1 + 1 + 4 + 1)
        #expect(count >= 1 + 1 + 1 + 1)
      }
    }
  #endif

  /// A server with an idle time would end, and leave the files that arrive later.
  @Test func serverThatWatchesAFolderIsNotIdle() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
    let watched = folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: watched, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = URL(fileURLWithPath: "/bin/false")
    for watch in [nil, watched.path] {
      let server = try Server(
        at: folder.appendingPathComponent("library"), .init(port: 0, program: program, watch: watch))
      #expect(server.isIdle == (watch == nil))
      #expect(await server.finish())
    }
  }

  /// Every file of the page is embedded in the executable.
  @Test func pageIsEmbeddedInTheExecutable() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/LonghandServer/Page").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !["page.c", "page.h", "module.modulemap"].contains($0) }
    #expect(Set(PageAssets.files.keys) == Set(names))
    try await TestServer.run { server in
      for name in names {
        let answer = try server.ask("/page/\(name)")
        let file = try Data(contentsOf: folder.appendingPathComponent(name))
        #expect(answer.body == file, "\(name)")
        #expect(answer.headers["content-type"] != "application/octet-stream", "\(name)")
      }
      #expect(try server.ask("/page/..%2fServer.swift").status == 404)
      #expect(try server.ask("/page/../Server.swift").status == 404)
    }
  }

  /// The page marks the words that the server finds.
  @Test func thePageAndTheServerCallTheSameWordsUnsure() throws {
    let row = try #require(PageAssets.files["segment-row.js"])
    #expect(row.contains("lowConfidence = \(TranscriptStore.UnsureWords.confidence);"))
  }

  @Test func secondTextAndItsTermsAreServed() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["a kimora", "nothing"])
      #expect(try server.ask("/api/sessions/\(id)").json["hasSecondText"] as? Bool == false)
      #expect(try (server.ask("/api/sessions/\(id)/terms").json["terms"] as? [Any])?.isEmpty == true)
      var spellings = Vocabulary(name: "names")
      spellings.corrections = [.init(recognized: "kimora", text: "Kimura")]
      spellings.entities = ["Kimura"]
      try server.library.store.setSpellings(spellings, of: id)
      #expect(try server.ask("/api/sessions/\(id)").json["hasSecondText"] as? Bool == true)
      let segments = try server.ask("/api/sessions/\(id)/segments").json["segments"] as? [[String: Any]]
      let first = try #require(segments?.first)
      #expect(first["text"] as? String == "a kimora")
      #expect((first["normalized"] as? [String: Any])?["text"] as? String == "A Kimura.")
      #expect(segments?.last?["normalized"] == nil)
      let terms = try server.ask("/api/sessions/\(id)/terms").json["terms"] as? [[String: Any]]
      #expect(terms?.first?["term"] as? String == "Kimura")
      #expect(terms?.first?["count"] as? Int == 1)
      #expect(try server.ask("/api/sessions/none/terms").status == 404)
    }
  }

  @Test func requestsOfOtherSitesAreRefused() async throws {
    try await TestServer.run { server async throws in
      let own = "http://127.0.0.1:\(server.port)"
      #expect(try server.ask("/api/sessions", ["Origin": own]).status == 200)
      let cases: [([String: String], Int)] = [
        (["Host": "evil.example:\(server.port)"], 421), (["Host": ""], 400), (["Host": "127.0.0.1:1"], 421),
        (["Origin": "http://evil.example"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
      ]
      for (headers, status) in cases {
        for (method, target) in [("GET", "/api/sessions"), ("POST", "/api/recording"), ("GET", "/")] {
          #expect(try server.ask(method, target, headers).status == status, "\(headers) \(target)")
        }
      }
      // The preflight request of a page of another site.
      #expect(try server.ask("OPTIONS", "/api/recording", ["Origin": "http://evil.example"]).status == 403)
      #expect(try server.ask("OPTIONS", "/api/recording").status == 405)
    }
  }

  @Test func sessionsAreListedReadAndFound() async throws {
    try await TestServer.run { server in
      let ids = try (0..<5).map { try server.begin(["word number \($0)"]) }
      let list = try #require(try server.ask("/api/sessions?limit=3").json["sessions"] as? [[String: Any]])
      #expect(list.map { $0["id"] as? String } == ids.reversed().prefix(3).map { $0 })
      let rest = try server.ask("/api/sessions?before=\(ids[2])").json["sessions"] as? [[String: Any]]
      #expect(rest?.map { $0["id"] as? String } == [ids[1], ids[0]])
      #expect(list[0]["vocabulary"] is NSNull)
      #expect(list[0]["hasAudio"] as? Bool == false)
      try server.library.store.setCoverage(
        [.init(start: 0, end: 2, kind: .transcribed), .init(start: 2, end: 3, kind: .gap, reason: "disk")],
        of: ids[0])
      let about = try server.ask("/api/sessions/\(ids[0])").json
      #expect(about["segmentCount"] as? Int == 1)
      #expect(about["sequence"] as? Int == 1)
      let spans = about["spans"] as? [[String: Any]]
      #expect(spans?.count == 2)
      #expect(spans?[1]["reason"] as? String == "disk")
      let hits = try server.ask("/api/search?q=NUMB").json["hits"] as? [[String: Any]]
      #expect(hits?.count == 5)
      let pieces = hits?[0]["pieces"] as? [[String: Any]]
      #expect(pieces?.first { $0["isMatch"] as? Bool == true }?["text"] as? String == "number")
      // In sentences, as on the page.
      #expect(pieces?.first?["text"] as? String == "Word ")
      for id in ["x", "last", String(ids[0].prefix(8)), UUID().uuidString, "%00", "../.."] {
        #expect([400, 404].contains(try server.ask("/api/sessions/\(id)").status), "\(id)")
      }
    }
  }

  @Test func anyRangeOfSegmentsCanBeRead() async throws {
    try await TestServer.run { server in
      let id = try server.begin((0..<500).map { "segment \($0)" })
      for (from, limit, count) in [
        (0, 200, 200), (450, 200, 50), (499, 1, 1), (500, 10, 0), (123, 1000, 377),
      ] {
        let answer = try server.ask("/api/sessions/\(id)/segments?from=\(from)&limit=\(limit)").json
        let ids = (answer["segments"] as? [[String: Any]])?.map { $0["id"] as? Int }
        #expect(ids == (from..<from + count).map { $0 })
      }
      for query in ["from=-1", "limit=1001", "limit=x", "from=9999999999999999999"] {
        #expect(try server.ask("/api/sessions/\(id)/segments?\(query)").status == 400)
      }
    }
  }

  @Test func alternativeIsSelectedAndUndone() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["play", "stop"])
      let events = try server.follow("/api/sessions/\(id)/events")
      _ = try events.event()
      let target = "/api/sessions/\(id)/segments/1"
      func choose(_ index: Int, _ revision: Int) throws -> [String: Any] {
        try server.ask(
          "PUT", target + "/selection", json: "{\"index\": \(index), \"revision\": \(revision)}"
        ).json
      }
      let chosen = try choose(1, 0)
      #expect(chosen["text"] as? String == "stop else")
      #expect(chosen["revision"] as? Int == 1)
      #expect((chosen["selection"] as? [String: Any])?["rule"] as? String == "user")
      // The same selection again makes no revision.
      #expect(try choose(1, 1)["revision"] as? Int == 1)
      let undone = try choose(0, 1)
      #expect(undone["text"] as? String == "stop")
      #expect(undone["revision"] as? Int == 2)
      var texts: [String] = []
      while texts.count < 2, let event = try events.event() {
        if event.kind == "segment" { texts.append(event.json["text"] as? String ?? "") }
      }
      #expect(texts == ["stop else", "stop"])
      let all = try server.ask(target).json["revisions"] as? [[String: Any]]
      #expect(all?.map { $0["text"] as? String } == ["stop", "stop else", "stop"])
      #expect(all?[1]["reason"] as? String == "chosen by the user")
      for body in [
        "{\"index\": 2, \"revision\": 2}", "{\"index\": -1, \"revision\": 2}", "{\"revision\": 2}", "[]", "",
        "{\"index\": \"1\", \"revision\": 2}", "{\"index\": 1}",
      ] {
        #expect(
          [400, 415].contains(try server.ask("PUT", target + "/selection", json: body).status), "\(body)")
      }
      let plain = try server.ask(
        "PUT", target + "/selection", ["Content-Type": "text/plain"], json: "{\"index\":1}")
      #expect(plain.status == 415)
      #expect(
        try server.ask(
          "PUT", "/api/sessions/\(id)/segments/9/selection", json: "{\"index\":0,\"revision\":0}"
        ).status == 404)
    }
  }

  @Test func wordIsReplacedByOneOfItsAlternatives() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["play", "stop"])
      let target = "/api/sessions/\(id)/segments/1"
      let words = try server.ask(target).json["words"] as? [[String: Any]]
      let offered = words?.first?["alternatives"] as? [[String: Any]]
      #expect(offered?.map { $0["text"] as? String } == ["stop else"])
      let chosen = try server.ask(
        "PUT", target + "/selection", json: #"{"word": 0, "alternative": 0, "revision": 0}"#
      ).json
      #expect(chosen["text"] as? String == "stop else")
      for body in [
        #"{"word": 0, "alternative": 9, "revision": 1}"#, #"{"word": 9, "alternative": 0, "revision": 1}"#,
        #"{"word": 0, "revision": 1}"#, #"{"word": 0, "alternative": 0}"#,
      ] {
        #expect(try server.ask("PUT", target + "/selection", json: body).status == 400, "\(body)")
      }
    }
  }

  @Test func earlierVersionOfASegmentIsRestored() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["play", "stop"])
      let target = "/api/sessions/\(id)/segments/1"
      _ = try server.ask("PUT", target + "/selection", json: #"{"index": 1, "revision": 0}"#)
      let restored = try server.ask("PUT", target + "/revision", json: #"{"revision": 0, "current": 1}"#).json
      #expect(restored["text"] as? String == "stop")
      #expect(restored["revision"] as? Int == 2)
      // The current version again makes no revision.
      #expect(
        try server.ask("PUT", target + "/revision", json: #"{"revision": 2, "current": 2}"#).json["revision"]
          as? Int == 2)
      let all = try server.ask(target).json["revisions"] as? [[String: Any]]
      #expect(all?.map { $0["text"] as? String } == ["stop", "stop else", "stop"])
      #expect(all?.map { $0["author"] as? String } == ["recognizer", "person", "person"])
      for body in [
        #"{"revision": -1, "current": 2}"#, #"{"revision": 3, "current": 2}"#, #"{"revision": 0}"#,
      ] {
        #expect(try server.ask("PUT", target + "/revision", json: body).status == 400, "\(body)")
      }
      let missing = try server.ask(
        "PUT", "/api/sessions/\(id)/segments/9/revision", json: #"{"revision": 0, "current": 0}"#)
      #expect(missing.status == 404)
    }
  }

  /// The end of a process that records is noticed, although nothing changes in the store.
  @Test func interruptedSessionIsShownAsSuch() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["a"])
      var writer: RecordingWriter? = try server.record(id, seconds: 1, isComplete: false)
      func about() throws -> [String: Any] { try server.ask("/api/sessions/\(id)").json }
      #expect(try about()["state"] as? String == "recording")
      #expect(try about()["canResume"] as? Bool == false)
      #expect(try server.ask("POST", "/api/sessions/\(id)/resume").code == "not_interrupted")
      let events = try server.follow("/api/sessions/\(id)/events")
      while let event = try events.event(), event.kind != "session" {}
      let list = try server.follow("/api/events")
      _ = try list.event()
      withExtendedLifetime(writer) {}
      writer = nil
      var reported: [String: Any] = [:]
      while reported["state"] as? String != "interrupted", let event = try events.event() {
        if event.kind == "session" { reported = event.json }
      }
      #expect(reported["canResume"] as? Bool == true)
      while let event = try list.event(), event.kind != "sessions" {}
      #expect(try about()["state"] as? String == "interrupted")
      let complete = try server.begin(["b"], state: .complete)
      #expect(try server.ask("POST", "/api/sessions/\(complete)/resume").code == "not_interrupted")
      #expect(try server.ask("DELETE", "/api/sessions/\(id)").status == 204)
    }
  }

  @Test func interruptedErasureIsFinished() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["secret"])
      try server.library.store.removeContent(of: id)
      func listed() throws -> [[String: Any]] {
        try #require(try server.ask("/api/sessions").json["sessions"] as? [[String: Any]])
      }
      #expect(try listed().map { $0["canResume"] as? Bool } == [true])
      #expect(try server.ask("POST", "/api/sessions/\(id)/resume").status == 202)
      #expect(await eventually { (try? listed().isEmpty) == true })
    }
  }

  /// Four clients at once, which have seen the same revision.
  @Test(arguments: [
    ("segments/0/words", #"{"first": 0, "end": 1, "text": "N$N", "revision": $R}"#),
    ("segments/0/selection", #"{"index": 0, "revision": $R}"#),
    ("segments/0/revision", #"{"revision": 0, "current": $R}"#),
    ("segments/0/speaker", #"{"speaker": "N$N", "revision": 1, "speakersRevision": $R}"#),
  ])
  func oneOfSeveralChangesWithTheSameRevisionIsAccepted(path: String, body: String) async throws {
    try await TestServer.run { server in
      let target = "/api/sessions/\(try server.begin(["take the pawn"]))"
      _ = try server.ask(
        "PUT", "\(target)/segments/0/words", json: #"{"first": 0, "end": 1, "text": "bake", "revision": 0}"#)
      for round in 0..<10 {
        let known = path.hasSuffix("speaker") ? "speakers" : "segments/0"
        let revision = try #require(try server.ask("\(target)/\(known)").json["revision"] as? Int)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<4 {
            let json = body.replacing("$R", with: "\(revision)").replacing("$N", with: "\(round)\(number)")
            group.addTask { try server.ask("PUT", "\(target)/\(path)", json: json).status }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200, 409, 409, 409])
        // The choice of the selected alternative changes nothing the next time.
        if path.hasSuffix("selection") {
          _ = try server.ask(
            "PUT", "\(target)/segments/0/revision", json: #"{"revision": 1, "current": \#(revision + 1)}"#)
        }
      }
    }
  }

  @Test func sessionIsDeletedUnlessItIsBeingRecorded() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["secret"])
      var writer: RecordingWriter? = try server.record(id, seconds: 1, isComplete: false)
      #expect(server.library.isInUse(id))
      let refused = try server.ask("DELETE", "/api/sessions/\(id)")
      #expect(refused.status == 409)
      #expect(refused.code == "is_recording")
      #expect(try server.ask("/api/sessions/\(id)/segments").status == 200)
      try writer?.finish()
      writer = nil
      #expect(try server.ask("DELETE", "/api/sessions/\(id)").status == 204)
      #expect(try server.ask("DELETE", "/api/sessions/\(id)").status == 404)
      #expect(!FileManager.default.fileExists(atPath: server.library.recording(of: id).url.path))
      let hits = try #require(try server.ask("/api/search?q=secret").json["hits"] as? [Any])
      #expect(hits.isEmpty)
    }
  }

  @Test func transcriptIsExportedInEveryFormat() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["one two", "three"])
      for format in TranscriptFormat.allCases {
        let answer = try server.ask("/api/sessions/\(id)/export?format=\(format.rawValue)")
        let wanted = try server.library.file(
          try server.library.store.transcript(of: id), of: id, by: TranscriptFormatter(format: format))
        #expect(Data(answer.body) == wanted)
        #expect(!answer.body.isEmpty)
        let disposition = try #require(answer.headers["content-disposition"])
        #expect(disposition.contains("\"talk.\(format.rawValue)\""))
      }
      #expect(try server.ask("/api/sessions/\(id)/export?format=pdf").status == 400)
    }
  }

  @Test func exportHasNumbersInEitherForm() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["in nineteen ninety nine", "5,000 men"])
      func export(_ query: String) throws -> HTTPConnection.Response {
        try server.ask("/api/sessions/\(id)/export?style=words&\(query)")
      }
      #expect(try export("numbers=written").text == "in 1999\n5,000 men\n")
      #expect(try export("numbers=spoken").text == "in nineteen ninety nine\nfive thousand men\n")
      #expect(try export("format=txt").text == "in nineteen ninety nine\n5,000 men\n")
      for query in ["numbers=roman", "numbers=", "numbers=spoken&format=json", "numbers=written&format=rttm"]
      {
        #expect(try export(query).status == 400, "\(query)")
      }
    }
  }
}

extension TestServer {
  func ask(_ target: String, _ headers: [String: String] = [:]) throws -> HTTPConnection.Response {
    try ask("GET", target, headers)
  }
}
