#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  extension StoredSessionTests {
    /// The endpoint that says whether quotes were said.
    @Suite struct ServeQuoteTests {
      @Test func quotesAreCheckedAndBadOnesAreRefused() async throws {
        let folder = try TemporaryFolder()
        let library = try Library(at: URL(fileURLWithPath: folder.path("library")))
        let session = RecordedSession(
          source: "a.wav", locale: "en-US", engine: "analyzer", start: .now, duration: 9, state: .complete)
        try library.store.begin(session)
        let words = "I owe you eight dollars".split(separator: " ").enumerated().map {
          Word(text: String($1), start: Double($0), end: Double($0) + 1, confidence: 0.9)
        }
        try library.store.append(
          Segment(
            id: 0, start: 0, end: 5,
            candidates: [Candidate(text: "I owe you eight dollars", words: words, confidence: 0.9)]),
          to: session.id)
        try library.store.setCoverage([CoverageSpan(start: 5, end: 9, kind: .wordless)], of: session.id)
        let server = try await ServeProcess(in: folder)
        func ask(_ json: String) throws -> HTTPConnection.Response {
          try server.ask("POST", "/api/quotes", ["Content-Type": "application/json"], json: json)
        }
        for (quotes, verdicts) in [
          (
            #"["I owe you 8 dollars!", "I owe you nine dollars", "no such thing"]"#,
            ["said", "heard-otherwise", "not-said"]
          ),
          (#""owe you eight""#, ["said"]), (#"[8, "8", 8.0]"#, ["said", "said", "said"]), ("8", ["said"]),
        ] {
          for session in ["", #", "session": "\#(session.id)""#, #", "session": null"#, #", "session": """#] {
            let answer = try ask(#"{"quotes": \#(quotes)\#(session)}"#)
            #expect(answer.status == 200, "\(answer.text)")
            let found = answer.json["quotes"] as? [[String: Any]] ?? []
            #expect(found.map { $0["verdict"] as? String } == verdicts)
            #expect(answer.json["unheard"] as? Double == 4)
          }
        }
        let long = String(repeating: "a", count: 100_000)
        let many = Array(repeating: #""eight""#, count: 1000).joined(separator: ",")
        for (body, problem) in [
          (#"{"quotes": []}"#, "There is no quote"), (#"{"quotes": [" ", "eight"]}"#, "Quote 1 has no words"),
          (#"{"quotes": ["eight", null]}"#, "Quote 2 has no words"), (#"{"quotes": null}"#, "not valid JSON"),
          (#"{"quotes": [{"text": "eight"}]}"#, "not valid JSON"), (#"{}"#, "not valid JSON"),
          (#"{"quotes": ["\#(long)"]}"#, "100000 characters"), (#"{"quotes": [\#(many)]}"#, "1000 quotes"),
        ] {
          let answer = try ask(body)
          #expect(answer.status == 400)
          #expect(answer.text.contains(problem), "\(answer.text.prefix(200))")
        }
        #expect(try ask(#"{"quotes": ["eight"], "session": "no"}"#).status == 404)
        #expect(try server.ask("GET", "/health").status == 200)
      }
    }
  }
#endif
