import CoreMedia

extension AnalysisSession {
  /// Asks for everything up to a time to be final.
  /// - Parameters:
  ///   - through: nil for all audio that has been taken.
  ///   - isLast: no more audio is wanted.
  /// - Returns: the request's number; nil if there is nothing to wait for.
  func requestFinalization(through time: CMTime?, isLast: Bool) -> Int? {
    guard !isFinished else { return nil }
    if let time, time <= timeline.finalized, !isLast { return nil }
    guard let through = time ?? timeline.end else { return nil }
    return request(through: through, isLast: isLast)
  }

  /// Asks for everything to be final once the input has ended.
  func requestFinalizationOfInput() -> Int { request(through: nil, isLast: true) }

  private func request(through: CMTime?, isLast: Bool) -> Int {
    let id = number()
    ledger.add(.init(id: id, through: through, isLast: isLast))
    evaluate()
    return id
  }

  /// Has the recognizers commit what requests wait for, and tells what is final by that.
  func flushWhatIsDue() {
    guard !isFinished else { return }
    // Audio after the end of the input may still come from a next one; a time that it does not reach is over then.
    let isInputOver = input > 0 && !isInputActive
    for request in ledger.due(end: timeline.end, isInputOver: isInputOver) {
      do { if request.isLast { try endAudio() } } catch { return end(error) }
      let busy = runs.filter { $0.recognizer != nil && $0.sink != nil }
      ledger.begin(request.id, end: timeline.end ?? .zero, modules: Set(busy.map(\.id)))
      for run in busy { run.recognizer?.flush(request.id, isLast: request.isLast) }
    }
    guard let reached = ledger.completed() else { return }
    let end = AnalysisTimeline.place(of: reached)
    for run in runs where !run.isRetired {
      run.settled = max(run.settled, end)
      run.sink?.commit(through: end)
    }
    report(changedStart: timeline.finalize(through: reached), changedEnd: false)
    if let last, !ledger.contains(last) { finish() }
  }

  /// Gives up what has not been recognized before a time.
  func cancel(before time: CMTime) {
    guard !isFinished, time.isValid, let end = timeline.end, time > timeline.finalized else { return }
    let reached = CMTimeMinimum(time, end)
    let place = AnalysisTimeline.place(of: reached)
    for run in runs where !run.isRetired {
      run.recognizer?.drop(before: place)
      run.settled = max(run.settled, place)
      run.processed = max(run.processed, place)
      run.sink?.commit(through: place)
    }
    report(changedStart: timeline.finalize(through: reached), changedEnd: false)
    evaluate()
  }

  /// Ends the session after everything has its result; with an error if some audio could not be recognized.
  func finish() {
    guard !failures.isEmpty else { return end(nil) }
    let cause = RecognitionError.failed(failures, reason: failureReason)
    end(SFSpeechError(.moduleOutputFailed, userInfo: [NSUnderlyingErrorKey: cause]))
  }

  /// Recognizes what has been taken, and ends: nobody holds the analyzer any more.
  func drain() {
    guard !isFinished else { return }
    guard let id = requestFinalization(through: nil, isLast: true) else { return end(nil) }
    last = id
    flushWhatIsDue()
  }

  /// Ends the session at once.
  func end(_ problem: (any Error)?) {
    guard !isFinished else { return }
    let error = problem.map(AnalysisError.error(for:))
    state = .finished(error)
    for run in runs {
      run.recognizer?.cancel()
      run.finish(error)
    }
    for case let module as any AnalysisModule in modules where !runs.contains(where: { $0.module === module })
    {
      module.makeSink(at: 0).finish(error)
    }
    runs = []
    ledger = FinalizationLedger()
    setHandler(nil)
    let left = waiters
    waiters = []
    for waiter in left { waiter.continuation.resume(throwing: error ?? CancellationError()) }
  }
}
