import Foundation

/// What happens while a recording is listened to.
public enum SessionEvent: Sendable, Hashable {
  /// What happens to the recording itself.
  case recording(RecordingEvent)
  /// What has been heard so far of speech that goes on; nil if nothing is left of it.
  case partial(TranscriptAccumulator.Partial?)
  /// A segment was committed: it is in the store, or waits for it, and never changes.
  case committed(Segment)
  /// The recognizer has come so many seconds far.
  case progress(TimeInterval)
  /// The recognizer failed on this stretch (seconds); the text says why.
  case failed(ClosedRange<TimeInterval>, String)
  /// The recognizer had to begin again at this time; the text says why.
  case restarted(TimeInterval, String)
  /// The store took nothing; what was said waits in memory and is tried again. The text says why.
  case storeFailed(String)
  /// The store took everything again.
  case storeBack
  /// No more can be heard, and the recording goes on; the text says why. `recover` goes on listening later.
  case transcriptionFailed(String)
}
