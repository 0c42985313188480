extension Task {
  /// The value of the task, which is cancelled if the waiting task is.
  package var valueOrCancelled: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == any Error {
  /// The same of a task that is also cancelled as soon as a condition holds.
  /// - Parameters:
  ///   - interval: the time between two looks at the condition.
  ///   - isOver: the condition.
  package func value(
    lookingEvery interval: Duration, isOver: @escaping @Sendable () -> Bool
  ) async throws -> Success {
    let watch = Task<Void, any Error> {
      while !isOver() { try await Task<Never, Never>.sleep(for: interval) }
      cancel()
    }
    defer { watch.cancel() }
    return try await valueOrCancelled
  }
}
