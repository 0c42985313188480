import Synchronization

/// Calls something that may take for ever, and waits for it only so long.
///
/// A call that is given up is cancelled, and need not care: nobody waits for it. As long as it goes on, no other is
/// begun, so that at most one call is ever under way.
final class DeadlinedCall: Sendable {
  /// What became of a call.
  enum Outcome<Value: Sendable>: Sendable {
    /// It returned in time.
    case returned(Value)
    /// It failed in time.
    case failed(any Error)
    /// It was given up.
    case timedOut
    /// The one that was given up before it still goes on, so that it was not begun.
    case busy
    /// Whoever waited for it was cancelled.
    case cancelled
  }

  private let isUnderWay = Atomic(false)

  /// Runs `operation`.
  /// - Parameter deadline: how long to wait for it, by `clock`.
  func run<Value: Sendable>(
    within deadline: Duration, clock: any Clock<Duration>,
    _ operation: @escaping @Sendable () async throws -> Value
  ) async -> Outcome<Value> {
    guard
      isUnderWay.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    else { return .busy }
    let answer = FirstAnswer<Outcome<Value>>()
    let call = Task {
      let outcome: Outcome<Value>
      do {
        outcome = .returned(try await operation())
      } catch {
        outcome = .failed(error)
      }
      self.isUnderWay.store(false, ordering: .releasing)
      answer.give(outcome)
    }
    let timer = Task {
      try await clock.sleep(for: deadline)
      answer.give(.timedOut)
    }
    let outcome = await withTaskCancellationHandler {
      await answer.value
    } onCancel: {
      answer.give(.cancelled)
    }
    call.cancel()
    timer.cancel()
    return outcome
  }
}
