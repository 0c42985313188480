import Synchronization

/// One of several answers, whichever is given first. One task waits for it, and no thread.
final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Mutex(State.open)

  /// Answers, unless somebody has.
  func give(_ value: Value) {
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

  /// The first answer. To be awaited once.
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
