import LonghandTranscripts
import Synchronization

/// A line for each final text: how many candidates there were, what they say, how sure the recognizer is, and which rule
/// chose. With it one can see whether the recognizer offered a better candidate at all.
///
/// It is off unless `start` is called, because the lines contain what was said.
package enum ElectionLog {
  private static let receiver = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Sends a line to `receive` for each final text that is recognized from now on, in the whole process.
  package static func start(_ receive: @escaping @Sendable (String) -> Void) {
    receiver.withLock { $0 = receive }
  }

  /// Sends no more lines.
  package static func stop() { receiver.withLock { $0 = nil } }

  static var isOn: Bool { receiver.withLock { $0 != nil } }

  /// - Parameters:
  ///   - record: what was chosen.
  ///   - start: seconds from the start of the audio.
  static func add(_ record: CandidateSelectionRecord, at start: Double) {
    guard let receive = receiver.withLock(\.self) else { return }
    receive("election at \(Milliseconds(seconds: start).clock): \(record.summary)")
  }
}
