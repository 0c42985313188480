import ExampleSupport
import Speech

/// Live recognition with a result handler, as a screen with a record button would hold it.
@MainActor
final class LiveRecognition {
  /// Why there is nothing to show.
  enum Failure: LocalizedError {
    case notAuthorized
    case unavailable

    var errorDescription: String? {
      switch self {
      case .notAuthorized: "the user does not allow speech recognition"
      case .unavailable: "speech recognition is not available"
      }
    }
  }

  /// Called once, at the end; with an error if the speech could not be recognized.
  var onEnd: ((any Error)?) -> Void = { _ in }

  private let display: LiveLine
  private let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US"))
  private var task: SFSpeechRecognitionTask?

  init(display: LiveLine) { self.display = display }

  /// Asks for permission, then listens to a file.
  func start(hearing url: URL, atPace: Bool) {
    // The answer comes on any thread.
    SFSpeechRecognizer.requestAuthorization { @Sendable status in
      Task { @MainActor in
        guard status == .authorized else { return self.onEnd(Failure.notAuthorized) }
        do {
          try self.listen(to: url, atPace: atPace)
        } catch {
          self.onEnd(error)
        }
      }
    }
  }

  private func listen(to url: URL, atPace: Bool) throws {
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
        try await source.play(atPace: atPace) { buffer in request.append(buffer) }
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
