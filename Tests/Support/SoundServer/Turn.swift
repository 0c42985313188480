import Synchronization

/// Lets one after the other have what there is one of in a process: the audio session and its notifications, which all
/// engines share.
package final class Turn: Sendable {
  private let state = Mutex<(isTaken: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  /// Nobody's turn.
  package init() {}

  /// Waits for its turn.
  package func begin() async {
    await withCheckedContinuation { continuation in
      let isMine = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isMine { continuation.resume() }
    }
  }

  /// It is the next one's turn.
  package func end() {
    let next = state.withLock { state in
      state.isTaken = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }
}
