import CoreMedia

extension SpeechAnalyzer {
  /// Waits until the results of all audio before a time are final and published. The time may be later than the audio so
  /// far. The session continues. As soon as the audio before the time has been received, speech is cut at the end of the
  /// audio so far, which may be later than the time.
  ///
  /// If the input ends before the time, everything up to its end becomes final. In a cancelled task, this and the finishing
  /// methods still wait for the recognition of audio that was received, but not for more audio.
  /// - Parameter through: nil for all audio so far.
  /// - Throws: the error that ends the session; `CancellationError` if the session finishes first.
  final public func finalize(through: CMTime?) async throws {
    try session.check()
    guard let id = session.requestFinalization(through: through, isLast: false) else { return }
    try await answer(to: id)
  }

  /// Waits until the input has ended and everything is final; then ends the session. An input that replaces the current
  /// one counts, too. Without an input the session ends at once.
  ///
  /// On Linux the input of a capture session has ended, too, if the session was stopped; if it is running, its input ends with
  /// `stopRunning()`. A sequence that is made of `CaptureInputSequenceProvider.analyzerInputs` ends only with that.
  /// - Throws: the error that ends the session; `CancellationError` if another call finishes it first.
  final public func finalizeAndFinishThroughEndOfInput() async throws {
    try session.check()
    guard !session.isFinished else { return }
    if session.input == 0 { return session.finish() }
    let request = session.requestFinalizationOfInput()
    session.stoppable?.endWhenStopped()
    try await finish(when: request)
  }

  /// Waits until everything before a time is final; then ends the session. Later audio is ignored, unless it has been
  /// received before. Without an input the session ends at once.
  /// - Throws: the error that ends the session; `CancellationError` if another call finishes it first.
  final public func finalizeAndFinish(through: CMTime) async throws {
    try session.check()
    guard !session.isFinished else { return }
    guard let id = session.requestFinalization(through: through, isLast: true) else {
      return session.finish()
    }
    try await finish(when: id)
  }

  /// Waits until the audio before a time has been received; then ends the session, without waiting for its recognition.
  /// - Throws: the error that ends the session; `CancellationError` if another call finishes it first.
  final public func finish(after: CMTime) async throws {
    try session.check()
    guard !session.isFinished else { return }
    try await wait { session in
      let isInputOver = session.input > 0 && !session.isInputActive
      return isInputOver || session.timeline.end.map { $0 >= after } ?? false
    }
    session.end(nil)
  }

  /// Drops the audio before a time that is not final yet. Utterances that end before the time get no results, and their
  /// volatile results are revoked. An utterance that crosses the time is still recognized completely.
  final public func cancelAnalysis(before: CMTime) { session.cancel(before: before) }

  /// Ends the session at once. Results that were published before can still be read.
  final public func cancelAndFinishNow() async { session.end(nil) }

  private func finish(when id: Int) async throws {
    try await answer(to: id)
    session.finish()
    try session.check()
  }

  /// Waits for the answer to a request, in a cancelled task only if no more audio is needed for it.
  private func answer(to id: Int) async throws {
    do {
      try await wait(for: id) { !$0.ledger.contains(id) }
    } catch {
      session.ledger.forget(id)
      throw error
    }
  }
}
