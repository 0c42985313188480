import Foundation

/// Seconds for which the computer has slept, from any time on. They never decrease.
///
/// The system's uptime does not count them, nor does a source: without them, what is said before and after would follow each
/// other.
package struct SleepTime: Sendable {
  /// The seconds so far.
  package let seconds: @Sendable () -> TimeInterval

  /// - Parameter seconds: a test passes a clock of its own.
  package init(_ seconds: @escaping @Sendable () -> TimeInterval) { self.seconds = seconds }

  /// What one of the system's clocks counts and the other one does not.
  package static let system = SleepTime {
    while true {
      let before = Self.start.awake.duration(to: SuspendingClock.now)
      let all = Self.start.all.duration(to: ContinuousClock.now)
      let after = Self.start.awake.duration(to: SuspendingClock.now)
      // Another process may run between two of these lines.
      if after - before < .milliseconds(50) { return max(0, (all - after) / .seconds(1)) }
    }
  }

  private static let start = (all: ContinuousClock.now, awake: SuspendingClock.now)
}
