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
      diarizer.add(conversation.samples)
      let turns = try await diarizer.turns(in: [], voices: count)
      #expect(Set(turns.map(\.voice)) == [0, 1])
      #expect(accuracy(turns) > 0.9)
      #expect(turns.map(\.start) == turns.map(\.start).sorted())
    }

    @Test func oneVoiceIsOne() async throws {
      let diarizer = try diarizer()
      diarizer.add(SyntheticConversation([.low], seconds: 25, seed: 2).samples)
      #expect(Set(try await diarizer.turns(in: [], voices: nil).map(\.voice)) == [0])
    }

    @Test func silenceAndNoAudioHaveNoTurns() async throws {
      let diarizer = try diarizer()
      #expect(try await diarizer.turns(in: [], voices: nil).isEmpty)
      diarizer.add([Int16](repeating: 0, count: 48_000))
      #expect(try await diarizer.turns(in: [], voices: nil).isEmpty)
    }

    /// Damaged after it was installed, so that only the process finds it.
    @Test func damagedModelIsAnError() async throws {
      let diarizer = try diarizer()
      let file = folder.appendingPathComponent("voices/embedding.onnx")
      var data = try Data(contentsOf: file)
      data.replaceSubrange(200..<data.count - 2000, with: Data(count: data.count - 2200))
      try data.write(to: file)
      diarizer.add(conversation.samples)
      await #expect(throws: NeuralDiarizer.Failure.self) { try await diarizer.turns(in: [], voices: nil) }
    }

    @Test(arguments: [
      "exit 3", "kill -9 $$", "cat >&-; exec sleep 0", "head -c 100 >/dev/null; echo '[{]' >&0",
    ])
    func processThatFailsIsAnError(script: String) async throws {
      let service = try ExecutableScript(script)
      let diarizer = try diarizer(service: service.url.path)
      diarizer.add(conversation.samples)
      await #expect(throws: NeuralDiarizer.Failure.self) { try await diarizer.turns(in: [], voices: nil) }
    }

    @Test(arguments: [
      #"[{"start": 2, "end": 1, "voice": 0}]"#, #"[{"start": -5, "end": 1, "voice": 0}]"#, "{}", "", "[1]",
      "[" + (0..<40).map { #"{"start": \#($0), "end": \#($0 + 1), "voice": \#($0)}"# }.joined(separator: ",")
        + "]",
    ]) func impossibleAnswersAreErrors(answer: String) {
      #expect(throws: NeuralDiarizer.Failure.self) {
        try NeuralDiarizer.turns(Data(answer.utf8), duration: 60)
      }
    }

    @Test func answersAreClippedAndNumberedInOrder() throws {
      let answer = #"[{"start": 5, "end": 99, "voice": 1}, {"start": 1, "end": 4, "voice": 7}]"#
      let turns = try NeuralDiarizer.turns(Data(answer.utf8), duration: 60)
      #expect(turns.map(\.voice) == [0, 1])
      #expect(turns.map(\.end) == [4, 60])
      #expect(turns.allSatisfy { $0.confidence == nil })
    }
  }
#endif
