import Foundation

/// What `record` shows while the rest of a recording is transcribed: the estimated time, and how to stop at once.
struct FinishingLine: Sendable {
  /// Whether a signal ended the recording. Another one ends the program.
  let isAsked: Bool
  /// Seconds of audio that were processed before the recording ended.
  private let base: TimeInterval
  private let start: ContinuousClock.Instant
  /// The last progress: when it was seen, and the estimate of then.
  private var last: (time: ContinuousClock.Instant, processed: TimeInterval, left: TimeInterval)?

  init(isAsked: Bool, processed: TimeInterval, at now: ContinuousClock.Instant) {
    self.isAsked = isAsked
    base = processed
    start = now
  }

  /// The line for a moment.
  ///
  /// - Parameters:
  ///   - processed: seconds of audio that were processed.
  ///   - duration: seconds of audio in all.
  mutating func text(
    processed: TimeInterval, duration: TimeInterval, at now: ContinuousClock.Instant
  ) -> String {
    let last = last.flatMap { processed > $0.processed ? nil : $0 } ?? progress(processed, duration, now)
    self.last = last
    // Between two steps of the recognizer the time runs down.
    let left = duration > processed ? max(1, last.left - (now - last.time) / .seconds(1)).rounded(.up) : 0
    let time = left < 1 ? "" : left < 100 ? ", \(Int(left)) s left" : ", \(ProgressEstimate.clock(left)) left"
    return "Finishing" + time + (isAsked ? "; press again to stop now" : "")
  }

  private func progress(
    _ processed: TimeInterval, _ duration: TimeInterval, _ now: ContinuousClock.Instant
  ) -> (time: ContinuousClock.Instant, processed: TimeInterval, left: TimeInterval) {
    let (rest, done) = (max(0, duration - processed), processed - base)
    // Before the first progress, as if audio is processed as fast as it was spoken.
    return (now, processed, done > 0 ? rest * ((now - start) / .seconds(1)) / done : rest)
  }
}
