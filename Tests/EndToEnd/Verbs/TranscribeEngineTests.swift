import Foundation
import TestSupport
import Testing

extension RecognizerTests {
  /// The engines that `transcribe` may listen with.
  @Suite struct TranscribeEngineTests {
    private func document(_ engine: String...) async throws -> TranscriptDocument {
      let result = try await LonghandProcess(["transcribe", "--json"] + engine + [Recordings.long]).result()
      #expect(result.status == 0)
      return try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
    }

    @Test func theAnalyzerIsTheDefaultAndHearsWhatTasksHear() async throws {
      let document = try await document()
      #expect(document.engine == "analyzer")
      let rolling = try await self.document("--engine", "rolling")
      #expect(rolling.engine == "rolling")
      #expect(rolling.segments.map(\.text) == document.segments.map(\.text))
      #expect(rolling.segments.map(\.start) == document.segments.map(\.start))
    }

    /// Of this woman's voice PocketSphinx gets a word wrong unless the frequencies are divided by what the pitch says.
    @Test(.recognizer(.pocketSphinx)) func highVoiceIsRecognizedByItsPitch() async throws {
      let folder = try TemporaryFolder()
      let sentence = "please send the letter to my brother before the end of the month"
      let spoken = try await LonghandProcess.shell(
        "flite -voice slt -t '\(sentence)' '\(folder.path("a.wav"))'")
      try #require(spoken.status == 0)
      let result = try await LonghandProcess.run("transcribe", "--style", "words", folder.path("a.wav"))
      #expect(result.output == sentence + "\n")
    }

    /// Flite says the mark; the recognizer writes it or its name.
    @Test func spokenMarksAreWrittenOnRequest() async throws {
      let folder = try TemporaryFolder()
      let spoken = try await LonghandProcess.shell(
        "flite -voice slt -t 'we have time and we have money period' '\(folder.path("a.wav"))'")
      try #require(spoken.status == 0)
      func text(_ options: String...) async throws -> String {
        let result = try await LonghandProcess(
          ["transcribe", "--style", "words"] + options + [folder.path("a.wav")]
        ).result()
        #expect(result.status == 0)
        return result.output
      }
      let plain = try await text()
      #expect(plain == "We have time and we have money period.\n")
      for options in [["--engine", "analyzer"], ["--engine", "rolling", "--task-hint", "dictation"]] {
        let arguments =
          ["transcribe", "--style", "words", "--punctuation"] + options + [folder.path("a.wav")]
        let written = try await LonghandProcess(arguments).result().output
        #expect(written == "We have time and we have money.\n", "\(options)")
      }
      let rolling = try await text("--engine", "rolling", "--punctuation")
      #expect(rolling.hasPrefix("We have time and we have money period"), "\(rolling)")
      let bad = try await LonghandProcess.run("transcribe", "--task-hint", "song", folder.path("a.wav"))
      #expect(bad.status == 2)
    }

    /// Flite says a word that PocketSphinx does not know.
    @Test(.recognizer(.pocketSphinx)) func wordsOfTheContextAreRecognized() async throws {
      let folder = try TemporaryFolder()
      let spoken = try await LonghandProcess.shell(
        "flite -voice awb -t 'we use kubernetes on friday' '\(folder.path("a.wav"))'")
      try #require(spoken.status == 0)
      func text(_ options: String...) async throws -> String {
        try await LonghandProcess(["transcribe"] + options + [folder.path("a.wav")]).result().output
      }
      #expect(try await text("--context", "Kubernetes, GraphQL").contains("Kubernetes"))
      #expect(try await !text().lowercased().contains("kubernetes"))
    }

    @Test func silenceOptionsAreUsedAndKept() async throws {
      let folder = try TemporaryFolder()
      let variables = ["LONGHAND_LIBRARY": folder.path("library")]
      let result = try await LonghandProcess.run(
        "import", "--engine", "rolling", "--silence-threshold", "-45.5", "--silence-duration", "2",
        Recordings.long,
        environment: variables)
      #expect(result.status == 0)
      let manifest = try await LonghandProcess.shell("cat '\(folder.path("library"))'/*/*/manifest.json")
      #expect(manifest.output.contains("\"threshold\" : -45.5"), "\(manifest.output)\(manifest.errors)")
      #expect(manifest.output.contains("\"duration\" : 2"))
      for (option, value) in [("--silence-threshold", "loud"), ("--silence-duration", "60")] {
        let bad = try await LonghandProcess.run("transcribe", option, value, Recordings.long)
        #expect(bad.status == 2)
        #expect(bad.errors.contains("The option \(option) takes a number from"))
      }
    }

    private struct Voices: Decodable {
      struct Voice: Decodable, Equatable {
        var speakingRate: Double
        var averagePause: Double
        var pitch: Double
        var voicing: Double
      }
      struct Segment: Decodable { var voice: Voice? }
      var voice: Voice?
      var segments: [Segment]
    }

    @Test func voiceAnalyticsAreInJSONOnRequest() async throws {
      let folder = try TemporaryFolder()
      let variables = ["LONGHAND_LIBRARY": folder.path("library")]
      func voices(_ arguments: String...) async throws -> Voices {
        let result = try await LonghandProcess(arguments, environment: variables).result()
        #expect(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Voices.self, from: Data(result.output.utf8))
      }
      let plain = try await voices("transcribe", "--json", Recordings.short)
      #expect(plain.voice == nil)
      let asked = try await voices("transcribe", "--json", "--voice-analytics", Recordings.short)
      let voice = try #require(asked.voice)
      #expect(asked.segments.allSatisfy { $0.voice != nil })
      // A person who reads aloud.
      #expect(80...300 ~= voice.speakingRate)
      #expect(75...350 ~= voice.pitch)
      #expect(0.2...0.95 ~= voice.voicing)

      #expect(
        try await LonghandProcess(["import", Recordings.short], environment: variables).result().status == 0)
      let exported = try await voices("export", "last", "--json", "--voice-analytics")
      #expect(exported.voice?.speakingRate == voice.speakingRate)
      #expect(abs((exported.voice?.pitch ?? 0) - voice.pitch) < 2)
      let refused = try await LonghandProcess.run("transcribe", "--voice-analytics", Recordings.short)
      #expect(refused.status == 2)
      #expect(refused.errors.contains("--voice-analytics needs the format json"))
    }

    /// Twelve seconds of a melody, as 16-bit samples at 16 kHz.
    private var melody: Data {
      let notes = [262.0, 330, 392, 330, 294, 349, 440, 349]
      var phase = 0.0
      var samples = Data()
      for index in 0..<12 * 16_000 {
        let time = Double(index) / 16_000
        phase += 2 * .pi * notes[Int(time * 2) % notes.count] / 16_000
        let decay = exp(-2 * (time * 2).truncatingRemainder(dividingBy: 1))
        let sum = (1...10).reduce(0) { $0 + sin(Double($1) * phase) / Double($1) }
        withUnsafeBytes(of: Int16(6000 * decay * sum).littleEndian) { samples += $0 }
      }
      return samples
    }

    @Test func musicHoldsNoWords() async throws {
      let arguments = ["transcribe", "-", "--raw", "s16le:16000:1"]
      let result = try await LonghandProcess(arguments, input: .bytes(melody)).result()
      #expect(result.status == 0)
      #expect(result.output.isEmpty)
      guard isSoak else { return }
      // The recognizer alone writes some: that is what the detector is for.
      let alone = try await LonghandProcess(arguments + ["--engine", "rolling"], input: .bytes(melody))
        .result()
      #expect(!alone.output.isEmpty)
    }
  }
}
