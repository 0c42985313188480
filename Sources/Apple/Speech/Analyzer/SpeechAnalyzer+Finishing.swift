import CoreMedia

extension SpeechAnalyzer {
  /// Waits until the results of all audio before a time are final and published, also of audio that has yet to
  /// come; the session goes on. What is being said at that time is cut there.
  ///
  /// Once an input has ended, a time that it did not reach counts as its end.
  /// - Parameter through: nil for all audio that has been taken so far.
  /// - Throws: what the session fails of; `CancellationError` if it finishes before.
  final public func finalize(through: CMTime?) async throws {
    try session.check()
    guard let id = session.requestFinalization(through: through, isLast: false) else { return }
    try await answer(to: id)
  }

  /// Waits until the input has ended, also one that takes the place of the present one, and everything is
  /// final; then the session ends. Without an input it ends at once.
  /// - Throws: what the session fails of; `CancellationError` if it is finished otherwise before.
  final public func finalizeAndFinishThroughEndOfInput() async throws {
    try session.check()
    guard !session.isFinished else { return }
    if session.input == 0 { return session.finish() }
    try await finish(when: session.requestFinalizationOfInput())
  }

  /// Waits until everything before a time is final; then the session ends, whatever comes later.
  /// - Throws: what the session fails of; `CancellationError` if it is finished otherwise before.
  final public func finalizeAndFinish(through: CMTime) async throws {
    try session.check()
    guard !session.isFinished else { return }
    guard let id = session.requestFinalization(through: through, isLast: true) else {
      return session.finish()
    }
    try await finish(when: id)
  }

  /// Waits until the audio before a time has been taken; then the session ends, whether or not it has been
  /// recognized.
  /// - Throws: what the session fails of; `CancellationError` if it is finished otherwise before.
  final public func finish(after: CMTime) async throws {
    try session.check()
    guard !session.isFinished else { return }
    try await wait { session in
      let isInputOver = session.input > 0 && !session.isInputActive
      return isInputOver || session.timeline.end.map { $0 >= after } ?? false
    }
    session.end(nil)
  }

  /// Gives up audio before a time that is not final yet: utterances of speech that end before it get no
  /// results, and volatile results over it are revoked. What is being said at that time is still recognized
  /// whole.
  final public func cancelAnalysis(before: CMTime) { session.cancel(before: before) }

  /// Ends the session at once. Results that are published already can still be read.
  final public func cancelAndFinishNow() async { session.end(nil) }

  private func finish(when id: Int) async throws {
    try await answer(to: id)
    session.finish()
    try session.check()
  }

  private func answer(to id: Int) async throws {
    do {
      try await wait { !$0.ledger.contains(id) }
    } catch {
      session.ledger.forget(id)
      throw error
    }
  }
}
