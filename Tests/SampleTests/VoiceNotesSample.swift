import AVFoundation
import FoundationModels
import Speech

// A program as it is written for the systems of 2026: a recording through a tap or a capture session, its words, and a
// summary by whichever model there is.

/// What was said, in short.
@available(iOS 27.0, macOS 27.0, *)
@Generable(description: "A note about something that was said")
struct Note: Equatable {
  @Guide(description: "At most three words")
  var title: String
  var isQuestion: Bool
}

/// Where the words of a recording come from.
@available(iOS 27.0, macOS 27.0, *)
actor VoiceNotes {
  private let transcriber: SpeechTranscriber
  private let analyzer: SpeechAnalyzer
  private var words: Task<String, any Error>?
  private var provider: CaptureInputSequenceProvider?
  private let engine = AVAudioEngine()
  private var feed: Task<Void, any Error>?

  init(locale: Locale) {
    transcriber = SpeechTranscriber(locale: locale, preset: .progressiveTranscription)
    analyzer = SpeechAnalyzer(
      modules: [transcriber],
      options: .init(priority: .userInitiated, modelRetention: .lingering, ignoresResourceLimits: false))
  }

  /// Installs the model if it is missing, and collects words from now on.
  func prepare() async throws {
    if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
      try await request.downloadAndInstall()
    }
    let results = transcriber.results
    words = Task {
      var text = AttributedString()
      for try await result in results where result.isFinal { text += result.text }
      return String(text.characters)
    }
  }

  /// Records with a capture session.
  func capture(from microphone: AVCaptureDevice) async throws {
    let provider = try await CaptureInputSequenceProvider.providerWithSession(
      from: microphone, compatibleWith: [transcriber], priority: .userInitiated)
    self.provider = provider
    try await analyzer.start(inputSequence: provider.analyzerInputs)
    provider.captureSession.startRunning()
  }

  /// Records with a tap, whose buffers may go to any task.
  func tap() async throws {
    let input = engine.inputNode
    let format = input.outputFormat(forBus: 0)
    let (buffers, continuation) = AsyncStream<(AVReadOnlyAudioPCMBuffer, AVAudioTime)>.makeStream()
    try input.installAudioTap(onBus: 0, bufferSize: AVAudioFrameCount(format.sampleRate / 10), format: format)
    {
      buffer, time in continuation.yield((buffer, time))
    }
    let converter = try await AnalyzerInputConverter.converter(compatibleWith: [transcriber])
    let (inputs, inputContinuation) = AsyncStream<AnalyzerInput>.makeStream()
    feed = Task {
      defer { inputContinuation.finish() }
      for await (buffer, time) in buffers {
        for input in try converter.convert(AVAudioPCMBuffer(copying: buffer), at: time) {
          inputContinuation.yield(input)
        }
      }
      for input in try converter.flush() { inputContinuation.yield(input) }
    }
    try await analyzer.start(inputSequence: inputs)
    engine.prepare()
    try engine.start()
    endOfTap = { continuation.finish() }
  }

  private var endOfTap: (@Sendable () -> Void)?

  /// Stops, and returns what was said.
  func finish() async throws -> String {
    provider?.captureSession.stopRunning()
    engine.inputNode.removeTap(onBus: 0)
    engine.stop()
    endOfTap?()
    try await feed?.value
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    return try await words?.value ?? ""
  }
}

/// How loud a buffer is: the largest sample of its first channel.
@available(iOS 27.0, macOS 27.0, *)
func peak(of buffer: AVReadOnlyAudioPCMBuffer) -> Float {
  switch buffer.channelData(0) {
  case .float(let samples):
    var peak: Float = 0
    for index in samples.indices { peak = max(peak, abs(samples[index])) }
    return peak
  case .int16(let samples): return samples.isEmpty ? 0 : Float(samples[0])
  case .int32(let samples): return samples.isEmpty ? 0 : Float(samples[0])
  }
}

/// A model of the program's own: it takes the first words.
@available(iOS 27.0, macOS 27.0, *)
struct FirstWords: LanguageModel {
  let count: Int

  var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([.guidedGeneration]) }
  var executorConfiguration: Executor.Configuration { Executor.Configuration(count: count) }

  struct Executor: LanguageModelExecutor {
    struct Configuration: Hashable, Sendable {
      let count: Int
    }

    private let configuration: Configuration

    init(configuration: Configuration) throws {
      guard configuration.count > 0 else {
        throw LanguageModelError.unsupportedGenerationGuide(
          .init(schemaName: nil, debugDescription: "A title has a word."))
      }
      self.configuration = configuration
    }

    func respond(
      to request: LanguageModelExecutorGenerationRequest, model: FirstWords,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      var said = ""
      for case .prompt(let prompt) in request.transcript {
        for case .text(let segment) in prompt.segments { said = segment.content }
      }
      let words = said.split(separator: " ").prefix(configuration.count).joined(separator: " ")
      if case .greedy? = request.generationOptions.samplingMode?.kind {
        await channel.send(
          .reasoning(action: .appendText("The first \(configuration.count) words.", tokenCount: 4)))
      }
      let note = GeneratedContent(properties: ["title": words, "isQuestion": said.hasSuffix("?")])
      await channel.send(
        .response(action: .appendText(request.schema == nil ? words : note.jsonString, tokenCount: 5)))
      await channel.send(
        .response(
          action: .updateUsage(
            input: .init(totalTokenCount: said.count, cachedTokenCount: 0),
            output: .init(totalTokenCount: words.count, reasoningTokenCount: 4))))
    }
  }
}

/// A note about a text, and how it came about.
@available(iOS 27.0, macOS 27.0, *)
func note(
  about text: String, by model: some LanguageModel
) async throws -> (note: Note, tokens: Int, thoughts: [String]) {
  let session = LanguageModelSession(model: model, instructions: "Write a note.")
  do {
    let response = try await session.respond(
      to: text, generating: Note.self,
      options: GenerationOptions(
        samplingMode: .greedy, maximumResponseTokens: 60, toolCallingMode: .disallowed),
      contextOptions: ContextOptions(includeSchemaInPrompt: true), metadata: ["purpose": "note"])
    var thoughts: [String] = []
    for case .reasoning(let entry) in response.transcriptEntries { thoughts.append("\(entry)") }
    return (response.content, response.usage.totalTokenCount, thoughts)
  } catch let error as LanguageModelError {
    switch error {
    case .contextSizeExceeded(let details): print("At most \(details.contextSize) tokens.")
    case .rateLimited(let details): print("Again at \(details.resetDate?.description ?? "some time").")
    case .unsupportedCapability, .unsupportedGenerationGuide: print("Another model, please.")
    default: print(error.localizedDescription)
    }
    throw error
  } catch let error as LanguageModelSession.Error where error == .concurrentRequests {
    throw CancellationError()
  }
}

/// The best model that there is.
@available(iOS 27.0, macOS 27.0, *)
func bestModel() -> any LanguageModel {
  let cloud = PrivateCloudComputeLanguageModel()
  if cloud.isAvailable, !cloud.quotaUsage.isLimitReached { return cloud }
  let system = SystemLanguageModel.default
  return system.isAvailable && system.capabilities.contains(.guidedGeneration) ? system : FirstWords(count: 3)
}
