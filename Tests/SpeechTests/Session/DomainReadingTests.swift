import SpeechServiceProtocol
import Testing

@testable import Speech

@Suite struct DomainReadingTests {
  private static func word(_ text: String, _ confidence: Double?) -> ServiceHypothesis.Word {
    .init(text: text, start: 0.1, end: 0.5, confidence: confidence)
  }

  /// Reading an utterance takes several times as long as recognizing it.
  @Test(arguments: [
    (600, 0.95, "win"), (600, 0.2, "winawer"), (600, nil, "winawer"), (20, 0.95, "winawer"),
  ])
  func ofALongListOnlyWhatIsUnsureIsRead(_ words: Int, _ confidence: Double?, _ expected: String) {
    let utterance = RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: 16_000)),
      hypotheses: [ServiceHypothesis(words: [Self.word("win", confidence)], confidence: nil)],
      nonspeech: nil, of: WordPolicy(support: nil))
    let configuration = ServiceConfiguration(
      model: ModelReference(.whisper, folder: "/m", digest: "0"),
      languageModel: .init(model: "/m.arpa", vocabulary: nil, weight: nil, digest: "0", wordCount: words))
    let read = utterance.completed(of: configuration) { _, _ in
      [ServiceHypothesis(words: [Self.word("winawer", 0.9)], confidence: nil, source: .domain)]
    }
    #expect(read.candidates.first?.words.map(\.text) == [expected])
  }
}
