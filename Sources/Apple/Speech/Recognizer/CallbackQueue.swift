import Foundation
import Synchronization

/// Runs a client's callbacks on its operation queue, one after another, even if that queue runs several
/// operations at a time.
final class CallbackQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isScheduled = false
  }

  private let queue: OperationQueue
  private let state = Mutex(State())

  init(_ queue: OperationQueue) { self.queue = queue }

  func call(_ callback: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(callback)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.addOperation { while let callback = self.next() { callback() } } }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isScheduled = false
      return nil
    }
  }
}
