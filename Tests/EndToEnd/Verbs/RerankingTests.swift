import Foundation
import TestSupport
import Testing

extension LongRecognizerTests {
  /// What a language model may do to a transcript: choose among readings, and nothing else.
  @Suite(.recognizer(.pocketSphinx)) struct RerankingTests {
    private struct Document: Decodable {
      struct Segment: Decodable {
        struct Selection: Decodable, Equatable {
          var index: Int
          var rule: String
          var judgement: String?
        }
        struct Alternative: Decodable { var text: String }
        var text: String
        var selection: Selection
        var alternatives: [Alternative]
      }
      struct Normalized: Decodable {
        var text: String
        var by: String
      }
      var text: String
      var segments: [Segment]
      var normalized: Normalized?
    }

    private func json(_ arguments: String..., environment: [String: String] = [:]) async throws -> Document {
      let result = try await LonghandProcess(
        ["transcribe", "--json", Recordings.short] + arguments, environment: environment
      ).result()
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      return try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
    }

    /// A recognizer whose alternatives are likelier, word by word, than its first text: only then is a server asked.
    private static let doubtful = LonghandProcess.faultyService(pieces: "0")
      .merging(["SPEECH_FAULTY_WAY": "doubt"]) { $1 }

    /// What a server may do instead of naming a reading, and what is noted of it.
    private static let faults: [(name: String, answer: @Sendable () throws -> String, judgement: String)] = [
      ("a lie about the index", { try ModelServer.text(#"{"number": 99}"#) }, "failed"),
      ("half an answer", { try ModelServer.text(#"{"num"#) }, "failed"),
      ("no JSON", { try ModelServer.text("The second, I think.") }, "failed"),
      ("a death in mid-answer", { try ModelServer.text(#"{"numb"#, end: "die") }, "failed"),
      ("silence", { try ModelServer.text("{", end: "hang") }, "timed-out"),
      ("an error", { #"{"status": 500, "body": "{}"}"# }, "failed"),
      (
        "a refusal",
        {
          #"{"events": ["{\"choices\": [{\"index\": 0, \"delta\": {\"refusal\": \"no\"}}]}"#
            + #"", "{\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}"]}"#
        }, "refused"
      ),
    ]

    @Test func whateverAServerDoesTheTranscriptIsTheRecognizers() async throws {
      let plain = try await LonghandProcess.run(
        "transcribe", "--style", "words", "--reranking", "disabled", Recordings.short)
      for fault in Self.faults {
        let server = try await ModelServer(try fault.answer())
        let document = try await json(environment: server.environment.merging(Self.doubtful) { $1 })
        #expect(document.text + "\n" == plain.output, "\(fault.name)")
        #expect(server.questions > 0, "\(fault.name): the server got no question")
        let selection = document.segments[0].selection
        // Beside many other tests any answer may come too late.
        #expect(selection.index == 0, "\(fault.name)")
        #expect(selection.rule == "recognizer", "\(fault.name)")
        #expect([fault.judgement, "timed-out"].contains(selection.judgement), "\(fault.name)")
      }
      // No server listens there any more.
      let gone = try await LonghandProcess.run(
        "transcribe", "--style", "words", Recordings.short,
        environment: ["FOUNDATION_MODEL_ENDPOINT": "http://127.0.0.1:9/v1"])
      #expect(gone.output == plain.output)
      #expect(gone.status == 0)
    }

    /// The negative control: a usable answer changes the choice, to a reading that the recognizer offered.
    @Test func choiceOfTheServerIsUsed() async throws {
      let server = try await ModelServer(try ModelServer.text(#"{"number": 1}"#))
      let environment = server.environment.merging(Self.doubtful) { $1 }
      var chosen = try await json(environment: environment).segments[0]
      for _ in 0..<5 where chosen.selection.judgement == "timed-out" {
        chosen = try await json(environment: environment).segments[0]
      }
      #expect(chosen.selection == .init(index: 1, rule: "language-model", judgement: "answered"))
      #expect(chosen.text == chosen.alternatives[1].text)
      #expect(chosen.text != chosen.alternatives[0].text)
      #expect(server.roles == ["system", "user"])
      // If it is switched off, the server gets no question.
      let asked = server.questions
      let plain = try await json("--reranking", "disabled", environment: environment).segments[0]
      #expect(plain.selection == .init(index: 0, rule: "recognizer"))
      #expect(server.questions == asked)
    }

    @Test func electionsAreLoggedOnRequest() async throws {
      let plain = try await LonghandProcess.run("transcribe", Recordings.short)
      #expect(plain.errors.isEmpty)
      for policy in ["conservative", "disabled"] {
        let logged = try await LonghandProcess.run(
          "transcribe", Recordings.short, "--log", "elections", "--reranking", policy)
        #expect(logged.status == 0)
        #expect(logged.errorLines.count == plain.outputLines.count)
        #expect(logged.errors.hasPrefix("longhand: election at 00:00:0"))
      }
      let unknown = try await LonghandProcess.run("transcribe", Recordings.short, "--log", "all")
      #expect(unknown.status == 2)
      #expect(unknown.errors.contains("--log elections"))
    }

    @Test func aChoiceIsExplainedAndUndone() async throws {
      let folder = try TemporaryFolder()
      let server = try await ModelServer(try ModelServer.text(#"{"number": 1}"#))
      var environment = server.environment.merging(Self.doubtful) { $1 }
      environment["LONGHAND_LIBRARY"] = folder.path("library")
      func run(_ arguments: String...) async throws -> LonghandProcess.Result {
        try await LonghandProcess(arguments, environment: ["LONGHAND_LIBRARY": folder.path("library")])
          .result()
      }
      var explained: [String] = []
      for _ in 0..<5 where explained.first?.contains("answered") != true {
        let imported = try await LonghandProcess(["import", Recordings.short], environment: environment)
          .result()
        #expect(imported.status == 0)
        explained = try await run("explain", "last").outputLines
      }
      #expect(explained.first?.hasSuffix("by language-model, language model: answered") == true)
      #expect(explained.contains { $0.hasPrefix("  * 1  ") })
      #expect(explained.contains { $0.hasPrefix("    0  ") })
      let before = try await run("show", "last").output
      let undone = try await run("explain", "last", "0", "--undo")
      #expect(undone.outputLines.contains { $0.hasSuffix("by user, revision 1 (chosen by the user)") })
      let after = try await run("show", "last").output
      #expect(before != after)
      #expect(
        (try await run(
          "search", String(after.split(separator: " ").last ?? "").trimmingCharacters(in: .newlines)
        ).output.isEmpty) == false)
      // Existing text is not written again.
      _ = try await run("explain", "last", "0", "--undo")
      #expect(try await run("explain", "last", "0").output == undone.output)
      #expect(try await run("explain", "last", "99").status == 1)
      #expect(try await run("explain", "last", "0", "--choose", "999").status == 1)
      #expect(try await run("explain", "last", "--undo").status == 2)
    }

    /// A person chooses one word: the text becomes a candidate of its own that says what it is composed of.
    @Test func aWordIsReplacedByAnotherCandidates() async throws {
      let folder = try TemporaryFolder()
      func run(_ arguments: String...) async throws -> LonghandProcess.Result {
        try await LonghandProcess(arguments, environment: ["LONGHAND_LIBRARY": folder.path("library")])
          .result()
      }
      #expect(try await run("import", Recordings.short).status == 0)
      let segments = try JSONDecoder().decode(
        Words.self, from: Data(try await run("export", "last", "--format", "json").output.utf8)
      ).segments
      let segment = try #require(segments.firstIndex { $0.words.contains { $0.alternatives != nil } })
      let word = try #require(segments[segment].words.firstIndex { $0.alternatives != nil })
      let alternatives = segments[segment].words[word].alternatives ?? []
      let wanted = alternatives.first?.text ?? ""
      let listed = try await run("explain", "last", "\(segment)", "--word", "\(word)").outputLines
      #expect(listed.count == alternatives.count + 2)
      #expect(listed[1].hasSuffix("  \(segments[segment].words[word].text)"))
      #expect(listed[2].contains("  \(wanted.isEmpty ? "(no word)" : wanted)"))

      let chosen = try await run("explain", "last", "\(segment)", "--word", "\(word)", "--choose", "1")
      #expect(chosen.status == 0)
      let text = try JSONDecoder().decode(
        Words.self, from: Data(try await run("export", "last", "--format", "json").output.utf8)
      ).segments[segment].text
      #expect(text != segments[segment].text)
      #expect(wanted.isEmpty || text.contains(wanted))
      #expect(try await run("explain", "last", "\(segment)", "--undo").status == 0)
      let missing = try await run("explain", "last", "\(segment)", "--word", "\(word)", "--choose", "99")
      #expect(missing.status == 1)
      #expect(missing.errors.contains("no alternative 99"))
      #expect(try await run("explain", "last", "\(segment)", "--word", "999").status == 1)
      #expect(try await run("explain", "last", "--word", "0").status == 2)
      #expect(try await run("explain", "last", "0", "--word", "0", "--choose", "0").status == 2)
    }

    private struct Words: Decodable {
      struct Word: Decodable {
        struct Alternative: Decodable { var text: String }
        var text: String
        var alternatives: [Alternative]?
      }
      struct Segment: Decodable {
        var text: String
        var words: [Word]
      }
      var segments: [Segment]
    }

    private struct Normalized: Decodable {
      struct Text: Decodable {
        var text: String
        var extractedTerms: [String]
      }
      var normalized: Text
    }

    @Test func theNormalizedTextStandsBesideTheTranscriptWhereItIsAskedFor() async throws {
      let folder = try TemporaryFolder()
      let vocabulary = try folder.write(
        #"{name: "novel", corrections: [{heard: "young man", text: "Young Man"}], entities: ["Young Man"]}"#,
        to: "novel.json5")
      let environment = ["LONGHAND_LIBRARY": folder.path("library")]
      func run(_ arguments: String...) async throws -> LonghandProcess.Result {
        try await LonghandProcess(arguments, environment: environment).result()
      }
      #expect(try await run("import", Recordings.short).status == 0)
      let plain = try await run("export", "last").output
      let both = try await run("export", "last", "--normalize", "--vocabulary", vocabulary).output
      #expect(!plain.contains("Young Man"))
      #expect(plain.contains("young man"))
      #expect(both.hasPrefix(plain + "\n[normalized by vocabulary]\n"))
      #expect(both.contains("Young Man"))
      let document = try await json("--normalize", "--vocabulary", vocabulary)
      #expect(document.segments[0].text.contains("young man"))
      #expect(document.normalized?.text.contains("Young Man") == true)
      #expect(document.normalized?.by == "vocabulary")
      #expect(try await json().normalized == nil)
      // The names of a database, with their IDs.
      let names = try folder.write("7|Young Man\n", to: "names.txt")
      let found = try await LonghandProcess.run("transcribe", "--json", "--entities", names, Recordings.short)
      #expect(found.output.contains(#""by": "exactMatch", "id": "7""#), "\(found.output)")
      #expect(try await run("export", "last", "--srt", "--normalize", "--vocabulary", vocabulary).status == 2)
      #expect(try await run("export", "last", "--normalize").status == 2)
      #expect(try await run("export", "last", "--vocabulary", vocabulary).status == 2)
      // Declared corrections are kept with every answer of a model: what was recognized, a text without names, or another text.
      let recognized = document.segments.map(\.text).joined(separator: " ")
      let declared = document.normalized?.text ?? ""
      for (text, terms) in [(recognized, "young man"), (declared, ""), ("He was rich.", "Riches")] {
        let answer =
          #"{"normalizedText": "\#(text)", "extractedTerms": [\#(terms.isEmpty ? "" : "\"\(terms)\"")]}"#
        let server = try await ModelServer(try ModelServer.text(answer))
        let guarded = try await LonghandProcess(
          ["export", "last", "--json", "--normalize", "--vocabulary", vocabulary],
          environment: environment.merging(server.environment) { $1 }
        ).result()
        #expect(server.questions == 1)
        let normalized = try JSONDecoder().decode(Normalized.self, from: Data(guarded.output.utf8)).normalized
        #expect(normalized.text == declared, "\(text)")
        #expect(normalized.extractedTerms == ["Young Man"], "\(text)")
      }
    }
  }
}
