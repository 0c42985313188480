import Foundation
import Speech

/// Gathers what one recognition task says of one file.
///
/// `@unchecked Sendable`: `lock` guards everything that changes; the recognizer's queue runs one callback at a time.
final class FileRecognition: NSObject, SFSpeechRecognitionTaskDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private let alternatives: Int
  private let report: @Sendable (TimeInterval) -> Void
  private let segment: @Sendable (Segment) -> Void
  private var task: SFSpeechRecognitionTask?
  private var isCancelled = false
  private var outcome = RecognitionOutcome()
  private var continuation: CheckedContinuation<(any Error)?, Never>?

  /// - Parameters:
  ///   - alternatives: the most candidates to keep for a segment, at least 1.
  ///   - report: told how many seconds are done.
  ///   - segment: told each segment as soon as it is final.
  init(
    alternatives: Int, report: @escaping @Sendable (TimeInterval) -> Void,
    segment: @escaping @Sendable (Segment) -> Void
  ) {
    self.alternatives = alternatives
    self.report = report
    self.segment = segment
  }

  /// Recognizes the file and waits for the end.
  /// - Throws: `TranscriptionError`, or `CancellationError`.
  func run(
    _ request: SFSpeechURLRecognitionRequest, by recognizer: SFSpeechRecognizer
  ) async throws -> RecognitionOutcome {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    recognizer.queue = queue
    let error = await withCheckedContinuation { continuation in
      lock.lock()
      self.continuation = continuation
      let isCancelled = isCancelled
      lock.unlock()
      let task = recognizer.recognitionTask(with: request, delegate: self)
      lock.lock()
      self.task = task
      let isCancelledNow = self.isCancelled
      lock.unlock()
      if isCancelled || isCancelledNow { task.cancel() }
    }
    try Task.checkCancellation()
    var outcome = lock.withLock { self.outcome }
    if let error { try outcome.end(with: error) }
    return outcome
  }

  /// Stops the recognition; `run` then throws `CancellationError`. From any thread.
  func cancel() {
    lock.lock()
    isCancelled = true
    let task = task
    lock.unlock()
    task?.cancel()
  }

  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didFinishRecognition recognitionResult: SFSpeechRecognitionResult
  ) {
    let candidates = recognitionResult.transcriptions.prefix(max(1, alternatives)).map(Candidate.init)
    if let new = lock.withLock({ outcome.add(candidates) }) { segment(new) }
  }

  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didProcessAudioDuration duration: TimeInterval
  ) {
    report(duration)
  }

  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool) {
    lock.lock()
    let continuation = continuation
    self.continuation = nil
    lock.unlock()
    continuation?.resume(returning: successfully ? nil : task.error ?? CancellationError())
  }
}

extension Candidate {
  /// A reading that the recognizer offered.
  init(_ transcription: SFTranscription) {
    self.init(
      text: transcription.formattedString,
      words: transcription.segments.map { segment in
        Word(
          text: segment.substring, start: segment.timestamp, end: segment.timestamp + segment.duration,
          confidence: Double(segment.confidence))
      })
  }

  /// Words, together as confident as they are on average.
  init(text: String, words: [Word]) {
    self.init(
      text: text, words: words,
      confidence: words.isEmpty ? 0 : words.reduce(0) { $0 + $1.confidence } / Double(words.count))
  }
}
