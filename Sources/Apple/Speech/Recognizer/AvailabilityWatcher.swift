import RecognitionCore
import Dispatch
import Synchronization

/// Looks up again and again whether something is available, and reports when that changes.
final class AvailabilityWatcher: Sendable {
  /// Models come and go through other programs, which cannot notify this one.
  static let interval = DispatchTimeInterval.seconds(1)

  private let timer: UncheckedBox<any DispatchSourceTimer>

  /// - Parameters:
  ///   - isAvailable: looks it up.
  ///   - report: receives the new state, on a queue of the watcher.
  init(
    interval: DispatchTimeInterval = AvailabilityWatcher.interval,
    isAvailable: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (Bool) -> Void
  ) {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    self.timer = UncheckedBox(value: timer)
    let last = AvailabilityState(isAvailable())
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.setEventHandler {
      let now = isAvailable()
      if last.changes(to: now) { report(now) }
    }
    timer.resume()
  }

  deinit { timer.value.cancel() }
}

/// The state that was reported last.
private final class AvailabilityState: Sendable {
  private let isAvailable: Mutex<Bool>

  init(_ isAvailable: Bool) { self.isAvailable = Mutex(isAvailable) }

  func changes(to new: Bool) -> Bool {
    isAvailable.withLock { old in
      defer { old = new }
      return old != new
    }
  }
}
