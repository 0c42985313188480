import Foundation
import Speech

/// Gathers what one recognition task says of one file.
///
/// `@unchecked Sendable`: `lock` guards everything that changes; the recognizer's queue runs one callback at a time.
final class FileRecognition: NSObject, SFSpeechRecognitionTaskDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private let duration: TimeInterval
  private let options: FileTranscriber.Options
  private let progress: @Sendable (FileTranscriber.Progress) -> Void
  private var task: SFSpeechRecognitionTask?
  private var isCancelled = false
  private var segments: [Segment] = []
  private var processed: TimeInterval = 0
  private var continuation: CheckedContinuation<(any Error)?, Never>?

  init(
    duration: TimeInterval, options: FileTranscriber.Options,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void
  ) {
    self.duration = duration
    self.options = options
    self.progress = progress
  }

  /// Recognizes the file and waits for the end.
  /// - Throws: `TranscriptionError`, or `CancellationError`.
  func run(
    _ request: SFSpeechURLRecognitionRequest, by recognizer: SFSpeechRecognizer, source: String
  ) async throws -> Transcript {
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
    let failed = try error.map(Self.failedSeconds) ?? 0
    return transcript(source: source, failed: failed)
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
    var candidates = recognitionResult.transcriptions.prefix(max(1, options.alternatives)).map(Candidate.init)
    // They come in the recognizer's order, and an alternative is not surer than what was preferred to it.
    for index in candidates.indices.dropFirst() {
      candidates[index].confidence = min(candidates[index].confidence, candidates[index - 1].confidence)
    }
    guard let first = candidates.first?.words.first, let last = candidates.first?.words.last else { return }
    lock.lock()
    segments.append(
      Segment(id: segments.count, start: first.start, end: last.end, candidates: candidates))
    lock.unlock()
  }

  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didProcessAudioDuration duration: TimeInterval
  ) {
    lock.lock()
    processed = min(self.duration, max(processed, duration))
    let report = FileTranscriber.Progress(processed: processed, duration: self.duration)
    lock.unlock()
    progress(report)
  }

  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool) {
    lock.lock()
    let continuation = continuation
    self.continuation = nil
    lock.unlock()
    continuation?.resume(returning: successfully ? nil : task.error ?? CancellationError())
  }

  private func transcript(source: String, failed: TimeInterval) -> Transcript {
    lock.lock()
    defer { lock.unlock() }
    let transcribed = segments.reduce(0) { $0 + $1.end - $1.start }
    return Transcript(
      source: source, locale: options.locale.identifier(.bcp47), engine: "recognizer", duration: duration,
      segments: segments,
      coverage: Coverage(
        transcribed: transcribed, silent: max(0, duration - transcribed - failed), failed: failed))
  }

  /// The seconds that could not be recognized, if the rest could.
  /// - Throws: `TranscriptionError` if nothing could.
  private static func failedSeconds(_ error: any Error) throws -> TimeInterval {
    let error = error as NSError
    switch (error.domain, error.code) {
    case ("kAFAssistantErrorDomain", 1110):
      return 0
    case ("kAFAssistantErrorDomain", 203):
      // On Linux the error says which parts of the audio failed; elsewhere it is all of it.
      guard let ranges = error.userInfo["SpeechFailedTimeRanges"] as? [[NSNumber]] else { fallthrough }
      return ranges.reduce(0) { $0 + $1[1].doubleValue - $1[0].doubleValue }
    case ("kAFAssistantErrorDomain", _),
      (SFSpeechErrorDomain, SFSpeechError.Code.internalServiceError.rawValue):
      throw TranscriptionError.recognizerFailed(error.localizedDescription)
    case ("kLSRErrorDomain", _), (SFSpeechErrorDomain, SFSpeechError.Code.noModel.rawValue):
      throw TranscriptionError.notInstalled(error.localizedDescription, hint: "make setup build")
    default:
      throw TranscriptionError.undecodable(error.localizedDescription)
    }
  }
}

extension Candidate {
  /// A reading that the recognizer offered; as confident as its words are on average.
  init(_ transcription: SFTranscription) {
    let words = transcription.segments.map { segment in
      Word(
        text: segment.substring, start: segment.timestamp, end: segment.timestamp + segment.duration,
        confidence: Double(segment.confidence))
    }
    self.init(
      text: transcription.formattedString, words: words,
      confidence: words.isEmpty ? 0 : words.reduce(0) { $0 + $1.confidence } / Double(words.count))
  }
}
