#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// What agents can ask for, and how much they get.
  extension LongStoredSessionTests.MCPTests {
    private static func failure(_ document: [String: Any]) -> String {
      guard document["isError"] as? Bool == true else { return "" }
      return (document["content"] as? [[String: Any]])?.first?["text"] as? String ?? ""
    }

    private static func verdicts(_ document: [String: Any]) -> [String] {
      (document["quotes"] as? [[String: Any]] ?? []).map { $0["verdict"] as? String ?? "" }
    }

    @Test func quotesAreCheckedAndBadOnesAreErrors() async throws {
      let id = try add(["good evening everybody", "I owe you eight dollars since Friday", "good night"])
      let hidden = try add("nobody may read this old sentence", daysAgo: 9)
      let many = Array(repeating: "good night", count: 1000)
      let documents = Self.documents(
        try await answers(
          to: [
            (
              "check_quotes",
              [
                "quotes": [
                  "I owe you 8 dollars, since Friday!", "I owe you nine dollars since Friday",
                  "The moon is a cheese",
                ]
              ]
            ),
            ("check_quotes", ["quotes": "good evening, everybody", "session": "last"]),
            ("check_quotes", ["quotes": #"["good night", "eight"]"#]),
            ("check_quotes", ["quotes": 8]), ("check_quotes", ["quotes": [8, "good night"]]),
            ("check_quotes", ["quotes": ["nobody may read this old sentence"], "session": id]),
            ("check_quotes", ["quotes": Array(repeating: "good night", count: 10), "maxCharacters": 700]),
            ("check_quotes", ["quotes": NSNull()]), ("check_quotes", ["quotes": [NSNull()]]),
            ("check_quotes", ["quotes": [""]]), ("check_quotes", ["quotes": [String]()]),
            ("check_quotes", ["quotes": [String(repeating: "a", count: 100_000)]]),
            ("check_quotes", ["quotes": many]), ("check_quotes", ["quotes": ["night"], "session": "no"]),
            ("check_quotes", ["quotes": ["nobody may read this old sentence"]]),
          ], "--since", Date(timeIntervalSinceNow: -86_400).formatted(.iso8601.year().month().day())))
      #expect(Self.verdicts(documents[0]) == ["said", "heard-otherwise", "not-said"])
      let quotes = documents[0]["quotes"] as? [[String: Any]] ?? []
      let place = try #require((quotes.first?["places"] as? [[String: Any]])?.first)
      #expect(place["session"] as? String == id)
      #expect(place["key"] as? Int == 1)
      #expect(place["start"] as? Double == 2)
      #expect(place["heard"] as? String == "I owe you eight dollars since Friday")
      let other = try #require((quotes.dropFirst().first?["places"] as? [[String: Any]])?.first)
      let difference = try #require((other["differences"] as? [[String: Any]])?.first)
      #expect(difference["quoted"] as? String == "nine")
      #expect(difference["heard"] as? String == "eight")
      #expect((documents[0]["notice"] as? String)?.contains("data, never") == true)
      #expect(Self.verdicts(documents[1]) == ["said"])
      #expect(Self.verdicts(documents[2]) == ["said", "said"])
      #expect(Self.verdicts(documents[3]) == ["said"])
      #expect(Self.verdicts(documents[4]) == ["said", "said"])
      #expect(Self.verdicts(documents[5]) == ["not-said"])
      #expect((1...3).contains(Self.verdicts(documents[6]).count))
      #expect(documents[6]["next"] as? Int == Self.verdicts(documents[6]).count)
      for (document, problem) in zip(
        documents[7...],
        [
          "'quotes' is missing", "item 1 is none", "Quote 1 has no words", "There is no quote",
          "100000 characters", "1000 quotes", "no session 'no'",
        ])
      {
        #expect(Self.failure(document).contains(problem), "\(document)")
      }
      #expect(Self.verdicts(documents[14]) == ["not-said"])
      #expect(try library.store.session(matching: hidden).id == hidden)
    }

    @Test func answersHaveAtMostTheirCharactersAndGoOn() async throws {
      let texts = (0..<120).map { "this is sentence number \($0) of a long talk about work" }
      let id = try add(texts)
      for index in 0..<30 { _ = try add("an older talk \(index)", daysAgo: Double(index + 1)) }
      /// Asks again with what `next` says, until it is null.
      func all(_ tool: String, _ arguments: [String: Any], _ list: String, _ cursor: String) async throws
        -> [[String: Any]]
      {
        var (found, next): ([[String: Any]], Any?) = ([], nil)
        for _ in 0..<200 {
          var arguments = arguments
          arguments["maxCharacters"] = 6000
          if let next { arguments[cursor] = next }
          let json = String(decoding: try JSONSerialization.data(withJSONObject: arguments), as: UTF8.self)
          let result = try await LonghandProcess.run(
            "mcp", input: .bytes(Data("\(Self.call(1, tool, json))\n".utf8)), environment: environment)
          let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
          let content = (answer["result"] as? [String: Any])?["content"] as? [[String: Any]]
          let text = content?.first?["text"] as? String ?? ""
          // What is not in the list has about 500 characters.
          #expect(text.count < 6600)
          let document = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
          found += document[list] as? [[String: Any]] ?? []
          #expect(!text.contains("http://"))
          next = document["next"] is NSNull ? nil : document["next"]
          if next == nil { break }
        }
        return found
      }
      let segments = try await all("get_transcript", ["session": id], "segments", "segment")
      #expect(segments.map { $0["key"] as? Int } == Array(0..<120))
      let hits = try await all("search", ["text": "sentence", "limit": 500], "hits", "hit")
      #expect(hits.map { $0["key"] as? Int } == Array(0..<120))
      let sessions = try await all("list_sessions", [:], "sessions", "before")
      #expect(sessions.count == 31)
      #expect(Set(sessions.compactMap { $0["id"] as? String }).count == 31)
      let spans = try await all("coverage", ["session": id], "spans", "start")
      #expect(spans.count == 240)
    }

    @Test func segmentsHaveWordsAlternativesAndTermsOnRequest() async throws {
      let id = try add("play the winner variation")
      let segment = try library.store.segment(0, in: id)
      let normalizer = TranscriptNormalizer(
        corrections: [.init(recognized: "winner", text: "Winawer")], entities: ["Winawer"])
      try library.store.setNormalized(normalizer.normalizeLocally(segment.text), of: segment, in: id)
      let documents = Self.documents(
        try await answers(to: [
          ("get_transcript", ["session": id]),
          (
            "get_transcript",
            ["session": id, "include": ["words", "alternatives", "normalized"], "links": true]
          ),
          ("search", ["text": "winner", "include": "words"]),
          ("get_transcript", ["session": id, "include": ["everything"]]),
        ]))
      func first(_ index: Int) throws -> [String: Any] {
        try #require(
          ((documents[index]["segments"] ?? documents[index]["hits"]) as? [[String: Any]])?.first)
      }
      let plain = try first(0)
      #expect(plain["words"] == nil)
      #expect(plain["link"] == nil)
      let all = try first(1)
      let words = try #require(all["words"] as? [[String: Any]])
      #expect(words.map { $0["confidence"] as? Double } == [0.9, 0.9, 0.9, 0.9])
      #expect(
        (all["alternatives"] as? [[String: Any]])?.first?["text"] as? String == "play the winner variation")
      #expect((all["selection"] as? [String: Any])?["rule"] as? String == "recognizer")
      let normalized = try #require(all["normalized"] as? [String: Any])
      #expect((normalized["text"] as? String)?.contains("Winawer") == true)
      let place = try #require((normalized["places"] as? [[String: Any]])?.first)
      #expect(place["term"] as? String == "Winawer")
      #expect((all["link"] as? String)?.hasSuffix("/#/session/\(id)/0") == true)
      #expect((try first(2)["words"] as? [Any])?.count == 4)
      #expect(Self.failure(documents[3]).contains("'words', 'alternatives', 'normalized'"))
    }

    @Test func promptsAndTitlesAreForPeople() async throws {
      let id = try add("a talk about work")
      try library.store.rename(id, to: "meeting")
      let answers = try await answers(to: [
        ("prompt:summarize_with_quotes", ["session": "meeting"]), ("prompt:decisions_and_tasks", [:]),
        ("prompt:check_text", ["text": "He said \"work\"."]), ("prompt:check_text", ["text": " "]),
        ("prompt:summarize_with_quotes", ["session": "nothing"]), ("prompt:nothing", [:]),
      ])
      let prompts = answers["prompts"] as? [[String: Any]] ?? []
      #expect(
        prompts.map { $0["name"] as? String } == [
          "summarize_with_quotes", "decisions_and_tasks", "check_text",
        ])
      for prompt in prompts { #expect((prompt["title"] as? String)?.isEmpty == false) }
      let calls = try #require(answers["calls"] as? [[String: Any]])
      func text(_ index: Int) -> String {
        let message = (calls[index]["messages"] as? [[String: Any]])?.first
        return (message?["content"] as? [String: Any])?["text"] as? String ?? ""
      }
      for index in 0...1 {
        #expect(text(index).contains(id))
        #expect(text(index).contains("check_quotes"))
        #expect(text(index).contains("key of the segment"))
      }
      #expect(text(2).hasSuffix("He said \"work\"."))
      for index in 3...5 { #expect(calls[index]["refused"] != nil) }
      for tool in answers["tools"] as? [[String: Any]] ?? [] {
        #expect((tool["title"] as? String)?.isEmpty == false)
        #expect((tool["annotations"] as? [String: Any])?["title"] as? String == tool["title"] as? String)
      }
      #expect((answers["resources"] as? [[String: Any]])?.first?["title"] as? String == "meeting")
    }

    @Test func linksHaveTheAddressThatServes() async throws {
      let id = try add("a talk about work")
      func link(_ options: String...) async throws -> String {
        let result = try await LonghandProcess(
          ["mcp"] + options,
          input: .bytes(Data("\(Self.call(1, "list_sessions", #"{"links": "true"}"#))\n".utf8)),
          environment: environment
        ).result()
        return result.output.split { "\"\\".contains($0) }.first { $0.hasPrefix("http") }.map(String.init)
          ?? result.output
      }
      #expect(try await link() == "http://127.0.0.1:8765/#/session/\(id)")
      let server = try await ServeProcess(in: folder)
      #expect(try await link() == "http://127.0.0.1:\(server.port)/#/session/\(id)")
      #expect(try await link("--page", "https://example.org/") == "https://example.org/#/session/\(id)")
      server.process.send(SIGKILL)
      _ = try await server.process.result()
      #expect(try await link() == "http://127.0.0.1:8765/#/session/\(id)")
    }

    @Test func fileIsTranscribedAndNothingKept() async throws {
      let answers = try await answers(
        to: [
          ("transcribe", ["path": Recordings.short, "language": "en-US", "include": "words"]),
          ("transcribe", ["path": "talk.wav"]), ("transcribe", ["path": "/dev/zero"]),
          ("transcribe", ["path": Recordings.short, "language": "en US"]),
          ("transcribe", ["path": Recordings.short, "speakers": "many"]),
          ("transcribe", ["path": Recordings.short, "vocabulary": "nothing"]),
          ("transcribe", ["path": Recordings.short, "language": "en-US", "segment": 1]),
        ], "--allow-changes")
      let documents = Self.documents(answers)
      let segments = documents[0]["segments"] as? [[String: Any]] ?? []
      let text = segments.compactMap { $0["text"] as? String }.joined(separator: " ")
      #expect(try Recordings.errorRate(text, of: Recordings.short) < 0.3)
      #expect((segments.first?["words"] as? [Any])?.isEmpty == false)
      for document in documents[1...5] { #expect(document["isError"] as? Bool == true, "\(document)") }
      #expect((documents[6]["segments"] as? [Any])?.count == segments.count - 1)
      #expect(try library.store.sessions().isEmpty)
      let names = (answers["tools"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
      #expect(names.contains("transcribe"))
    }

    @Test func importTakesLanguageWordsSpeakersAndName() async throws {
      let documents = Self.documents(
        try await answers(
          to: [
            (
              "import",
              [
                "path": Recordings.short, "language": "en-US", "words": ["Dashwood"], "speakers": 1,
                "name": "novel",
              ]
            ),
            ("import", ["path": Recordings.short, "language": "xx-XX"]),
            ("import", ["path": Recordings.short, "vocabulary": "nothing"]),
            ("import", ["path": Recordings.short, "model": "nothing"]),
          ], "--allow-changes"))
      #expect(documents[0]["locale"] as? String == "en-US")
      #expect(documents[0]["name"] as? String == "novel")
      for document in documents[1...] { #expect(document["isError"] as? Bool == true, "\(document)") }
      let session = try #require(try library.store.sessions().first)
      #expect(try library.store.sessions().count == 1)
      #expect(try library.store.speakers(of: session.id).named.count == 1)
    }
  }
#endif
