import Speech
import Testing

/// Results as tests of Apple's clients fake them: subclasses outside the module.
@Suite struct ResultSubclassTests {
  private final class Transcription: SFTranscription {
    private let text: String

    init(text: String) {
      self.text = text
      super.init()
    }

    required init?(coder: NSCoder) { nil }

    override var formattedString: String { text }
    override var segments: [SFTranscriptionSegment] { [Segment(), Segment(), Segment()] }
  }

  private final class Segment: SFTranscriptionSegment {
    override class var supportsSecureCoding: Bool { false }
    override var substring: String { "word" }
    override var substringRange: NSRange { NSRange(location: 3, length: 4) }
    override var timestamp: TimeInterval { 1 }
    override var duration: TimeInterval { 2 }
    override var confidence: Float { 0.5 }
    override var alternativeSubstrings: [String] { ["sword"] }
  }

  private final class Metadata: SFSpeechRecognitionMetadata {
    override class var supportsSecureCoding: Bool { false }
    override var speakingRate: Double { 120 }
    override var averagePauseDuration: TimeInterval { 1 }
    override var speechStartTimestamp: TimeInterval { 2 }
    override var speechDuration: TimeInterval { 3 }
    override var voiceAnalytics: SFVoiceAnalytics? { SFVoiceAnalytics() }
  }

  private final class Result: SFSpeechRecognitionResult {
    override class var supportsSecureCoding: Bool { false }
    override var bestTranscription: SFTranscription { Transcription(text: "best") }
    override var transcriptions: [SFTranscription] { [bestTranscription, SFTranscription()] }
    override var isFinal: Bool { true }
    override var speechRecognitionMetadata: SFSpeechRecognitionMetadata? { Metadata() }
  }

  private final class Model: SFSpeechLanguageModel {
    override class func prepareCustomLanguageModel(
      for asset: URL, configuration: SFSpeechLanguageModel.Configuration
    ) async throws {
      throw CocoaError(.featureUnsupported)
    }

    override class func prepareCustomLanguageModel(
      for asset: URL, configuration: SFSpeechLanguageModel.Configuration, ignoresCache: Bool,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
      completion(CocoaError(.featureUnsupported))
    }
  }

  private final class Configuration: SFSpeechLanguageModel.Configuration, @unchecked Sendable {
    override class var supportsSecureCoding: Bool { false }
    override var languageModel: URL { URL(fileURLWithPath: "/model") }
    override var vocabulary: URL? { URL(fileURLWithPath: "/vocabulary") }
    override var weight: NSNumber? { 0.5 }
  }

  @Test func answerWhatTheyOverride() {
    let result: SFSpeechRecognitionResult = Result()
    #expect(result.isFinal)
    #expect(result.bestTranscription.formattedString == "best")
    #expect(result.transcriptions.map(\.formattedString) == ["best", ""])
    #expect(result.bestTranscription.segments.map(\.substring) == ["word", "word", "word"])
    let segment = result.bestTranscription.segments[0]
    #expect(segment.substringRange.location == 3)
    #expect(segment.timestamp == 1)
    #expect(segment.duration == 2)
    #expect(segment.confidence == 0.5)
    #expect(segment.alternativeSubstrings == ["sword"])
    let metadata = result.speechRecognitionMetadata
    #expect(metadata?.speakingRate == 120)
    #expect(metadata?.averagePauseDuration == 1)
    #expect(metadata?.speechStartTimestamp == 2)
    #expect(metadata?.speechDuration == 3)
    #expect(metadata?.voiceAnalytics != nil)
    #expect(!type(of: result).supportsSecureCoding)
    #expect(!type(of: segment).supportsSecureCoding)
  }

  @Test func areEmptyWhereTheyDoNot() throws {
    let result = SFSpeechRecognitionResult()
    #expect(!result.isFinal)
    #expect(result.transcriptions.isEmpty)
    #expect(result.speechRecognitionMetadata == nil)
    #expect(result.bestTranscription.formattedString == "")
    #expect(result.bestTranscription.segments.isEmpty)
    let segment = SFTranscriptionSegment()
    #expect(segment.substring == "")
    #expect(segment.substringRange.length == 0)
    #expect(segment.confidence == 0)
    #expect(SFSpeechRecognitionMetadata().voiceAnalytics == nil)
    let archive = try NSKeyedArchiver.archivedData(withRootObject: result, requiringSecureCoding: true)
    let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: SFSpeechRecognitionResult.self, from: archive)
    #expect(copy?.transcriptions.isEmpty == true)
  }

  @Test func prepareNoLanguageModel() async throws {
    let configuration: SFSpeechLanguageModel.Configuration = Configuration(
      languageModel: URL(fileURLWithPath: "/x"))
    #expect(configuration.languageModel.path == "/model")
    #expect(configuration.vocabulary?.path == "/vocabulary")
    #expect(configuration.weight == 0.5)
    let model: SFSpeechLanguageModel.Type = Model.self
    let asset = URL(fileURLWithPath: "/asset")
    await #expect(throws: CocoaError.self) {
      try await model.prepareCustomLanguageModel(for: asset, configuration: configuration)
    }
    let error = await withCheckedContinuation { continuation in
      model.prepareCustomLanguageModel(for: asset, configuration: configuration, ignoresCache: true) {
        continuation.resume(returning: $0)
      }
    }
    #expect(error is CocoaError)
  }
}
