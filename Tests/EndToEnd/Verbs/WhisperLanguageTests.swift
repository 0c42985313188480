#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// Languages with real weights: they are detected, they change in a recording, and they are translated.
  @Suite(.tagged(.recognizer, .childProcess)) struct WhisperLanguageTests {
    private static let languages = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Models/languages").standardized
    private let run: WhisperRun
    private var folder: TemporaryFolder { run.folder }

    init() throws { run = try WhisperRun() }

    /// Synthetic speech of espeak-ng: "Vamos a la playa con nuestros amigos."
    @Test func languageIsDetected() async throws {
      let source = try Data(contentsOf: Self.languages.appendingPathComponent("spanish.raw"))
      try Recordings.write(source, to: folder.path("playa.wav"))
      let auto = ["--locale", "auto", "--model", "whisper-base"]
      let result = try await run(
        "transcribe", "--json", auto[0], auto[1], auto[2], auto[3], folder.path("playa.wav"))
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("Vamos a la playa con nuestros amigos."))
      #expect(result.output.contains(#""locale": "es-ES""#))
      #expect(result.output.contains(#""language": "es-ES""#))
      #expect(result.errors.contains("The language was detected: Spanish (es-ES), probability 0.9"))

      // The session keeps it, so that it is not detected again.
      #expect(
        try await run("import", auto[0], auto[1], auto[2], auto[3], folder.path("playa.wav")).status == 0)
      #expect(try await run("sessions", "--json").output.contains(#""locale":"es-ES""#))
      #expect(try await run("export", "last", "--json").output.contains("detected-language"))

      let english = try await run("transcribe", auto[0], auto[1], folder.path("playa.wav"))
      #expect(english.status != 0)
      #expect(english.errors.contains("does not detect languages"))
    }

    /// Without an option, the language is detected; with one, another language is a warning.
    @Test func languageIsEvidence() async throws {
      let base = ["SPEECH_MODEL": "whisper-base"]
      let source = try Data(contentsOf: Self.languages.appendingPathComponent("spanish.raw"))
      let playa = folder.path("playa.wav")
      try Recordings.write(source, to: playa)
      let spanish = try await run("transcribe", "--json", playa, more: base)
      #expect(spanish.output.contains("Vamos a la playa con nuestros amigos."))
      #expect(spanish.output.contains(#""locale": "es-ES""#))
      #expect(spanish.errors.contains("The language was detected: Spanish (es-ES), probability 0.9"))

      let stated = try await run("transcribe", "--json", "--locale", "en-US", playa, more: base)
      #expect(stated.status == 0)
      #expect(stated.output.contains(#""locale": "en-US""#))
      #expect(stated.output.contains(#""code": "other-language""#))
      #expect(stated.errors.contains(" s sounds like Spanish (es-ES), but"), "\(stated.errors)")

      // The user's language is expected, and needs no warning.
      let english = try await run("transcribe", "--json", Recordings.short, more: base)
      #expect(english.output.contains(#""locale": "en-US""#))
      #expect(english.output.contains(#""language": "en-US""#))
      #expect(!english.output.contains("warnings"))
      #expect(english.errors.isEmpty)
      let named = try await run("transcribe", "--json", "--locale", "en-US", Recordings.short, more: base)
      #expect(named.output.replacing(#""language": "en-US", "#, with: "") == named.output)
      #expect(english.output.replacing(#""language": "en-US", "#, with: "") == named.output)

      // A model for English alone detects nothing, and says nothing of it.
      let tiny = try await run("transcribe", "--json", playa)
      #expect(tiny.output.contains(#""locale": "en-US""#))
      #expect(!tiny.output.contains("language\""))
      #expect(tiny.errors.isEmpty)

      // A live recording has the language of the first speech.
      let speech = try LonghandProcess.Input.bytes(Data(contentsOf: URL(fileURLWithPath: playa)))
      let live = try await run("record", "--from", "-", input: speech, more: base)
      #expect(live.output.contains("Vamos a la playa"), "\(live.output) \(live.errors)")
      #expect(try await run("sessions", "--json", more: base).output.contains(#""locale":"es-ES""#))
      let again = try await run("retranscribe", "last", more: base)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try await run("sessions", "--json", more: base).output.contains(#""locale":"es-ES""#))
    }

    /// A second text in English stands beside the transcript, which stays byte for byte as it is.
    @Test func translationIsASecondText() async throws {
      let base = ["SPEECH_MODEL": "whisper-base"]
      let source = try Data(contentsOf: Self.languages.appendingPathComponent("spanish.raw"))
      let playa = folder.path("playa.wav")
      try Recordings.write(source, to: playa)
      let plain = try await run("transcribe", playa, more: base)
      let both = try await run("transcribe", "--translate", "--progress", "json", playa, more: base)
      #expect(both.output.hasPrefix(plain.output))
      let second = both.output.dropFirst(plain.output.count)
      #expect(
        second.hasPrefix("\n[Translated into English by whisper-base, a text of the model and not the words"))
      #expect(second.contains("with our friends"), "\(both.output)")
      let lines = both.errors.split(separator: "\n").filter { $0.contains("\"progress\"") }
      let done = try lines.map { try JSONDecoder().decode(ProgressLine.self, from: Data($0.utf8)) }
      #expect(done.map(\.processed) == done.map(\.processed).sorted())
      #expect(done.last.map { $0.processed == $0.duration } == true)
      // The recognition is half of the work.
      #expect(done.contains { $0.processed <= $0.duration / 2 + 0.01 })
      let captions = try await run("transcribe", "--only-translation", "--format", "srt", playa, more: base)
      #expect(captions.output.hasPrefix("1\n00:00:0"))
      #expect(captions.output.contains("friends"), "\(captions.output)")
      for format in isSoak ? ["md", "json"] : ["json"] {
        let document = try await run("transcribe", "--translate", "--format", format, playa, more: base)
        #expect(
          document.output.contains("playa") && document.output.contains("friends"), "\(document.output)")
      }

      // What is in English stays, and nothing is asked again.
      let english = try await run("transcribe", "--only-translation", Recordings.short, more: base)
      #expect(english.output.contains("young man"), "\(english.output)")

      // In the library.
      #expect(try await run("import", "-q", playa, more: base).status == 0)
      let before = try await run("export", "last", "--format", "json", more: base).output
      let missing = try await run("export", "last", "--translate", more: base)
      #expect(missing.status == 2)
      #expect(missing.errors.contains("longhand translate"))
      #expect(try await run("search", "friends", more: base).status == 1)
      let translated = try await run("translate", "last", more: base)
      #expect(translated.status == 0, "\(translated.errors)")
      #expect(translated.output.contains("friends"))
      #expect(try await run("export", "last", "--format", "json", more: base).output == before)
      #expect(try await run("export", "last", "--translate", more: base).output.contains("friends"))
      #expect(try await run("search", "friends", more: base).output.contains("friends"))
      #expect(try await run("delete", "last", "--yes", more: base).status == 0)
      if isSoak {
        #expect(try await run("import", "-q", "--translate", playa, more: base).status == 0)
        #expect(try await run("export", "last", "--only-translation", more: base).output.contains("friends"))
        #expect(try await run("delete", "last", "--yes", more: base).status == 0)
      }
      #expect(try await run("search", "friends", more: base).status == 1)
      let library = try Data(contentsOf: URL(fileURLWithPath: folder.path("library/transcripts.sqlite")))
      #expect(library.range(of: Data("friends".utf8)) == nil)

      // While it is recorded: each segment's after it, and what is in English is not said twice.
      func record(_ name: String, _ options: String...) async throws -> LonghandProcess.Result {
        let speech = try LonghandProcess.Input.bytes(Data(contentsOf: URL(fileURLWithPath: name)))
        return try await run(["record", "-q", "--from", "-"] + options, input: speech, more: base)
      }
      // What is said live is the text of the file.
      let untranslated = isSoak ? try await record(playa).output : plain.output
      let live = try await record(playa, "--translate")
      #expect(live.status == 0 && live.errors.isEmpty, "\(live.errors)")
      #expect(live.output.hasPrefix(untranslated + "English: "), "\(live.output)")
      #expect(live.output.dropFirst(untranslated.count).contains("with our friends"), "\(live.output)")
      #expect(try await run("export", "last", "--only-translation", more: base).output.contains("friends"))
      let spoken = try await record(Recordings.short, "--translate").output
      #expect(!spoken.isEmpty && !spoken.contains("English:"), "\(spoken)")
      let events = try await record(playa, "--translate", "--format", "jsonl").output
      #expect(events.contains(#""type": "translated", "segment": 0, "start": 0"#), "\(events)")

      // A model for English alone, and a format for one text.
      for verb in [["transcribe", playa], ["record", "--from", "-"]] {
        let refused = try await run(verb + ["--translate"], input: .bytes(source))
        #expect(refused.errors.contains("does not translate"), "\(refused.errors)")
      }
      #expect(try await run("transcribe", "--translate", "--format", "srt", playa).status == 2)
      #expect(try await run("transcribe", "--only-translation", "--format", "json", playa).status == 2)
    }

    private struct ProgressLine: Decodable {
      var processed: Double
      var duration: Double
    }

    /// Writes recordings to a file, each from a second on. Names of paths are read as they are; "1" and "2" are Spanish speech.
    private func write(_ parts: [(start: Double, path: String)], to name: String) async throws -> String {
      let models = Self.languages.path
      var samples = Data()
      for (start, path) in parts {
        var own = try path.hasPrefix("/") ? Recordings.samples(of: path) : Data()
        if own.isEmpty {
          let raw = folder.path("\(path).raw")
          let line =
            "ffmpeg -nostdin -v error -y -i '\(models)/spanish-\(path).ogg' -f s16le -ar 16000 '\(raw)'"
          try #require(try await LonghandProcess.shell(line).status == 0)
          own = try Data(contentsOf: URL(fileURLWithPath: raw))
        }
        samples += Data(count: max(0, Int(start * 16_000) * 2 - samples.count)) + own
      }
      return try Recordings.write(samples + Data(count: 32_000), to: folder.path(name))
    }

    /// English, Spanish from the middle of a window on, and English again. A passage of one window is found, too.
    @Test(.tagged(.soak)) func languageChangesInARecording() async throws {
      let (one, other) = (Recordings.long, Recordings.paths[2])
      let talk = try await write(
        [(0, one), (60, other), (69, "1"), (120, "2"), (180, "1"), (240, one), (300, other)], to: "talk.wav")
      let arguments = ["--locale", "auto", "--model", "whisper-base", talk]
      func run(_ verb: [String], services: Int = 2) async throws -> LonghandProcess.Result {
        try await self.run.process(verb + arguments, more: ["SPEECH_SERVICE_COUNT": "\(services)"])
          .result(within: .seconds(600))
      }
      let result = try await run(["transcribe", "--json"])
      #expect(result.status == 0, "\(result.errors)")
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      for segment in document.segments {
        let isSpanish = (68..<239).contains(segment.start)
        #expect(segment.language == (isSpanish ? "es-ES" : "en-US"), "\(segment.start) \(segment.text)")
      }
      let spanish = document.segments.filter { $0.language == "es-ES" }.map(\.text).joined(separator: " ")
      #expect(spanish.contains("a la playa con nuestros amigos"), "\(spanish)")
      #expect(spanish.contains("llega tarde y por eso esperamos en la estación"), "\(spanish)")
      for (path, range) in [(one, 0.0..<59), (other, 59.0..<68), (one, 239.0..<299), (other, 299.0..<400)] {
        let text = document.segments.filter { range.contains($0.start) }.map(\.text).joined(separator: " ")
        #expect(try Recordings.errorRate(text, of: path) < 0.25, "\(text)")
      }
      #expect(
        result.errors.contains("Several languages are spoken: English (en-US) from "), "\(result.errors)")
      #expect(try await run(["transcribe", "--json"], services: 1).output == result.output)

      let passage = try await write([(0, one), (60, "1"), (120, one), (180, other)], to: "talk.wav")
      #expect(passage == talk)
      let found = try await run(["transcribe", "--json"])
      let all = try JSONDecoder().decode(TranscriptDocument.self, from: Data(found.output.utf8))
      for segment in all.segments {
        let isSpanish = (59..<119).contains(segment.start)
        #expect(segment.language == (isSpanish ? "es-ES" : "en-US"), "\(segment.start) \(segment.text)")
      }
    }

    /// While somebody speaks, the language changes with the utterance that sounds like another one.
    @Test func languageChangesInALiveRecording() async throws {
      let talk = try await write(
        [(0, Recordings.paths[2]), (9, "1"), (45, Recordings.paths[2])], to: "talk.wav")
      let base = ["SPEECH_MODEL": "whisper-base"]
      let speech = try LonghandProcess.Input.bytes(Data(contentsOf: URL(fileURLWithPath: talk)))
      let live = try await run("record", "--from", "-", "--format", "jsonl", input: speech, more: base)
      #expect(live.status == 0, "\(live.errors)")
      let stored = try await run("export", "last", "--json", more: base)
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(stored.output.utf8))
      for segment in document.segments {
        // The first Spanish utterance may be too short to sound like Spanish.
        let isSpanish = (14..<44).contains(segment.start)
        if segment.start < 8 || segment.start > 14 {
          #expect(segment.language == (isSpanish ? "es-ES" : "en-US"), "\(segment.start) \(segment.text)")
        }
      }
      #expect(
        document.segments.contains { $0.text.contains("a la playa con nuestros amigos") }, "\(stored.output)")
      #expect(stored.output.contains("Several languages are spoken: English (en-US) from "))
      #expect(!stored.output.contains("detected-language"))
    }

    /// An import that was killed goes on in the language in which it stopped: what follows is too short to sound like one, so
    /// that the language is not found again.
    @Test(.tagged(.soak)) func languagesAreTheSameAfterAKill() async throws {
      let short = Self.languages.appendingPathComponent("spanish.raw").path
      let parts = [Recordings.long, Recordings.paths[2], "1", short, "1", short, short, short, "1"]
      let talk = try await write(
        parts.enumerated().map { (Double($0.offset) * 60, $0.element) }, to: "talk.wav")
      let model = ["SPEECH_MODEL": "whisper-base"]
      func exported() async throws -> String { try await run("export", "last", "--format", "jsonl").output }
      #expect(try await run("import", "--locale", "auto", talk, more: model).status == 0)
      let expected = try await exported()
      for language in ["en-US", "es-ES"] { #expect(expected.contains(language)) }
      func segments(_ lines: String) -> Int { lines.components(separatedBy: #""type": "final""#).count - 1 }
      // Before the language changes, when there is evidence of another one at most; and when the first short utterance is done.
      for count in [1, 5] {
        _ = try await run("delete", "last", "--yes")
        let process = try run.process(
          ["import", "--locale", "auto", talk], more: model.merging(["SPEECH_SERVICE_COUNT": "1"]) { $1 })
        while process.isRunning, try await segments(exported()) < count {
          try await Task.sleep(for: .milliseconds(100))
        }
        process.send(SIGKILL)
        #expect(try await process.result().status == 128 + SIGKILL)
        #expect(try await exported() != expected)
        #expect(try await run("recover", more: model).status == 0)
        #expect(try await exported() == expected)
        #expect(try await run("export", "last", "--json").output.contains("Several languages are spoken"))
      }
    }

    /// A list has no language, and its words are preferred to others that sound like them.
    @Test(arguments: [
      (["--locale", "es-ES"], "vuestros", "con vuestros amigos"), ([], "vuestros", "con vuestros amigos"),
      (["--locale", "es-ES"], "Zugzwang\nWinawer", "con nuestros amigos"),
    ])
    func listOfWordsIsExpectedInEveryLanguage(
      _ options: [String], _ list: String, _ expected: String
    ) async throws {
      let source = try Data(contentsOf: Self.languages.appendingPathComponent("spanish.raw"))
      try Recordings.write(source, to: folder.path("playa.wav"))
      try folder.write(list, to: "words.txt")
      let arguments = [
        "transcribe", "-q", "--vocabulary", folder.path("words.txt"), folder.path("playa.wav"),
      ]
      let result = try await run(arguments + options, more: ["SPEECH_MODEL": "whisper-base"])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("Vamos a la playa \(expected)."), "\(result.output)")
    }

    /// The search prefers the phrases of a language without a pronunciation dictionary of its own.
    @Test func vocabularyOfAnotherLanguageIsExpectedByItsSpelling() async throws {
      let line = "flite -voice rms -t 'play the winawer variation' '\(folder.path("chess.wav"))'"
      try #require(try await LonghandProcess.shell(line).status == 0)
      func result(_ term: String, locale: String = "en-GB") async throws -> LonghandProcess.Result {
        try folder.write(
          #"{name: "chess", locale: "\#(locale)", terms: [\#(term)], "#
            + #"phrases: [{text: "play the Winawer variation", count: 50}]}"#, to: "chess.json5")
        return try await run(
          "transcribe", "--locale", "en-GB", "--model", "whisper-base", "--vocabulary",
          folder.path("chess.json5"), folder.path("chess.wav"))
      }
      let good = try await result(#"{text: "Winawer"}"#)
      #expect(good.status == 0, "\(good.errors)")
      #expect(good.output.lowercased().contains("winawer variation"), "\(good.output)")
      // A vocabulary of another language, whose pronunciations are not used.
      let pronounced = #"{text: "Winawer", pronunciations: ["w I n aU @r"]}"#
      let american = try await result(pronounced, locale: "en-US")
      #expect(american.output == good.output, "\(american.errors)")
      let refused = try await result(pronounced)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("there is no pronunciation dictionary for en-GB"), "\(refused.errors)")
    }
  }
#endif
