import Foundation
import Longhand
import Testing

/// What a cancelled transcription reports of the audio.
@Suite struct InterruptedTranscriptionTests {
  /// Audio that is never read.
  private struct Audio: AudioSource {
    let sampleRate = 16_000
    let duration = 60.0
    func chunks(from frame: Int64) -> AudioChunks { AudioChunks { { nil } } }
  }

  @Test func secondsThatWereNotProcessedArePending() async throws {
    let engine = ScriptedEngine { _ in
      [
        .emit(.detected(12...14, "speech")), .emit(ScriptedEngine.final("one two", 1, 3)),
        .emit(.processed(20)), .emit(ScriptedEngine.final("three", 22, 25)),
        .act { withUnsafeCurrentTask { $0?.cancel() } },
      ]
    }
    let work = Task { () -> (texts: [String], coverage: Coverage)? in
      var kept: (texts: [String], coverage: Coverage)?
      await #expect(throws: CancellationError.self) {
        _ = try await engine.transcribe(
          Audio(), progress: { _ in },
          interrupted: { segments, known in
            kept = (segments.map(\.text), Coverage(CoverageSpan.all(of: 60, known.inOrderOfWeight)))
          })
      }
      return kept
    }
    let kept = try #require(await work.value)
    #expect(kept.texts == ["one two", "three"])
    #expect(kept.coverage.transcribed == 5)
    #expect(kept.coverage.pending == 35)
    #expect(kept.coverage.silent + kept.coverage.wordless == 20)
  }
}
