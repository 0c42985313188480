import Foundation
import Longhand
import LonghandTesting
import Testing

@testable import LonghandTranscription

/// The coverage of audio for which the engine failed.
@Suite struct SessionFailureTests {
  private struct GaveUp: Error {}

  /// Emits given events, reads the recording to its end if asked to, and ends.
  private struct Engine: TranscriptionEngine {
    let selection = EngineSelection.rolling
    var events: [TranscriptionEvent]
    var givesUp = false

    func events(
      of audio: any AudioSource, from start: TimeInterval
    ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
      stream { emit in
        if !givesUp { try await audio.readToTheEnd() }
        for event in events { emit(event) }
        if givesUp { throw GaveUp() }
      }
    }
  }

  private static func final(_ text: String, _ range: ClosedRange<TimeInterval>) -> TranscriptionEvent {
    let word = Word(text: text, start: range.lowerBound, end: range.upperBound, confidence: 1)
    return .final(
      start: word.start, end: word.end, candidates: [Candidate(text: text, words: [word], confidence: 1)])
  }

  /// Transcribes a recording of ten seconds. Returns its result and its coverage.
  private func spans(_ engine: Engine) async throws -> (failure: (any Error)?, spans: [CoverageSpan]) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("failures-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    let microphone = SimulatedMicrophone()
    let session = try library.record(from: microphone, engine: engine)
    microphone.speak(Data(count: 10 * 32_000))
    try session.stop()
    var failure: (any Error)?
    do { try await session.finished() } catch { failure = error }
    return (failure, try library.store.coverageSpans(of: session.id))
  }

  @Test func lateFailureIsAddedToTheCoverage() async throws {
    let engine = Engine(events: [
      Self.final("a", 1...2), .processed(3), Self.final("b", 6...7), .processed(8), .failed(1.5...6.5, "why"),
      .processed(10),
    ])
    let (failure, spans) = try await spans(engine)
    #expect(failure == nil)
    let expected: [CoverageSpan] = [
      .init(start: 0, end: 1, kind: .silent), .init(start: 1, end: 2, kind: .transcribed),
      .init(start: 2, end: 6, kind: .failed, reason: "why"),
      .init(start: 6, end: 7, kind: .transcribed), .init(start: 7, end: 10, kind: .silent),
    ]
    #expect(spans == expected)
  }

  @Test func audioAfterAnEngineFailureIsPending() async throws {
    let (failure, spans) = try await spans(Engine(events: [Self.final("a", 1...2)], givesUp: true))
    #expect(failure is GaveUp)
    #expect(spans == [.init(start: 0, end: 10, kind: .pending)])
  }
}
