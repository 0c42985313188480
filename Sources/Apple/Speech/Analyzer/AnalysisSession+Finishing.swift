import RecognitionCore
import CoreMedia
import Foundation

extension AnalysisSession {
  /// Requests that everything up to a time becomes final.
  /// - Parameters:
  ///   - through: nil for all audio so far.
  ///   - isLast: whether the session ends afterwards.
  /// - Returns: the request's number; nil if there is nothing to wait for.
  func requestFinalization(through time: CMTime?, isLast: Bool) -> Int? {
    guard !isFinished, !isLast || input > 0 else { return nil }
    // At the end, audio after the time that was received is recognized, too.
    if let time, time <= timeline.finalized, !isLast || timeline.end == nil { return nil }
    guard let through = time ?? timeline.end else { return nil }
    return request(through: through, isLast: isLast)
  }

  /// Requests that everything becomes final when the input has ended.
  func requestFinalizationOfInput() -> Int { request(through: nil, isLast: true) }

  private func request(through: CMTime?, isLast: Bool) -> Int {
    let id = number()
    ledger.add(.init(id: id, through: through, isLast: isLast))
    evaluate()
    return id
  }

  /// Starts the requests whose audio has arrived, and completes those that every recognizer has answered.
  func flushWhatIsDue() {
    guard !isFinished else { return }
    // When an input ends, requests for later times complete at its end. More audio may follow from the next input.
    let isInputOver = input > 0 && !isInputActive
    for request in ledger.due(end: timeline.end, isInputOver: isInputOver) {
      do { if request.isLast { try endAudio() } } catch { return end(error) }
      let busy = runs.filter { $0.recognizer != nil && $0.sink != nil }
      ledger.begin(request.id, end: timeline.end ?? .zero, modules: Set(busy.map(\.id)))
      for run in busy { run.recognizer?.flush(request.id, isLast: request.isLast) }
    }
    guard let reached = ledger.completed() else { return }
    let end = AnalysisTimeline.sample(at: reached)
    for run in runs where !run.isRetired {
      run.finalized = max(run.finalized, end)
      run.sink?.finalize(through: end)
    }
    report(changedStart: timeline.finalize(through: reached), changedEnd: false)
    if let last, !ledger.contains(last) { finish() }
  }

  /// Drops the audio before a time that is not recognized yet.
  func cancel(before time: CMTime) {
    guard !isFinished, time.isValid, let end = timeline.end, time > timeline.finalized else { return }
    let reached = CMTimeMinimum(time, end)
    let position = AnalysisTimeline.sample(at: reached)
    for run in runs where !run.isRetired {
      run.recognizer?.drop(before: position)
      run.finalized = max(run.finalized, position)
      run.processed = max(run.processed, position)
      run.sink?.finalize(through: position)
    }
    report(changedStart: timeline.finalize(through: reached), changedEnd: false)
    evaluate()
  }

  /// Ends the session after all results are published; with an error if some audio could not be recognized.
  func finish() {
    guard !failures.isEmpty else { return end(nil) }
    let cause = RecognitionError.failed(failures, reason: failureReason)
    end(SFSpeechError(.moduleOutputFailed, userInfo: [NSUnderlyingErrorKey: cause]))
  }

  /// Recognizes the audio so far and then ends the session. Called when the analyzer is released.
  func drain() {
    guard !isFinished else { return }
    guard let id = requestFinalization(through: nil, isLast: true) else { return end(nil) }
    last = id
    flushWhatIsDue()
  }

  /// Ends the session at once.
  func end(_ problem: (any Error)?) {
    guard !isFinished else { return }
    let error = problem.map(Self.clientError(for:))
    state = .finished(error)
    for run in runs {
      run.recognizer?.cancel()
      run.finish(error)
    }
    for case let module as any AnalysisModule in modules where !runs.contains(where: { $0.module === module })
    {
      module.makeSink(at: 0, SinkSetup()).finish(error)
    }
    runs = []
    ledger = FinalizationLedger()
    setHandler(nil)
    let left = waiters
    waiters = []
    for waiter in left { waiter.continuation.resume(throwing: error ?? CancellationError()) }
  }

  /// The error that a client receives for a failure of the speech service.
  static func clientError(for error: any Error) -> any Error {
    let code: SFSpeechError.Code
    switch error {
    case is SFSpeechError, is CancellationError: return error
    case let error as NSError where error.domain == "kLSRErrorDomain" && error.code == 102: code = .noModel
    case let error as NSError where error.domain == "kLSRErrorDomain" || error.domain.hasPrefix("kAF"):
      code = .internalServiceError
    default: return error
    }
    return SFSpeechError(
      code,
      userInfo: [
        NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: (error as NSError).localizedDescription,
      ])
  }
}
