#if os(Linux)
  import Foundation
  import ModelInstallation
  import ModelStorage
  import TestSupport
  import Testing

  @testable import SpeakerDiarization

  /// Voices separated by the toy networks, which know two synthetic voices, in the real process.
  @Suite(.tagged(.childProcess)) final class NeuralDiarizerTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func diarizer(_ toy: ToyModel? = nil, service: String? = nil) throws -> NeuralDiarizer {
      let source = toy?.folder ?? ToyModel.Kind.speakers.original
      let model = try ModelImporter(store: ModelStore(folder: folder)).run(from: source, name: "voices")
      let built = try BuiltModules.folder(having: "SherpaService")
      return NeuralDiarizer(
        model, service: service ?? built.appendingPathComponent("sherpa-service").path)
    }

    private let conversation = SyntheticConversation([.low, .high], seconds: 40, seed: 11)

    /// The share of the speech whose voice is right.
    private func accuracy(_ turns: [VoiceDiarizer.Turn]) -> Double {
      var shared = [[0.0, 0], [0, 0]]
      var total = 0.0
      for (range, voice) in conversation.turns {
        total += range.upperBound - range.lowerBound
        for turn in turns where turn.voice < 2 {
          shared[voice][turn.voice] += max(
            0, min(turn.end, range.upperBound) - max(turn.start, range.lowerBound))
        }
      }
      return max(shared[0][0] + shared[1][1], shared[0][1] + shared[1][0]) / total
    }

    @Test(arguments: [nil, 2] as [Int?]) func voicesAreSeparated(count: Int?) async throws {
      let diarizer = try diarizer()
      try await diarizer.add(conversation.samples)
      let turns = try await diarizer.turns(in: [], voices: count)
      #expect(Set(turns.map(\.voice)) == [0, 1])
      #expect(accuracy(turns) > 0.9)
      #expect(turns.map(\.start) == turns.map(\.start).sorted())
    }

    @Test func voicesSoFarAreAskedForWhileMoreComes() async throws {
      let diarizer = try diarizer()
      let half = conversation.samples.count / 2
      try await diarizer.add(Array(conversation.samples[..<half]))
      let guess = try #require(try await diarizer.turnsSoFar(voices: 2))
      #expect(Set(guess.map(\.voice)) == [0, 1])
      #expect(guess.allSatisfy { $0.end <= Double(half) / 16_000 })
      try await diarizer.add(Array(conversation.samples[half...]))
      #expect(accuracy(try await diarizer.turns(in: [], voices: 2)) > 0.9)
    }

    @Test func oneVoiceIsOneAndNotCertain() async throws {
      let diarizer = try diarizer()
      try await diarizer.add(SyntheticConversation([.low], seconds: 25, seed: 2).samples)
      let found = try await diarizer.found(voices: nil)
      #expect(Set(found.turns.map(\.voice)) == [0])
      #expect(found.turns.allSatisfy { (0.5..<1).contains($0.confidence) })
      #expect(found.prints.map(\.values.count) == [32])
    }

    @Test func silenceAndNoAudioHaveNoTurns() async throws {
      let silent = try diarizer()
      #expect(try await silent.turns(in: [], voices: nil).isEmpty)
      try FileManager.default.removeItem(at: folder)
      let diarizer = try diarizer()
      try await diarizer.add([Int16](repeating: 0, count: 48_000))
      #expect(try await diarizer.turns(in: [], voices: nil).isEmpty)
    }

    /// Damaged after it was installed, so that only the process finds it.
    @Test func damagedModelIsAnError() async throws {
      let diarizer = try diarizer()
      let file = folder.appendingPathComponent("voices/embedding.onnx")
      var data = try Data(contentsOf: file)
      data.replaceSubrange(200..<data.count - 2000, with: Data(count: data.count - 2200))
      try data.write(to: file)
      await #expect(throws: NeuralDiarizer.Failure.self) {
        try await diarizer.add(self.conversation.samples)
        return try await diarizer.turns(in: [], voices: nil)
      }
    }

    /// Networks that say of themselves what is not so: the process must end with an error and not read beyond their outputs.
    @Test(arguments: [
      ("segmentation.onnx", ["num_speakers": "4", "num_classes": "11"]),
      ("segmentation.onnx", ["num_speakers": "2", "num_classes": "4"]),
      ("segmentation.onnx", ["window_size": "16000"]), ("embedding.onnx", ["output_dim": "8000"]),
      ("embedding.onnx", ["output_dim": "1"]),
    ]) func networksThatLieAreErrorsOrHarmless(file: String, metadata: [String: String]) async throws {
      let toy = try ToyModel(.speakers)
      try toy.setMetadata(metadata, of: file)
      let diarizer = try diarizer(toy)
      do {
        try await diarizer.add(conversation.samples)
        let turns = try await diarizer.turns(in: [], voices: nil)
        #expect(metadata.keys.contains("window_size"))
        #expect(turns.allSatisfy { $0.end <= Double(self.conversation.samples.count) / 16_000 })
      } catch is NeuralDiarizer.Failure {}
    }

    @Test(arguments: [
      "exit 3", "kill -9 $$", "cat >&-; exec sleep 0", "head -c 100 >/dev/null; echo '[{]' >&0",
      #"head -c 100 >/dev/null; printf '\377\377\377\377{' >&0"#,
      #"head -c 100 >/dev/null; printf '\2\0\0\0{]' >&0"#,
    ])
    func processThatFailsIsAnError(script: String) async throws {
      let service = try ExecutableScript(script)
      let diarizer = try diarizer(service: service.url.path)
      await #expect(throws: NeuralDiarizer.Failure.self) {
        try await diarizer.add(self.conversation.samples)
        return try await diarizer.turns(in: [], voices: nil)
      }
    }

    private static func turn(_ start: Double, _ end: Double, _ voice: Int, _ confidence: String = "0.5")
      -> String
    {
      #"{"start": \#(start), "end": \#(end), "voice": \#(voice), "confidence": \#(confidence)}"#
    }

    private static func answer(
      _ turns: [String], _ prints: [String] = [], others: [[String]] = []
    ) -> String {
      let others = others.map { "[\($0.joined(separator: ","))]" }.joined(separator: ",")
      return #"{"turns": [\#(turns.joined(separator: ","))], "prints": [\#(prints.joined(separator: ","))], "#
        + #""others": [\#(others)]}"#
    }

    private static func print(_ voice: Int, _ values: String, seconds: String = "1") -> String {
      #"{"voice": \#(voice), "seconds": \#(seconds), "values": \#(values)}"#
    }

    @Test(arguments: [
      answer([turn(2, 1, 0)]), answer([turn(-5, 1, 0)]), answer([turn(1, 2, 0, "1.5")]),
      answer([turn(1, 2, 0, "-1")]), "{}", "", "[1]", answer([turn(1, 2, 0, "1e999")]),
      answer((0..<40).map { turn(Double($0), Double($0) + 1, $0) }),
      answer([turn(1, 2, 0)], others: [[turn(1, 2, 0)], [turn(2, 1, 0)]]),
      answer([turn(1, 2, 0)], others: [(0..<40).map { turn(Double($0), Double($0) + 1, $0) }]),
      answer([turn(1, 2, 0)], [print(0, "[]")]), answer([turn(1, 2, 0)], [print(0, "[1e30]")]),
      answer([turn(1, 2, 0)], [print(0, "[1]", seconds: "-1")]),
      answer([turn(1, 2, 0)], [print(0, "[1]", seconds: "1e9")]),
      answer([turn(1, 2, 0), turn(1, 2, 1)], [print(0, "[1]"), print(1, "[1, 0]")]),
    ]) func impossibleAnswersAreErrors(answer: String) {
      #expect(throws: NeuralDiarizer.Failure.self) {
        try NeuralDiarizer.voices(Data(answer.utf8), duration: 60)
      }
    }

    @Test func answersAreClippedAndNumberedInOrder() throws {
      let answer = Self.answer(
        [Self.turn(5, 99, 1), Self.turn(1, 7, 7)],
        [Self.print(1, "[1, 0]"), Self.print(7, "[0, 1]"), Self.print(7, "[1, 0]"), Self.print(3, "[0, 1]")],
        others: [[Self.turn(3, 99, 9)]])
      let found = try NeuralDiarizer.voices(Data(answer.utf8), duration: 60)
      #expect(found.turns.map(\.voice) == [0, 1])
      #expect(found.turns.map(\.end) == [7, 60])
      #expect(found.prints.map(\.voice) == [0, 1])
      #expect(found.prints.map(\.values) == [[0, 1], [1, 0]])
      #expect(found.others?.map { $0.map(\.voice) } == [[0]])
      #expect(found.others?[0].map(\.end) == [60])
    }
  }
#endif
