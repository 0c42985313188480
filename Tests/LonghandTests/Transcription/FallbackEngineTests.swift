import Foundation
import Longhand
import Testing

@testable import LonghandTranscription

#if !os(Linux)
  /// The change to another engine where the first one fails for good.
  @Suite struct FallbackEngineTests {
    private struct Named: TranscriptionEngine {
      let selection: EngineSelection
      let engine: ScriptedEngine

      func events(
        of audio: any AudioSource, from start: TimeInterval
      ) -> AsyncThrowingStream<TranscriptionEvent, any Error> { engine.events(of: audio, from: start) }
    }

    private static func analyzer(_ steps: ScriptedEngine.Step...) -> Named {
      Named(selection: .analyzer, engine: ScriptedEngine { _ in steps })
    }

    /// Recognizes what begins after the start.
    private static let rolling = Named(
      selection: .rolling,
      engine: ScriptedEngine { start in
        let all = [
          ScriptedEngine.final("one two", 1, 3), ScriptedEngine.final("three", 4, 5),
          ScriptedEngine.final("four", 7, 8),
        ]
        let rest = all.filter { if case .final(_, let end, _, _) = $0 { end > start } else { false } }
        return rest.map { .emit($0) } + [.emit(.processed(10))]
      })

    private func run(_ engine: FallbackEngine) async throws -> (
      texts: [String], warnings: [TranscriptWarning]
    ) {
      let fixture = try SessionFixture()
      let (segments, _, warnings) = try await engine.transcribe(fixture.audio, progress: { _ in })
      return (segments.map(\.text), warnings)
    }

    private static func fail(_ error: TranscriptionError) -> ScriptedEngine.Step { .act { throw error } }

    @Test func otherEngineIsNotAskedIfNothingFails() async throws {
      let engine = FallbackEngine(
        Self.analyzer(.emit(ScriptedEngine.final("whole", 1, 2)), .emit(.processed(10))), else: Self.rolling)
      let (texts, warnings) = try await run(engine)
      #expect(texts == ["whole"])
      #expect(warnings.isEmpty)
      #expect(engine.selection == .analyzer)
    }

    @Test func engineThatCannotStartIsReplaced() async throws {
      let engine = FallbackEngine(
        Self.analyzer(Self.fail(.notInstalled("the model is missing", hint: ""))), else: Self.rolling)
      let (texts, warnings) = try await run(engine)
      #expect(texts == ["one two", "three", "four"])
      #expect(warnings.map(\.code) == [.engineChanged])
      #expect(warnings.first?.start == 0)
      #expect(warnings.first?.message.contains("the model is missing") == true)
      #expect(engine.selection == .rolling)
    }

    /// What the first engine had reported stays, and what both recognize is committed once.
    @Test func engineThatFailsInTheMiddleIsReplacedThere() async throws {
      let engine = FallbackEngine(
        Self.analyzer(
          .emit(ScriptedEngine.final("one two", 1, 3)), .emit(.processed(3)),
          .emit(ScriptedEngine.final("three", 4, 5)), Self.fail(.recognizerFailed("it crashed"))),
        else: Self.rolling)
      let (texts, warnings) = try await run(engine)
      #expect(texts == ["one two", "three", "four"])
      #expect(warnings.map(\.start) == [3])
      #expect(engine.selection == .analyzer)
    }

    @Test func badAudioIsNotTriedWithTheOtherEngine() async throws {
      let engine = FallbackEngine(
        Self.analyzer(Self.fail(.undecodable("it is a picture"))), else: Self.rolling)
      await #expect(throws: TranscriptionError.undecodable("it is a picture")) {
        _ = try await self.run(engine)
      }
    }

    /// What ends the work is the first failure, unless the other engine came further.
    @Test func failureOfBothEnginesEndsTheWork() async throws {
      let broken = Named(
        selection: .rolling, engine: ScriptedEngine { _ in [Self.fail(.recognizerFailed("this one too"))] })
      let engine = FallbackEngine(Self.analyzer(Self.fail(.recognizerFailed("it crashed"))), else: broken)
      await #expect(throws: TranscriptionError.recognizerFailed("it crashed")) {
        _ = try await self.run(engine)
      }
      let further = Named(
        selection: .rolling,
        engine: ScriptedEngine { _ in [.emit(.processed(4)), Self.fail(.recognizerFailed("this one too"))] })
      let both = FallbackEngine(Self.analyzer(Self.fail(.recognizerFailed("it crashed"))), else: further)
      await #expect(throws: TranscriptionError.recognizerFailed("this one too")) {
        _ = try await self.run(both)
      }
    }
  }
#endif
