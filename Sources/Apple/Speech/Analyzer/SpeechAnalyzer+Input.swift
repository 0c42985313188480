import RecognitionCore
import AVFAudio
import CoreMedia

/// An input that may stop without an end, such as that of a capture session, which can be started again.
protocol StoppableInputs: Sendable {
  /// Ends the input when it stops, at once if it has stopped.
  func endWhenStopped()
}

extension AnalysisSession {
  /// Replaces the current input by a new one. Returns its number.
  func beginInput(_ inputs: any Sendable) -> Int {
    input += 1
    isInputActive = !isFinished
    inputEnd = nil
    stoppable = inputs as? any StoppableInputs
    if ledger.waitsForEndOfInput { stoppable?.endWhenStopped() }
    evaluate()
    return input
  }

  func isReading(_ number: Int) -> Bool { !isFinished && isInputActive && input == number }

  func endInput(_ number: Int, _ error: (any Error)?) {
    guard isReading(number) else { return }
    isInputActive = false
    stoppable = nil
    if let error { return end(error) }
    evaluate()
  }
}

extension SpeechAnalyzer {
  /// Starts to read an input and returns at once. The analyzer stops reading the input before. It stays alive until the
  /// input ends; the end of an input does not end the session.
  /// - Throws: the error that ended the session.
  final public func start<InputSequence>(inputSequence: InputSequence) async throws
  where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    try session.check()
    guard !session.isFinished else { return }
    let number = session.beginInput(inputSequence)
    Task { await self.consume(inputSequence, number: number) }
  }

  /// Reads an input to its end. The analysis of its audio may continue after the return. If the task is cancelled, the
  /// method returns early.
  /// - Returns: the end of the input's audio on the timeline; nil if it had none.
  /// - Throws: the error of the input, or the error that ended the session.
  final public func analyzeSequence<InputSequence>(_ inputSequence: InputSequence) async throws -> CMTime?
  where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    try session.check()
    guard !session.isFinished else { return nil }
    let number = session.beginInput(inputSequence)
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

  /// Reads an input to its end, outside the actor, because an input may be slow.
  nonisolated func consume<InputSequence>(_ sequence: InputSequence, number: Int) async
  where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    do {
      for try await input in sequence {
        guard try await append(input, from: number) else { return }
      }
      await endInput(number, nil)
    } catch is CancellationError {
      await endInput(number, nil)
    } catch {
      await endInput(number, error)
    }
  }

  private func endInput(_ number: Int, _ error: (any Error)?) { session.endInput(number, error) }

  /// Receives audio and waits until there is room for more; false if no more is needed.
  private func append(_ input: AnalyzerInput, from number: Int) async throws -> Bool {
    guard session.isReading(number) else { return false }
    try session.append(input)
    if !session.hasRoom { try await wait { $0.hasRoom || !$0.isReading(number) } }
    return session.isReading(number)
  }

  /// Waits until a condition is met.
  /// - Parameter request: the request to finalize audio whose answer is awaited. While audio that was received is recognized
  ///   for it, cancelling the task does not end the wait.
  /// - Throws: the error that ends the session; `CancellationError` if the session finishes first or the task is
  ///   cancelled.
  func wait(for request: Int? = nil, until condition: @escaping (AnalysisSession) -> Bool) async throws {
    if session.isCancellable(waitingFor: request) { try Task.checkCancellation() }
    if condition(session) { return }
    try session.check()
    if session.isFinished { throw CancellationError() }
    let id = session.number()
    let session = session
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The condition is checked again on the queue: it may have been met in between.
        let waiter = UncheckedBox(
          value: AnalysisSession.Waiter(
            id: id, request: request, condition: condition, continuation: continuation))
        session.executor.queue.async {
          if case .finished(let error) = session.state {
            return continuation.resume(throwing: error ?? CancellationError())
          }
          session.waiters.append(waiter.value)
          session.evaluate()
        }
        // The task may have been cancelled before the waiter was added.
        if Task.isCancelled { session.executor.queue.async { session.cancelWait(id) } }
      }
    } onCancel: {
      session.executor.queue.async { session.cancelWait(id) }
    }
  }
}

extension SpeechAnalyzer {
  /// Creates an analyzer that starts to read a file at once and stays alive until its end. With `finishAfterFile` the
  /// session ends with the file, after all results are final.
  /// - Throws: the error that ended the session.
  public init(
    inputAudioFile: AVAudioFile, modules: [any SpeechModule], options: SpeechAnalyzer.Options? = nil,
    analysisContext: AnalysisContext = .init(), finishAfterFile: Bool = false,
    volatileRangeChangedHandler:
      sending (
        (_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void
      )? = nil
  ) async throws {
    self.init(modules: modules, options: options, context: analysisContext)
    session.setHandler(volatileRangeChangedHandler)
    try await start(inputAudioFile: inputAudioFile, finishAfterFile: finishAfterFile)
  }

  /// Starts to read a file from its current position and returns at once. The audio is converted to a format that the
  /// modules accept. With `finishAfterFile` the session ends with the file, after all results are final.
  /// - Throws: the error that ended the session.
  final public func start(inputAudioFile audioFile: AVAudioFile, finishAfterFile: Bool = false) async throws {
    try session.check()
    guard !session.isFinished else { return }
    let inputs = AudioFileInputs(file: audioFile)
    let number = session.beginInput(inputs)
    Task {
      await self.consume(inputs, number: number)
      if finishAfterFile { try? await self.finish(afterInput: number) }
    }
  }

  /// Reads a file from its current position to its end. The audio is converted to a format that the modules accept.
  /// - Returns: the end of the file's audio on the timeline; nil if it had none.
  /// - Throws: `SFSpeechError.audioReadFailed`; the error that ended the session.
  final public func analyzeSequence(from audioFile: AVAudioFile) async throws -> CMTime? {
    try await analyzeSequence(AudioFileInputs(file: audioFile))
  }

  /// Finishes, unless another input has replaced this one.
  private func finish(afterInput number: Int) async throws {
    guard session.input == number else { return }
    try await finalizeAndFinishThroughEndOfInput()
  }
}
