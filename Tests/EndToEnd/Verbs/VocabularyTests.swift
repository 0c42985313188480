import Foundation
import TestSupport
import Testing

extension LongRecognizerTests {
  /// Vocabulary files on the command line.
  @Suite struct VocabularyTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["XDG_CACHE_HOME": folder.path("cache")] }

    init() throws {
      folder = try TemporaryFolder()
      try folder.write(
        """
        {
          name: "chess",
          terms: [{text: "Winawer", pronunciations: ["w I n aU @r"]}, {text: "zugzwang"}],
          phrases: [{text: "play the Winawer variation", count: 10}, {text: "play the Albin counter gambit", count: 10}],
        }
        """, to: "chess.json5")
    }

    private func speak(_ text: String, to name: String) async throws {
      let result = try await LonghandProcess.shell("flite -voice slt -t '\(text)' '\(folder.path(name))'")
      try #require(result.status == 0)
    }

    @Test func aVocabularyIsHeardAndStampedOnTheTranscript() async throws {
      try await speak("I will play the Albin counter gambit", to: "a.wav")
      let (file, sound) = (folder.path("chess.json5"), folder.path("a.wav"))
      let without = try await LonghandProcess.run("transcribe", sound)
      #expect(without.status == 0)
      #expect(!without.output.lowercased().contains("albin"))
      for _ in 0..<2 {
        let with = try await LonghandProcess.run(
          "transcribe", "--vocabulary", file, sound, environment: environment)
        #expect(with.status == 0)
        #expect(with.output == "I will play the Albin counter gambit.\n")
        #expect(with.errors.isEmpty)
      }
      let compiled = try await LonghandProcess.run("vocabulary", "compile", file, "-o", folder.path("out"))
      #expect(compiled.status == 0)
      #expect(compiled.output.isEmpty)
      #expect(compiled.errors.isEmpty)
      for engine in ["analyzer", "rolling"] {
        let json = try await LonghandProcess.run(
          "transcribe", "--json", "--engine", engine, "--language-model", folder.path("out"), sound)
        let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(json.output.utf8))
        #expect(document.segments.map(\.text) == ["I will play the Albin counter gambit."])
        let digest = try await LonghandProcess.shell("sha256sum '\(file)'").output.prefix(64)
        #expect(json.output.contains("\"vocabulary\": {\"name\": \"chess\", \"sha256\": \"\(digest)\"}"))
      }
    }

    /// The second text with the names of the vocabulary is kept with the session, and the names are found by it.
    @Test func namesOfTheVocabularyAreKeptAndFound() async throws {
      try await speak("I will play the counter gambit", to: "a.wav")
      try folder.write(
        #"{name: "chess", corrections: [{heard: "i will", text: "I shall"}], entities: ["Gambit"]}"#,
        to: "names.json5")
      let variables = environment.merging(["LONGHAND_LIBRARY": folder.path("library")]) { $1 }
      func run(_ arguments: String...) async throws -> LonghandProcess.Result {
        try await LonghandProcess(arguments, environment: variables).result()
      }
      #expect(try await run("import", folder.path("a.wav")).status == 0)
      let without = try await run("show", "last", "--normalize")
      #expect(without.status == 1)
      #expect(without.errors.contains("retranscribe"))
      #expect(try await run("retranscribe", "last", "--vocabulary", folder.path("names.json5")).status == 0)
      #expect(try await run("terms").output == "1\tGambit\n")
      #expect(try await run("terms", "last").output == "1\tGambit\n")
      let places = try await run("terms", "last", "--json").output
      #expect(places.contains(#""segment":0"#))
      #expect(places.contains(#""count":1"#))
      let second = try await run("show", "last", "--normalize").output
      #expect(second.contains("normalized: I shall play the "), "\(second)")
      for verb in ["show", "export"] {
        let alone = try await run(verb, "last", "--only-normalized").output
        #expect(alone.contains("I shall play the ") && !alone.contains("will"), "\(alone)")
      }
      #expect(try await run("search", "--only-normalized", "shall").status == 0)
      #expect(try await run("search", "--only-normalized", "will").status == 1)
      let found = try await run("search", "--term", "gambit")
      #expect(found.status == 0)
      #expect(found.output.split(separator: "\n").count == 1)
      #expect(try await run("search", "--term", "counter").status == 1)
      let export = try await run("export", "last", "--normalize", "--format", "json").output
      #expect(export.contains(#""extractedTerms": ["Gambit"]"#))
      #expect(export.contains(#""places": [{"term": "Gambit", "segment": 0, "key": 0, "start": "#))
      let line =
        "\(LonghandProcess.executable.path) record -q --from - --format jsonl "
        + "--vocabulary '\(folder.path("names.json5"))' < '\(folder.path("a.wav"))'"
      let live = try await LonghandProcess.shell(line, environment: variables)
      #expect(live.output.contains(#""normalized": "I shall play the "#))
      #expect(try await run("terms").output == "2\tGambit\n")
      #expect(try await run("delete", "last").status == 0)
      #expect(try await run("terms").output == "1\tGambit\n")
    }

    /// The data as `SFCustomLanguageModelData` exports it, and the files that `prepareCustomLanguageModel` makes of it under
    /// names of the program's own.
    @Test func modelsOfOtherProgramsAreUsed() async throws {
      try await speak("I will play the Albin counter gambit", to: "a.wav")
      let sound = folder.path("a.wav")
      let compiled = try await LonghandProcess.run(
        "vocabulary", "compile", folder.path("chess.json5"), "-o", folder.path("out"))
      #expect(compiled.status == 0)
      try FileManager.default.createDirectory(
        atPath: folder.path("app"), withIntermediateDirectories: false)
      for (from, to) in [("language-model", "LM"), ("pronunciations", "Vocab")] {
        try FileManager.default.moveItem(atPath: folder.path("out/\(from)"), toPath: folder.path("app/\(to)"))
      }
      try FileManager.default.moveItem(
        atPath: folder.path("out/data.bin"), toPath: folder.path("training.bin"))
      for path in ["app", "training.bin", "training.bin"] {
        let result = try await LonghandProcess.run(
          "transcribe", "--language-model", folder.path(path), sound, environment: environment)
        #expect(result.errors.isEmpty)
        #expect(result.output == "I will play the Albin counter gambit.\n", "\(path)")
      }
      try folder.write("PK and nothing else", to: "bad.bin")
      let bad = try await LonghandProcess.run(
        "transcribe", "--language-model", folder.path("bad.bin"), sound, environment: environment)
      #expect(bad.status == 1)
      #expect(bad.errorLines.count == 1)
      #expect(bad.errors.contains("bad.bin"))
    }

    @Test func failedCompilationKeepsTheEarlierModel() async throws {
      let file = folder.path("chess.json5")
      #expect(
        try await LonghandProcess.run("vocabulary", "compile", file, "-o", folder.path("out")).status == 0)
      let before = try await LonghandProcess.shell("cat '\(folder.path("out"))'/*").output
      try folder.write("{name: 'bad', terms: [{text: 'q', pronunciations: ['z zz']}]}", to: "chess.json5")
      let bad = try await LonghandProcess.run("vocabulary", "compile", file, "-o", folder.path("out"))
      #expect(bad.status == 1)
      #expect(bad.errorLines.count == 1)
      #expect(bad.errors.contains("chess.json5"))
      #expect(bad.errors.contains("phoneme 2, \"zz\""))
      #expect(try await LonghandProcess.shell("cat '\(folder.path("out"))'/*").output == before)
      #expect(
        try await LonghandProcess.run("vocabulary", "compile", file, "-o", folder.path("none")).status == 1)
      #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
    }

    @Test func compiledModelIsReadableByItsOwnerOnly() async throws {
      let place = folder.path("open")
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      let compiled = try await LonghandProcess.run(
        "vocabulary", "compile", folder.path("chess.json5"), "-o", place)
      #expect(compiled.status == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: place)
      #expect(names.count == 4)
      for name in names {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(place)/\(name)")
        #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
      }
    }

    /// Whatever keeps a file from being compiled, the check says so, too.
    @Test(arguments: [
      "{name: 'x', locale: 'xx-XX', terms: [{text: 'haus'}]}",
      "{name: 'x', phrases: [{text: '\(String(repeating: "word ", count: 3000))'}]}",
      "{name: 'x', terms: [{text: 'foo\\nbar'}]}",
    ])
    func checkFindsEachMistakeThatCompileRejects(_ content: String) async throws {
      try folder.write(content, to: "bad.json5")
      let file = folder.path("bad.json5")
      let check = try await LonghandProcess.run("vocabulary", "check", file, environment: environment)
      #expect(check.status == 1, "\(check.output)")
      #expect(check.output.contains("mistake: "), "\(check.output)")
      let compiled = try await LonghandProcess.run("vocabulary", "compile", file, "-o", folder.path("out"))
      #expect(compiled.status == 1)
      #expect(compiled.errorLines.count == 1)
      #expect(!compiled.errors.contains(".part"), "a draft's name in a message: \(compiled.errors)")
    }

    @Test func checkReportsRecordingsThatBecomeWorse() async throws {
      try folder.write(#"{name: "good", phrases: [{text: "play the gambit"}]}"#, to: "good.json5")
      try folder.write(#"{name: "odd", terms: [{text: "knight"}]}"#, to: "odd.json5")
      try folder.write(#"{name: "bad", templates: [{text: "<piece>"}]}"#, to: "bad.json5")
      func check(_ name: String, _ more: String...) async throws -> LonghandProcess.Result {
        try await LonghandProcess(
          ["vocabulary", "check", folder.path(name)] + more, environment: environment
        ).result()
      }
      let good = try await check("good.json5")
      #expect(good.status == 0)
      #expect(good.outputLines.prefix(2) == ["No problems.", "Read: 1 phrase."])
      #expect(good.output.contains("pocketsphinx uses: phrases\n"))
      #expect(good.output.contains("sherpa-onnx uses: none of it\n"))
      #expect(good.errors.isEmpty)
      let odd = try await check("odd.json5")
      #expect(odd.status == 0)
      #expect(odd.output.hasPrefix("warning: terms[0].text: \"knight\" sounds much like"))
      let bad = try await check("bad.json5", "--json")
      #expect(bad.status == 1)
      #expect(bad.output.contains(#""severity":"mistake""#))
      // A vocabulary that leaves what is said of something else as it is; and one that is reported as worse.
      try folder.write(
        "\(Recordings.short)\t\(try Recordings.reference(of: Recordings.short))\n", to: "m.tsv")
      let heard = try await check("good.json5", "--audio", folder.path("m.tsv"), "--quiet")
      #expect(heard.status == 0, "\(heard.output)\(heard.errors)")
      #expect(heard.output.hasPrefix("No problems.\n"), "\(heard.output)\(heard.errors)")
      #expect(try await check("good.json5", "--audio", folder.path("none.tsv")).status == 1)
    }

    /// With its pronunciation, "Winawer" is said as it is found; "breakfast" needs no vocabulary.
    @Test func checkSaysWhichSpokenTermsAreFound() async throws {
      try folder.write(
        #"{name: "x", terms: [{text: "Winawer", pronunciations: ["w I n aU @r"]}, {text: "breakfast"}]}"#,
        to: "spoken.json5")
      let quick = try await LonghandProcess.run(
        "vocabulary", "check", folder.path("spoken.json5"), environment: environment)
      let result = try await LonghandProcess.run(
        "vocabulary", "check", "--speak", folder.path("spoken.json5"), environment: environment)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      // What was known before is printed first.
      #expect(
        result.output.hasPrefix(quick.output + "\nSpoken by 4 voices:\nWinawer: found in "),
        "\(result.output)")
      #expect(result.output.contains("\nbreakfast: found in "))
      #expect(result.output.contains("of 2 terms.\n"))
      let json = try await LonghandProcess.run(
        "vocabulary", "check", "--speak", "--json", "--progress", "json", folder.path("spoken.json5"),
        environment: environment)
      let report = try JSONDecoder().decode(SpokenReport.self, from: Data(json.output.utf8))
      #expect(report.findings.isEmpty)
      #expect(report.spoken.map(\.term) == ["Winawer", "breakfast"])
      #expect(report.spoken.map(\.voices) == [4, 4])
      for term in report.spoken {
        #expect(term.found > 0, "\(json.output)")
        #expect((term.found == 4) == (term.foundWithout != nil))
        #expect((term.found == 4) == term.heard.isEmpty)
        #expect((term.found == 4) == (term.remedy == nil))
        #expect(result.output.contains("\(term.term): found in \(term.found) of 4"))
      }
      #expect(json.errorLines.contains { $0.contains(#""input":"Winawer""#) })
    }

    private struct SpokenReport: Decodable {
      struct Term: Decodable {
        var term: String
        var voices: Int
        var found: Int
        var foundWithout: Int?
        var heard: [String]
        var remedy: String?
      }
      var findings: [[String: String]]
      var spoken: [Term]
    }

    @Test func checkWorksWithoutVoices() async throws {
      let file = folder.path("chess.json5")
      let quick = try await LonghandProcess.run("vocabulary", "check", file, environment: environment)
      let variables = environment.merging(["FLITE_PATH": folder.path("none")]) { $1 }
      let result = try await LonghandProcess.run(
        "vocabulary", "check", "--speak", file, environment: variables)
      #expect(result.status == 0)
      #expect(result.output == quick.output)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("apt install flite"))
      try folder.write("{name: 'x', phrases: [{text: 'play the gambit'}]}", to: "phrases.json5")
      let phrases = try await LonghandProcess.run(
        "vocabulary", "check", "--speak", folder.path("phrases.json5"), environment: environment)
      #expect(phrases.status == 0)
      #expect(phrases.errors.contains("in English"))
    }

    @Test func voicesThatFailAreNamed() async throws {
      let variables = environment.merging(["FLITE_PATH": "/bin/false"]) { $1 }
      let result = try await LonghandProcess.run(
        "vocabulary", "check", "--speak", folder.path("chess.json5"), environment: variables)
      #expect(result.status == 1)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("The program flite ended with the status 1."))
    }

    /// A voice that never ends is stopped with the check, and leaves nothing.
    @Test func checkThatSpeaksIsStopped() async throws {
      let temporary = folder.path("temporary")
      try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
      try folder.write("#!/bin/sh\ntouch '\(folder.path("begun"))'\nexec sleep 1000\n", to: "voice")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("voice"))
      let process = try LonghandProcess(
        ["vocabulary", "check", "--speak", folder.path("chess.json5")],
        environment: environment.merging(["FLITE_PATH": folder.path("voice"), "TMPDIR": temporary]) { $1 })
      try #require(await eventually { FileManager.default.fileExists(atPath: folder.path("begun")) })
      process.send(SIGINT)
      let result = try await process.result()
      #expect(result.status == 130)
      #expect(result.output.hasSuffix("Spoken by 4 voices:\n"), "\(result.output)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }

    @Test(arguments: [
      ("vocabulary compile chess.json5", 2, "The option -o is missing."),
      ("vocabulary teach chess.json5 -o x", 2, "no action 'teach'"),
      ("vocabulary list --speak", 2, "The option --speak is only for check."),
      ("vocabulary compile none.json5 -o x", 1, "none.json5: "),
      ("vocabulary compile chess.json5 -o .", 1, "is not a language model"),
      ("transcribe --language-model . a.wav", 1, "no compiled language model"),
      ("transcribe --vocabulary none.json5 a.wav", 1, "none.json5: "),
      ("transcribe --vocabulary a --language-model b a.wav", 2, "cannot be combined"),
      ("transcribe --language-model-weight 0.5 a.wav", 2, "needs a language model"),
      ("transcribe --vocabulary chess.json5 --language-model-weight 2 a.wav", 2, "from 0 to 1"),
    ])
    func mistakesAreNamed(_ line: String, _ status: Int32, _ words: String) async throws {
      let result = try await LonghandProcess.shell(
        "longhand \(line)", environment: environment, in: folder.url)
      #expect(result.status == status)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains(words))
      #expect(result.output.isEmpty)
    }
  }
}
