#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// `audit` with a real recognizer and real recordings.
  @Suite(.tagged(.recognizer, .childProcess)) struct AuditTests {
    private let folder: TemporaryFolder
    private let text: String

    init() async throws {
      folder = try TemporaryFolder()
      text = try await Recordings.transcribed(Recordings.long).output
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("talk.wav"), withDestinationPath: Recordings.long)
    }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(
        arguments, environment: ["LONGHAND_LIBRARY": folder.path("library")], in: folder.url
      ).result(within: .seconds(300))
    }

    @Test func textThatIsRightHasNoFindings() async throws {
      try folder.write(text, to: "a.txt")
      let result = try await run("audit", "a.txt", "talk.wav")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("Nothing is wrong as far as it is heard clearly."), "\(result.output)")
    }

    @Test func mistakesAreFoundAndNothingIsChanged() async throws {
      let words = text.split(whereSeparator: \.isWhitespace)
      try #require(words.count > 20)
      // A sentence is invented, and the end is left out.
      let claimed = "Please subscribe to my channel now. " + words.dropLast(8).joined(separator: " ")
      try folder.write(claimed, to: "a.txt")
      let result = try await run(
        "audit", "a.txt", "talk.wav", "--json", "--html", "a.html", "--apply", "b.txt")
      #expect(result.status == 3, "\(result.errors)")
      #expect(result.output.contains(#""kind": "not-said""#))
      #expect(result.output.contains("Please subscribe to my channel now."))
      #expect(result.output.contains(#""kind": "not-in-text""#))
      #expect(try String(contentsOfFile: folder.path("a.txt"), encoding: .utf8) == claimed)
      #expect(try String(contentsOfFile: folder.path("b.txt"), encoding: .utf8).contains("[not said: "))
      #expect(try String(contentsOfFile: folder.path("a.html"), encoding: .utf8).contains("src=\"talk.wav\""))
      try folder.write(result.output, to: "a.json")
      let program = """
        import json, sys, jsonschema
        schema = json.load(open("Schemas/audit.schema.json"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        document = json.load(open(sys.argv[1]))
        assert list(validator.iter_errors({**document, "states": [{"start": 0, "end": 1, "state": "x"}]}))
        print([e.message[:200] for e in validator.iter_errors(document)])
        """
      try folder.write(program, to: "validate.py")
      let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let checked = try await LonghandProcess.shell(
        "$(Scripts/test-python) '\(folder.path("validate.py"))' '\(folder.path("a.json"))'", in: package)
      #expect(checked.output == "[]\n", "\(checked.errors)")

      // An existing file stays.
      let again = try await run("audit", "a.txt", "talk.wav", "--html", "a.html")
      #expect(again.status == 1)
      #expect(again.errors.contains("already exists"), "\(again.errors)")

      // A session of the library, without recognizing anything again.
      #expect(try await run("import", "-q", "talk.wav").status == 0)
      let session = try await run("audit", "last", "--against", "a.txt")
      #expect(session.status == 3, "\(session.errors)")
      #expect(
        session.output.contains("\"Please subscribe to my channel now.\" is not said"), "\(session.output)")

      // Folders of pairs.
      try folder.write(text, to: "texts/talk.txt")
      try folder.write("Hello.", to: "texts/other.txt")
      try folder.write("", to: "talks/none.txt")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("talks/talk.wav"), withDestinationPath: Recordings.long)
      #expect(try await run("audit", "texts", "talks").status == 0)
    }

    @Test(arguments: [
      (["audit", "a.txt", "none.wav"], "none.wav"), (["audit", "none.txt", "talk.wav"], "none.txt"),
      (["audit", "a.pdf", "talk.wav"], "what kind of text"),
      (["audit", "bad.json", "talk.wav"], "not valid JSON"),
      (["audit", "a.json", "talk.wav", "--apply", "c.json"], "Only txt, srt and vtt"),
      (["audit", "empty.srt", "talk.wav"], "no words"), (["audit", ".", "talk.wav"], "both folders"),
      (["audit", "last", "--against", "a.txt"], "session"), (["audit", "a.txt"], "AUDIO"),
    ]) func mistakesOfTheCommandLineAreNamed(arguments: [String], message: String) async throws {
      for (name, contents) in [
        ("a.txt", "Hello."), ("a.pdf", "x"), ("bad.json", "{"), ("a.json", #"{"text": "Hello."}"#),
        ("empty.srt", "1\n"),
      ] {
        try folder.write(contents, to: name)
      }
      let result = try await LonghandProcess(
        arguments, environment: ["LONGHAND_LIBRARY": folder.path("library")], in: folder.url
      ).result()
      #expect([1, 2].contains(result.status))
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }
#endif
