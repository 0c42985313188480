import Foundation
import Longhand

/// An engine with the defect of a `SweepFault`.
struct DefectiveEngine: TranscriptionEngine {
  let engine: any TranscriptionEngine
  let fault: SweepFault

  var selection: EngineSelection { engine.selection }

  func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          var finals = 0
          for try await event in engine.events(of: audio, from: start) {
            if case .final = event { finals += 1 }
            if let event = spoiled(event, finals: finals) { continuation.yield(event) }
          }
          if fault == .hang { try await Task.sleep(for: .seconds(3600)) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func spoiled(_ event: TranscriptionEvent, finals: Int) -> TranscriptionEvent? {
    switch (event, fault) {
    case (.failed, .hush): return nil
    case (.final, .drop) where finals == 3: return nil
    case (.final(let start, let end, var candidates, _), .invent) where finals == 3:
      candidates[0].words[0].text = candidates[0].words[0].text == "alpha" ? "bravo" : "alpha"
      return .final(start: start, end: end, candidates: candidates)
    case (.final(let start, let end, var candidates, _), .move) where finals == 3:
      for index in candidates[0].words.indices {
        candidates[0].words[index].start += 0.3
        candidates[0].words[index].end += 0.3
      }
      return .final(start: start + 0.3, end: end + 0.3, candidates: candidates)
    default: return event
    }
  }
}

/// A defect that the checks must find. It shows that the checks can fail.
enum SweepFault: String, CaseIterable, Sendable {
  /// One final is not reported.
  case drop
  /// A word is replaced by another one.
  case invent
  /// Words are reported with wrong times.
  case move
  /// A segment is committed a second time.
  case twice
  /// A committed segment is changed.
  case change
  /// Some seconds have no coverage.
  case hole
  /// A failure of the recognizer is not reported.
  case hush
  /// The engine never ends.
  case hang
}
