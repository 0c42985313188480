import Foundation

/// Calls a client's callbacks on its operation queue, one after another, even where that queue runs several
/// operations at a time.
///
/// `@unchecked Sendable`: `lock` guards `waiting` and `isScheduled`.
final class CallbackQueue: @unchecked Sendable {
  private let queue: OperationQueue
  private let lock = NSLock()
  private var waiting: [@Sendable () -> Void] = []
  private var isScheduled = false

  init(_ queue: OperationQueue) { self.queue = queue }

  func call(_ callback: @escaping @Sendable () -> Void) {
    lock.lock()
    waiting.append(callback)
    let isFirst = !isScheduled
    isScheduled = true
    lock.unlock()
    if isFirst { queue.addOperation { self.drain() } }
  }

  private func drain() {
    while let callback = next() { callback() }
  }

  private func next() -> (@Sendable () -> Void)? {
    lock.lock()
    defer { lock.unlock() }
    guard waiting.isEmpty else { return waiting.removeFirst() }
    isScheduled = false
    return nil
  }
}
