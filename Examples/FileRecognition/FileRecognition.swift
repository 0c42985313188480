import Speech

/// Recognition of a file, followed by a task delegate.
@MainActor
final class FileRecognition: NSObject {
  /// Why nothing was recognized.
  enum Failure: LocalizedError {
    case notAuthorized
    case unavailable
    case cancelled

    var errorDescription: String? {
      switch self {
      case .notAuthorized: "the user does not allow speech recognition"
      case .unavailable: "speech recognition is not available"
      case .cancelled: "the recognition was cancelled"
      }
    }
  }

  /// Called once, at the end; with an error if the speech could not be recognized.
  var onEnd: ((any Error)?) -> Void = { _ in }

  private let url: URL
  private let report = ResultReport()
  private let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US"))
  private var task: SFSpeechRecognitionTask?

  init(url: URL) { self.url = url }

  /// Asks for permission, then recognizes.
  func start() {
    // The answer comes on any thread.
    SFSpeechRecognizer.requestAuthorization { @Sendable status in
      DispatchQueue.main.async {
        guard status == .authorized else { return self.onEnd(Failure.notAuthorized) }
        self.recognize()
      }
    }
  }

  private func recognize() {
    guard let recognizer, recognizer.isAvailable else { return onEnd(Failure.unavailable) }
    let request = SFSpeechURLRecognitionRequest(url: url)
    request.shouldReportPartialResults = false
    request.taskHint = .dictation
    if recognizer.supportsOnDeviceRecognition { request.requiresOnDeviceRecognition = true }
    task = recognizer.recognitionTask(with: request, delegate: self)
  }
}

extension FileRecognition: @MainActor SFSpeechRecognitionTaskDelegate {
  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didFinishRecognition recognitionResult: SFSpeechRecognitionResult
  ) {
    report.print(recognitionResult)
  }

  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool) {
    onEnd(successfully ? nil : task.error ?? Failure.cancelled)
  }
}
