import Foundation
import Synchronization

/// Makes reports of progress that never go back and never pass the end.
final class ProgressReports: Sendable {
  private let duration: TimeInterval
  private let receive: @Sendable (FileTranscriber.Progress) -> Void
  private let processed = Mutex<TimeInterval>(0)

  /// - Parameter duration: seconds of audio in all.
  init(duration: TimeInterval, receive: @escaping @Sendable (FileTranscriber.Progress) -> Void) {
    self.duration = duration
    self.receive = receive
  }

  /// So many seconds are done.
  func add(_ seconds: TimeInterval) {
    let done = processed.withLock { processed in
      processed = min(duration, max(processed, seconds))
      return processed
    }
    receive(FileTranscriber.Progress(processed: done, duration: duration))
  }
}
