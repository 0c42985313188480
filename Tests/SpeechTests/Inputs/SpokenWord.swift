import AVFoundation
import Speech

/// A program for live dictation with a custom language model, without its view.
///
/// It does what Apple's article of 2026, "Recognizing speech in live audio", says of its sample SpokenWord, with the same
/// calls in the same order: capture, analysis and display are tasks of one group, stopping cancels it, and the display is
/// shielded. The sample itself is not here, because its text was not found under a licence.
@MainActor final class SpokenWord {
  enum Problem: Error { case noMicrophone, notAllowed }

  /// Keeps the session on one actor.
  actor Capture {
    private var session: AVCaptureSession?
    private var observer: (any NSObjectProtocol)?
    /// What ended a run of the session.
    private(set) var errors: [String] = []

    /// Starts, and starts again after an error: a busy sound server may take longer than a session waits for it.
    func start(_ session: AVCaptureSession) {
      self.session = session
      observer = NotificationCenter.default.addObserver(
        forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil
      ) { [weak self] note in
        let error = "\(note.userInfo?[AVCaptureSessionErrorKey] ?? note)"
        Task { await self?.startAgain(after: error) }
      }
      session.startRunning()
    }

    private func startAgain(after error: String) {
      errors.append(error)
      session?.startRunning()
    }

    func stop() {
      if let observer { NotificationCenter.default.removeObserver(observer) }
      session?.stopRunning()
      session = nil
    }
  }

  private(set) var transcript = AttributedString()
  let capture = Capture()
  private let model: SFSpeechLanguageModel.Configuration
  private var recording: Task<Void, any Error>?

  init(model: SFSpeechLanguageModel.Configuration) { self.model = model }

  private static func makeTranscriber(_ model: SFSpeechLanguageModel.Configuration?) -> DictationTranscriber {
    let preset = DictationTranscriber.Preset.progressiveLongDictation
    let hints =
      if let model {
        preset.contentHints.union([.customizedLanguage(modelConfiguration: model)])
      } else {
        preset.contentHints
      }
    return DictationTranscriber(
      locale: Locale(identifier: "en_US"), contentHints: hints,
      transcriptionOptions: preset.transcriptionOptions, reportingOptions: preset.reportingOptions,
      // The preset has no times, by which results are put together.
      attributeOptions: preset.attributeOptions.union([.audioTimeRange]))
  }

  /// Installs what is needed, prepares the language model, and asks for permission.
  func prepare(trainingData: URL) async throws {
    let transcriber = Self.makeTranscriber(nil)
    if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
      try await request.downloadAndInstall()
    }
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: trainingData, configuration: model)
    guard await AVCaptureDevice.requestAccess(for: .audio) else { throw Problem.notAllowed }
  }

  func start() { recording = Task { try await runSession() } }

  /// Cancels the recording, and waits for its last words.
  func stop() async throws {
    recording?.cancel()
    try await recording?.value
  }

  private func runSession() async throws {
    let transcriber = Self.makeTranscriber(model)
    let modules = [transcriber]
    let analyzer = SpeechAnalyzer(modules: modules)
    guard let device = AVCaptureDevice.default(.microphone, for: .audio, position: .unspecified) else {
      throw Problem.noMicrophone
    }
    let provider = try await CaptureInputSequenceProvider.providerWithSession(
      from: device, compatibleWith: modules)
    let (session, inputs) = (provider.captureSession, provider.analyzerInputs)
    let capture = capture
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask {
        await capture.start(session)
        if let end = try await analyzer.analyzeSequence(inputs) {
          try await analyzer.finalizeAndFinish(through: end)
        }
        await capture.stop()
      }
      group.addTask {
        try await withCancellationShield { try await self.display(transcriber) }
      }
    }
  }

  private func display(_ transcriber: DictationTranscriber) async throws {
    let transcripts = transcriber.results.map { @MainActor result in self.update(with: result) }
    for try await text in transcripts { transcript = text }
  }

  private func update(with result: DictationTranscriber.Result) -> AttributedString {
    var text = transcript
    if let range = text.rangeOfAudioTimeRangeAttributes(intersecting: result.range) {
      text.replaceSubrange(range, with: result.text)
    } else {
      text.append(result.text)
    }
    return text
  }
}

/// What `withTaskCancellationShield` of Swift 6.4 does: the operation does not see that the task is cancelled.
private func withCancellationShield(_ operation: @escaping @Sendable () async throws -> Void) async throws {
  try await Task { try await operation() }.value
}
