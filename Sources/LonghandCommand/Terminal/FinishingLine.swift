import Foundation

/// What `record` shows while the rest of a recording is transcribed: the estimated time, and how to stop at once.
struct FinishingLine: Sendable {
  /// Whether a signal ended the recording. Another one ends the program.
  let isAsked: Bool
  /// Seconds of audio that were processed before the recording ended.
  private let base: TimeInterval
  private var estimate: ProgressEstimate

  init(isAsked: Bool, processed: TimeInterval, at now: ContinuousClock.Instant) {
    self.isAsked = isAsked
    base = processed
    estimate = ProgressEstimate(start: now)
  }

  /// The line for a moment.
  ///
  /// - Parameters:
  ///   - processed: seconds of audio that were processed.
  ///   - duration: seconds of audio in all.
  mutating func text(
    processed: TimeInterval, duration: TimeInterval, at now: ContinuousClock.Instant
  ) -> String {
    estimate.update(processed: processed - base, duration: duration - base, at: now)
    // Before the first progress, as if audio is processed as fast as it was spoken.
    let left = (estimate.remaining(at: now) ?? max(0, duration - processed)).rounded(.up)
    let time = left < 1 ? "" : left < 100 ? ", \(Int(left)) s left" : ", \(ProgressEstimate.clock(left)) left"
    return "Finishing" + time + (isAsked ? "; press again to stop now" : "")
  }
}
