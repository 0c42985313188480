import Foundation

/// Listens to a recording while it is made, or afterwards: it reads what the recorder has made durable and never
/// keeps the recorder waiting. An engine that is slow or dies only falls behind.
public protocol TranscriptionEngine: Sendable {
  /// Which engine it is.
  var selection: EngineSelection { get }

  /// Listens from a time on until the recording has ended.
  ///
  /// Events come in the order of the sound. Ending the iteration early ends the work.
  /// - Parameters:
  ///   - audio: the recording.
  ///   - start: seconds from its start; what was said before has been told.
  /// - Returns: what is heard; throws `TranscriptionError` where no more can be heard at all.
  func events(
    of audio: RecordingAudio, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error>
}

extension TranscriptionEngine {
  /// A stream of what `work` tells, which ends with it, and it with the stream.
  func stream(
    _ work: @escaping @Sendable (@escaping @Sendable (TranscriptionEvent) -> Void) async throws -> Void
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await work { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
