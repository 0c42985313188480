import Synchronization

/// Tells a thread outside of Swift's tasks that its work is not wanted any more.
final class CancellationFlag: Sendable {
  private let flag = Mutex(false)

  /// Whether the work is not wanted any more.
  var isCancelled: Bool { flag.withLock { $0 } }

  /// Asks the work to end.
  func cancel() { flag.withLock { $0 = true } }
}
