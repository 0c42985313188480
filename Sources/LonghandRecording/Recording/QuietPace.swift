import Foundation

/// Decides how often a recording is written and reported while nothing is said, so that the processor can sleep: a pure value.
/// The callers pass the time, in seconds.
struct QuietPace {
  /// Seconds of audio after which quiet audio is written.
  static let interval = 0.8
  /// Seconds between two looks at a source that delivers nothing.
  static let watchInterval = 3.0
  /// Seconds of quiet audio before anything is done less often.
  private static let patience = 2.0
  /// Seconds between two moments at which quiet audio is made durable.
  private static let syncInterval = 2.0
  /// The share of the quiet time so far, and the most seconds, that quiet audio waits to be reported.
  private static let (holdShare, maxHold) = (0.25, 5.0)
  /// Samples up to this, from 0 to 1, are quiet in any room: sound begins at -63 dBFS.
  private static let leastPeak: Float = 0.0007

  /// The greatest sample, from 0 to 1, that may come late; nil while nothing may.
  private(set) var peak: Float?
  /// The greatest sample since the last sound.
  private var quietPeak: Float = 0
  private var lastAudio = -Double.infinity
  private var lastSync = -Double.infinity
  private var lastReport = -Double.infinity
  private var quiet = 0.0

  /// Audio was captured.
  /// - Parameters:
  ///   - samples: 16-bit samples; empty if nothing was captured. A source that delivers nothing for long is not quiet.
  ///   - quiet: seconds since the last sound.
  mutating func take(_ samples: Data, quiet: TimeInterval, now: TimeInterval) {
    if samples.isEmpty, now - lastAudio < Self.watchInterval { return }
    if !samples.isEmpty { lastAudio = now }
    self.quiet = quiet
    guard quiet > 0, !samples.isEmpty else {
      (quietPeak, peak) = (0, nil)
      return
    }
    quietPeak = max(quietPeak, RecordingFormat.peak(samples))
    // Twice: the noise of a room varies.
    peak = quiet >= Self.patience ? max(Self.leastPeak, 2 * quietPeak) : nil
  }

  /// Whether audio is made durable now.
  mutating func synchronizes(now: TimeInterval) -> Bool {
    guard peak == nil || now - lastSync >= Self.syncInterval else { return false }
    lastSync = now
    return true
  }

  /// Whether new audio is reported now.
  mutating func reports(now: TimeInterval) -> Bool {
    guard peak == nil || now - lastReport >= min(Self.maxHold, quiet * Self.holdShare) else { return false }
    lastReport = now
    return true
  }
}
