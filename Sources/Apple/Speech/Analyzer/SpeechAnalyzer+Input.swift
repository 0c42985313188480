import AVFAudio
import CoreMedia

extension AnalysisSession {
  /// A new input takes the place of the one before; gives its number.
  func beginInput() -> Int {
    input += 1
    isInputActive = !isFinished
    inputEnd = nil
    evaluate()
    return input
  }

  func isReading(_ number: Int) -> Bool { !isFinished && isInputActive && input == number }

  func endInput(_ number: Int, _ error: (any Error)?) {
    guard isReading(number) else { return }
    isInputActive = false
    if let error { return end(error) }
    evaluate()
  }
}

extension SpeechAnalyzer {
  /// Begins to read an input, and returns at once; an input that is being read is read no further. The analyzer
  /// keeps itself alive until the input ends, which does not end the session.
  /// - Throws: what the session failed of.
  final public func start<InputSequence>(inputSequence: InputSequence) async throws
  where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    try session.check()
    guard !session.isFinished else { return }
    let number = session.beginInput()
    Task { await self.consume(inputSequence, number: number) }
  }

  /// Reads an input to its end; what was read may still be under analysis then. Cancelling the task returns early.
  /// - Returns: where the audio of the input ends on the timeline; nil if there was none.
  /// - Throws: what the input or the session failed of.
  final public func analyzeSequence<InputSequence>(_ inputSequence: InputSequence) async throws -> CMTime?
  where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    try session.check()
    guard !session.isFinished else { return nil }
    let number = session.beginInput()
    let reader = Task { await self.consume(inputSequence, number: number) }
    do {
      try await wait { !$0.isReading(number) }
    } catch is CancellationError {
      if Task.isCancelled { reader.cancel() }
    }
    try session.check()
    guard session.input == number else { return nil }
    session.endInput(number, nil)
    return session.inputEnd
  }

  /// Reads an input to its end, off the analyzer: an input may take its time.
  nonisolated func consume<InputSequence>(_ sequence: InputSequence, number: Int) async
  where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    do {
      for try await input in sequence {
        guard try await take(input, from: number) else { return }
      }
      await endInput(number, nil)
    } catch is CancellationError {
      await endInput(number, nil)
    } catch {
      await endInput(number, error)
    }
  }

  private func endInput(_ number: Int, _ error: (any Error)?) { session.endInput(number, error) }

  /// Takes audio, and waits for room for more; false if no more is wanted.
  private func take(_ input: AnalyzerInput, from number: Int) async throws -> Bool {
    guard session.isReading(number) else { return false }
    try session.take(input)
    if !session.hasRoom { try await wait { $0.hasRoom || !$0.isReading(number) } }
    return session.isReading(number)
  }

  /// Waits on the analyzer until a condition holds.
  /// - Throws: what the session fails of, `CancellationError` if it finishes before, or the task is cancelled.
  func wait(until condition: @escaping (AnalysisSession) -> Bool) async throws {
    try Task.checkCancellation()
    if condition(session) { return }
    try session.check()
    if session.isFinished { throw CancellationError() }
    let id = session.number()
    let session = session
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // On the queue, and judged there again: whatever came in between must not be missed.
        let waiter = UncheckedBox(
          value: AnalysisSession.Waiter(id: id, condition: condition, continuation: continuation))
        session.executor.queue.async {
          if case .finished(let error) = session.state {
            return continuation.resume(throwing: error ?? CancellationError())
          }
          session.waiters.append(waiter.value)
          session.evaluate()
        }
        // A cancellation may have come before there was a waiter.
        if Task.isCancelled {
          session.executor.queue.async { session.resume(id, throwing: CancellationError()) }
        }
      }
    } onCancel: {
      session.executor.queue.async { session.resume(id, throwing: CancellationError()) }
    }
  }
}
