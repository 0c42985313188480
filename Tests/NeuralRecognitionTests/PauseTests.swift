import RecognitionProtocol
import Testing

@testable import NeuralRecognition

/// What is decoded in a pause.
@Suite struct PauseTests {
  /// Counts what is decoded, and writes it.
  private final class CountingEngine: NeuralEngine {
    static let recognizer = Recognizer.whisper
    static let version = "1"
    let capabilities: NeuralCapabilities
    /// The samples of each whole utterance that was decoded.
    var decoded: [Int] = []

    init(configuration: ServiceConfiguration) throws(NeuralError) {
      var capabilities = NeuralCapabilities(
        .init(
          prefersPhrases: false, hasConfidence: true, isPunctuated: true, isLive: false, bindsLanguage: false)
      )
      capabilities.listsHypotheses = true
      self.capabilities = capabilities
    }

    func reconfigure(_ wanted: ServiceConfiguration, from current: ServiceConfiguration) -> Bool { true }

    func decode(_ samples: [Float], _ request: DecodingRequest) throws(NeuralError) -> [RecognizedTokens] {
      if !request.isUnfinished { decoded.append(samples.count) }
      let token = RecognizedTokens.Token(
        bytes: Array(" \(samples.count)".utf8), start: 0, logProbability: -0.1)
      return [RecognizedTokens(tokens: [token])]
    }

    func takes(_ phrases: [String]) -> Bool { true }
    func live() -> (any LiveDecoding)? { nil }
  }

  private let recognizer: NeuralRecognizer<CountingEngine>
  private let second = [Int16](repeating: 1000, count: 16_000)

  init() throws {
    recognizer = try NeuralRecognizer(
      configuration: ServiceConfiguration(model: ModelReference(.whisper, folder: "folder", digest: "")))
    recognizer.begin()
    _ = recognizer.append(second)
  }

  @Test func whatIsDecodedInAPauseIsNotDecodedAgainAtItsEnd() throws {
    recognizer.pause()
    recognizer.pause()
    #expect(recognizer.engine.decoded == [16_000])
    #expect(try recognizer.finish().map(\.text) == ["16000"])
    #expect(recognizer.engine.decoded == [16_000])
    // The next utterance is another one, however long it is.
    recognizer.begin()
    _ = recognizer.append(second)
    #expect(try recognizer.finish().map(\.text) == ["16000"])
    #expect(recognizer.engine.decoded == [16_000, 16_000])
  }

  @Test func whatIsSaidAfterAPauseIsDecodedWithWhatWasSaidBefore() throws {
    recognizer.pause()
    _ = recognizer.append(Array(second.prefix(8000)))
    #expect(try recognizer.finish().map(\.text) == ["24000"])
    #expect(recognizer.engine.decoded == [16_000, 24_000])
  }

  @Test func withoutAPauseTheEndDecodes() throws {
    #expect(recognizer.engine.decoded.isEmpty)
    #expect(try recognizer.finish().map(\.text) == ["16000"])
    #expect(recognizer.engine.decoded == [16_000])
  }
}
