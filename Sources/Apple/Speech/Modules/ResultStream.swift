import Synchronization

/// The results of a module, in order; each goes to one reader.
///
/// Unlike `AsyncThrowingStream`, a reader whose task is cancelled ends its own iteration only: it still gets what is
/// there, and later results wait for the next reader. An error is thrown once.
final class ResultStream<Element: Sendable>: AsyncSequence, Sendable {
  private struct State {
    var elements: [Element] = []
    /// The index of the next element in `elements`.
    var next = 0
    var readers: [(id: Int, continuation: CheckedContinuation<Element?, any Error>)] = []
    var lastReader = 0
    var isFinished = false
    var error: (any Error)?

    /// The answer to a reader; nil if it has to wait.
    mutating func answer() -> Result<Element?, any Error>? {
      if next < elements.count {
        defer { discardRead() }
        return .success(elements[next])
      }
      guard isFinished else { return nil }
      defer { error = nil }
      return error.map { .failure($0) } ?? .success(nil)
    }

    private mutating func discardRead() {
      next += 1
      // Seldom, so that each element is moved a few times at most.
      guard next > 64, next * 2 > elements.count else { return }
      elements.removeFirst(next)
      next = 0
    }
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let stream: ResultStream

    func next() async throws -> Element? { try await stream.next() }
  }

  private let state = Mutex(State())

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

  /// Adds an element. Has no effect after the end.
  func publish(_ element: Element) { change { $0.elements.append(element) } }

  /// Ends the stream. Has no effect after the end.
  func finish(_ error: (any Error)?) {
    change {
      $0.isFinished = true
      $0.error = error
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let answers = state.withLock { state in
      guard !state.isFinished else {
        return [(CheckedContinuation<Element?, any Error>, Result<Element?, any Error>)]()
      }
      body(&state)
      var answers: [(CheckedContinuation<Element?, any Error>, Result<Element?, any Error>)] = []
      while let reader = state.readers.first, let answer = state.answer() {
        state.readers.removeFirst()
        answers.append((reader.continuation, answer))
      }
      return answers
    }
    for (reader, answer) in answers { reader.resume(with: answer) }
  }

  private func next() async throws -> Element? {
    let id = state.withLock { state in
      state.lastReader += 1
      return state.lastReader
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Element?, any Error>? in
          // Cancelling calls `leave` once, perhaps before the reader is in the list.
          let answer = state.answer() ?? (Task.isCancelled ? .success(nil) : nil)
          if answer == nil { state.readers.append((id, continuation)) }
          return answer
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: Int) {
    let reader = state.withLock { state in
      state.readers.firstIndex { $0.id == id }.map { state.readers.remove(at: $0) }
    }
    reader?.continuation.resume(returning: nil)
  }
}
