import ExampleSupport
import Speech

/// Live recognition with a result handler, as a view with a record button would use it.
@MainActor
final class LiveRecognition {
  /// Why recognition failed.
  enum Failure: LocalizedError {
    case notAuthorized
    case unavailable

    var errorDescription: String? {
      switch self {
      case .notAuthorized: "speech recognition is not permitted"
      case .unavailable: "speech recognition is not available"
      }
    }
  }

  /// Called once at the end, with an error if recognition failed.
  var onEnd: ((any Error)?) -> Void = { _ in }

  private let display: LiveLine
  private let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US"))
  private var task: SFSpeechRecognitionTask?

  init(display: LiveLine) { self.display = display }

  /// Asks for permission, then recognizes a file.
  func start(file url: URL, inRealTime: Bool) {
    // The callback may run on any thread.
    SFSpeechRecognizer.requestAuthorization { @Sendable status in
      Task { @MainActor in
        guard status == .authorized else { return self.onEnd(Failure.notAuthorized) }
        do {
          try self.recognize(url, inRealTime: inRealTime)
        } catch {
          self.onEnd(error)
        }
      }
    }
  }

  private func recognize(_ url: URL, inRealTime: Bool) throws {
    guard let recognizer, recognizer.isAvailable else { throw Failure.unavailable }
    let request = SFSpeechAudioBufferRecognitionRequest()
    request.shouldReportPartialResults = true
    request.addsPunctuation = true
    if recognizer.supportsOnDeviceRecognition { request.requiresOnDeviceRecognition = true }

    let source = try FileSource(url: url)
    task = recognizer.recognitionTask(with: request) { [weak self] result, error in
      self?.receive(result, error)
    }
    Task {
      do {
        try await source.play(inRealTime: inRealTime) { buffer in request.append(buffer) }
      } catch {
        finish(error)
      }
      request.endAudio()
    }
  }

  private func receive(_ result: SFSpeechRecognitionResult?, _ error: (any Error)?) {
    if let result {
      let text = result.bestTranscription.formattedString
      if result.isFinal { display.finish(text) } else { display.replace(text) }
    }
    if error != nil || result?.isFinal == true { finish(error) }
  }

  private func finish(_ error: (any Error)?) {
    task = nil
    onEnd(error)
  }
}
