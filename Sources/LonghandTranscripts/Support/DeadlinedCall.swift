import Synchronization

/// Waits for an operation that may never end, but no longer than a deadline.
///
/// An operation that misses its deadline is cancelled, but not waited for. While it runs, no other operation is started,
/// so at most one runs at any time.
package final class DeadlinedCall: Sendable {
  /// The result of a call.
  package enum Outcome<Value: Sendable>: Sendable {
    /// The operation returned in time.
    case returned(Value)
    /// The operation threw an error in time.
    case failed(any Error)
    /// The operation missed the deadline.
    case timedOut
    /// The operation was not started, because an earlier one that missed its deadline still runs.
    case busy
    /// The waiting task was cancelled.
    case cancelled
  }

  private let isRunning = Mutex(false)

  package init() {}

  /// Runs `operation`.
  /// - Parameters:
  ///   - deadline: how long to wait for it.
  ///   - clock: measures the deadline.
  ///   - operation: the operation.
  package func run<Value: Sendable>(
    within deadline: Duration, clock: any Clock<Duration>,
    _ operation: @escaping @Sendable () async throws -> Value
  ) async -> Outcome<Value> {
    let wasRunning = isRunning.withLock { isRunning in
      defer { isRunning = true }
      return isRunning
    }
    if wasRunning { return .busy }
    let answer = FirstAnswer<Outcome<Value>>()
    let call = Task {
      let outcome: Outcome<Value>
      do {
        outcome = .returned(try await operation())
      } catch {
        outcome = .failed(error)
      }
      self.isRunning.withLock { $0 = false }
      answer.give(outcome)
    }
    let timer = Task {
      try await clock.sleep(for: deadline)
      answer.give(.timedOut)
    }
    let outcome = await answer.value(ifCancelled: .cancelled)
    call.cancel()
    timer.cancel()
    return outcome
  }
}

/// Holds the first of several answers. One task may wait for it.
package final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Mutex(State.open)

  package init() {}

  /// Gives an answer; it is ignored if there is one already.
  package func give(_ value: Value) {
    let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
      switch state {
      case .open:
        state = .given(value)
        return nil
      case .awaited(let continuation):
        state = .given(value)
        return continuation
      case .given: return nil
      }
    }
    waiting?.resume(returning: value)
  }

  /// The first answer; if the task is cancelled before, another value.
  package func value(ifCancelled other: Value) async -> Value {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      give(other)
    }
  }

  /// The first answer. Await it only once.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let given: Value? = state.withLock { state in
          if case .given(let value) = state { return value }
          state = .awaited(continuation)
          return nil
        }
        if let given { continuation.resume(returning: given) }
      }
    }
  }
}
