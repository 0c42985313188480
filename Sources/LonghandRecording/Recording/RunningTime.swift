import Foundation

/// The seconds in which this process ran, measured by calls at short intervals: a pure value.
///
/// On a busy machine a process may not run for seconds. A source that delivered nothing meanwhile has not failed: its audio
/// waits and is still to be read. So the patience with a source is counted in seconds in which the process ran.
struct RunningTime: Sendable {
  /// The most seconds between two calls that count.
  private let maxStep: TimeInterval
  private var last: TimeInterval
  /// The seconds so far.
  private(set) var seconds = 0.0

  /// - Parameters:
  ///   - maxStep: the most seconds between two calls while the process runs; a longer time counts as this much.
  ///   - now: seconds of a clock that never decreases.
  init(maxStep: TimeInterval, now: TimeInterval) {
    self.maxStep = maxStep
    last = now
  }

  /// Time has passed.
  /// - Parameter pause: seconds that the caller meant to let pass, if that is more than `maxStep`.
  /// - Returns: how much of it counts, in seconds.
  @discardableResult mutating func advance(to now: TimeInterval, after pause: TimeInterval = 0)
    -> TimeInterval
  {
    let step = min(max(0, now - last), max(maxStep, pause))
    last = max(last, now)
    seconds += step
    return step
  }
}
