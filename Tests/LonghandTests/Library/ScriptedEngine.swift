import Foundation
import Longhand
import Synchronization

/// An engine that emits the events of a test. Each step begins when the event of the previous step was processed.
struct ScriptedEngine: TranscriptionEngine {
  enum Step: Sendable {
    /// The engine emits an event.
    case emit(TranscriptionEvent)
    /// The test does something; if it throws, the engine fails.
    case act(@Sendable () async throws -> Void)
    /// The engine reads the recording to its end.
    case read
  }

  let selection = EngineSelection.rolling
  /// Returns the steps for a start time.
  let script: @Sendable (TimeInterval) -> [Step]

  init(_ script: @escaping @Sendable (TimeInterval) -> [Step]) { self.script = script }

  func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    let steps = Mutex(script(start)[...])
    return AsyncThrowingStream {
      while let step = steps.withLock({ $0.popFirst() }) {
        switch step {
        case .emit(let event): return event
        case .act(let body): try await body()
        case .read: try await audio.readToTheEnd()
        }
      }
      return nil
    }
  }

  /// A final for a range, with one word per second.
  static func final(_ text: String, _ start: TimeInterval, _ end: TimeInterval) -> TranscriptionEvent {
    let texts = text.split(separator: " ").map(String.init)
    let length = (end - start) / Double(max(1, texts.count))
    let words = texts.enumerated().map { index, text in
      let begin = start + Double(index) * length
      return Word(text: text, start: begin, end: begin + length, confidence: 0.5)
    }
    return .final(
      start: start, end: end, candidates: [Candidate(text: text, words: words, confidence: 0.5)])
  }
}
