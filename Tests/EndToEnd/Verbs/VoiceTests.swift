import Foundation
import TestSupport
import Testing

extension StoredSessionTests {
  /// Voices in one channel.
  @Suite struct VoiceTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["LONGHAND_LIBRARY": folder.path("library")] }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, environment: environment, in: folder.url).result()
    }

    /// One recording after another, with half a second between.
    private func writeConversation() throws {
      let first = WaveFile.samples(try Recordings.samples(of: Recordings.paths[4]))
      let second = WaveFile.samples(try Recordings.samples(of: Recordings.short))
      try WaveFile.write([first + [Int16](repeating: 0, count: 8000) + second], to: folder.path("talk.wav"))
    }

    @Test func wordsAreTheSameWithVoices() async throws {
      try writeConversation()
      let plain = try await run("transcribe", "talk.wav", "--format", "ctm")
      #expect(plain.status == 0)
      let labelled = try await run("transcribe", "talk.wav", "--format", "ctm", "--speakers", "2")
      #expect(labelled.output == plain.output)
      #expect(try await run("import", "talk.wav", "--speakers", "2").status == 0)
      #expect(try await run("export", "last", "--format", "ctm").output == plain.output)
      let turns = try await run("export", "last", "--format", "rttm").output
      #expect(turns.contains("Speaker_1"))
      #expect(turns.contains("Speaker_2"))
      #expect(try await run("speakers", "last", "--rename", "Speaker 2=Ben").status == 0)
      #expect(try await run("retranscribe", "last", "--speakers", "2").status == 0)
      #expect(try await run("export", "last", "--format", "rttm").output.contains(" Ben "))
    }

    /// The real networks hear the voices once. What follows runs without them.
    @Test func numberOfVoicesIsCorrectedWithoutHearingThemAgain() async throws {
      var environment = environment
      environment["XDG_DATA_HOME"] = folder.path("data")
      let hearing = environment.merging(try VoiceNetworks.variables(in: folder)) { $1 }
      func run(_ arguments: [String], hears: Bool = false) async throws -> LonghandProcess.Result {
        let own = hears ? hearing : environment
        let result = try await LonghandProcess(arguments, environment: own, in: folder.url).result()
        try #require(result.status == 0, "\(result.errors)")
        return result
      }
      func speakers() async throws -> [String: String] {
        let document = try await run(["export", "last", "--json"]).output
        let found = try JSONDecoder().decode(Document.self, from: Data(document.utf8)).speakers
        return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.engine) })
      }
      let pause = [Int16](repeating: 0, count: 8000)
      let (own, other) = try Recordings.reader()
      try WaveFile.write([own + pause + other + pause + own], to: folder.path("talk.wav"))
      _ = try await run(["import", "talk.wav", "--speakers", "2"], hears: true)
      _ = try await run(["speakers", "last", "--rename", "Speaker 1=Ann"])
      #expect(try await run(["speakers", "last", "--speakers", "1"]).errors.isEmpty)
      #expect(try await speakers() == ["Ann": "sherpa-onnx"])
      #expect(try await run(["speakers", "last", "--speakers", "2"]).errors.isEmpty)
      #expect(try await speakers() == ["Ann": "sherpa-onnx", "Speaker 2": "sherpa-onnx"])
      // One reader cannot be two, and stays one.
      _ = try await run(["import", Recordings.long, "--speakers", "2"], hears: true)
      let shares = try await run(["speakers", "last", "--json"]).output
      #expect(shares.contains(#""unknownWords":0"#), "\(shares)")
      #expect(!shares.contains("voice2"), "\(shares)")
      #expect(try await run(["export", "last", "--json"]).output.contains("number-of-voices-unused"))
      _ = try await run(["delete", "last", "--yes"])
      // A remembered voice must be compared, and what voices sound like is not stored.
      _ = try await run(["speakers", "last", "--speakers", "1"])
      _ = try await run(["speakers", "last", "--remember", "Ann"], hears: true)
      let again = try await run(["speakers", "last", "--speakers", "2"])
      #expect(again.errors.contains("The model 'speakers' is missing"))
    }

    /// Who speaks is guessed while a recording grows, and known at its end.
    @Test func recordingHasGuessedSpeakersUntilItEnds() async throws {
      let environment = environment.merging(try VoiceNetworks.variables(in: folder)) { $1 }
      let (own, other) = try Recordings.reader()
      let sound = (own + other + own).map(\.littleEndian).withUnsafeBytes { Data($0) }
      let input = Pipe()
      let recording = try LonghandProcess(
        ["record", "--from", "-", "--raw", "s16le:16000:1", "--speakers", "2"],
        input: .handle(input.fileHandleForReading), environment: environment, in: folder.url)
      try input.fileHandleForWriting.write(contentsOf: sound)
      func confidences() async throws -> [Double] {
        let listed = try await LonghandProcess(
          ["speakers", "last", "--json"], environment: environment, in: folder.url
        ).result()
        guard listed.status == 0 else { return [] }
        return try JSONDecoder().decode(Shares.self, from: Data(listed.output.utf8)).speakers
          .compactMap(\.confidence)
      }
      var guessed: [Double] = []
      while guessed.count < 2, recording.isRunning {
        // Asking takes the processor from what is asked about.
        try await Task.sleep(for: .milliseconds(500))
        guessed = try await confidences()
      }
      #expect(guessed.count == 2 && guessed.allSatisfy { $0 < 0.8 }, "\(guessed)")
      try input.fileHandleForWriting.close()
      #expect(try await recording.result().status == 0)
      let known = try await confidences()
      #expect(known.count == 2 && known.contains { $0 > 0.8 }, "\(known)")
    }

    private struct Shares: Decodable {
      struct Speaker: Decodable { var confidence: Double? }
      var speakers: [Speaker]
    }

    private struct Document: Decodable {
      struct Speaker: Decodable { var name: String, engine: String }
      var speakers: [Speaker]
    }

    @Test func impossibleNumbersAreErrors() async throws {
      try writeConversation()
      for number in ["0", "31", "many"] {
        #expect(try await run("transcribe", "talk.wav", "--speakers", number).status == 2)
      }
      #expect(
        try await run("transcribe", "talk.wav", "--speakers", "2", "--channels", "separate").status == 2)
      #expect(
        try await run("transcribe", "talk.wav", "--speakers", "2", "--speaker-names", "A,B").status == 2)
    }
  }
}
