import Foundation
import Synchronization

// On Linux both engines ask the same services, so that one cannot replace the other.
#if !os(Linux)
  /// Recognizes with one engine, and with another one from the time at which the first fails for good.
  ///
  /// The second begins where everything before has been reported; what both recognize is committed once, as at any seam.
  final class FallbackEngine: TranscriptionEngine {
    private let first: any TranscriptionEngine
    private let second: any TranscriptionEngine
    /// The engine that recognized from the start.
    private let used: Mutex<EngineSelection>

    init(_ first: any TranscriptionEngine, else second: any TranscriptionEngine) {
      (self.first, self.second) = (first, second)
      used = Mutex(first.selection)
    }

    /// The engine that recognizes, or from the start recognized.
    var selection: EngineSelection { used.withLock(\.self) }

    func events(
      of audio: any AudioSource, from start: TimeInterval
    ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
      stream { [self] emit in
        var reported = start
        let failure: TranscriptionError
        do {
          for try await event in first.events(of: audio, from: start) {
            if case .processed(let time) = event { reported = max(reported, time) }
            emit(event)
          }
          return
        } catch let error as TranscriptionError where error.isOfTheEngine {
          try Task.checkCancellation()
          if reported == 0 { used.withLock { $0 = second.selection } }
          failure = error
        }
        emit(.engineChanged(reported...max(reported, audio.duration), "\(failure)"))
        var comesFurther = false
        do {
          for try await event in second.events(of: audio, from: reported) {
            if case .processed = event { comesFurther = true }
            emit(event)
          }
        } catch let error as TranscriptionError {
          throw comesFurther ? error : failure
        }
      }
    }
  }

  extension TranscriptionError {
    /// Whether another engine may succeed with the same audio.
    fileprivate var isOfTheEngine: Bool {
      switch self {
      case .notInstalled, .recognizerFailed, .unsupportedLocale: true
      case .unreadable, .undecodable, .noAudio, .notAuthorized, .leavesDevice: false
      }
    }
  }
#endif
