import Foundation
import LonghandRecording
import LonghandTranscripts

/// Recognizes the speech of an audio source, which may still grow.
///
/// An engine reads durable audio only, and never blocks a recorder. A slow or failing engine only falls behind.
package protocol TranscriptionEngine: Sendable {
  /// Which engine it is; never `automatic`.
  var selection: EngineSelection { get }

  /// Recognizes from a time on until the source has ended.
  ///
  /// Events come in the order of the audio. When the iteration ends early, the work is cancelled.
  /// - Parameters:
  ///   - audio: a file or a recording.
  ///   - start: seconds from the start of the audio; everything before has been reported.
  /// - Returns: the events. The stream throws `TranscriptionError` if the work cannot continue.
  func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error>

  /// The engine with what it knows of one channel, from 0.
  func ofChannel(_ channel: Int) -> any TranscriptionEngine
}

extension TranscriptionEngine {
  package func ofChannel(_ channel: Int) -> any TranscriptionEngine { self }

  /// A stream of what `work` emits. It ends with the work, and the work ends with it.
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
