import SpeechServiceProtocol
import Testing

@testable import Speech

@Suite struct DomainReadingTests {
  /// A hypothesis whose words are a tenth of a second long. A word of the domain has `*` at its end.
  private static func hypothesis(_ text: String, _ source: ServiceHypothesis.Source) -> ServiceHypothesis {
    let words = text.split(separator: " ").enumerated().map { index, word in
      var found = ServiceHypothesis.Word(
        text: word.filter { $0 != "*" }, start: Double(index) / 10, end: Double(index + 1) / 10,
        confidence: 0.9)
      found.isOfDomain = source == .domain ? word.contains("*") : nil
      return found
    }
    return ServiceHypothesis(words: words, confidence: 0.9, source: source)
  }

  /// The utterance with what another recognizer reads.
  /// - Parameter count: the words of the language model.
  private static func read(
    _ own: [ServiceHypothesis], _ reading: String, words count: Int = 20, requests: inout [String]
  ) -> RecognizedUtterance {
    let utterance = RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: 16_000)), hypotheses: own,
      nonspeech: nil, of: WordPolicy(support: nil))
    let configuration = ServiceConfiguration(
      model: ModelReference(.whisper, folder: "/m", digest: "0"),
      languageModel: .init(model: "/m.arpa", vocabulary: nil, weight: nil, digest: "0", wordCount: count))
    return utterance.completed(of: configuration) { _, request, _ in
      var isAsked = request == .read
      if case .terms(let words) = request { isAsked = words.map(\.text) == own.first?.words.map(\.text) }
      requests.append("\(request)".prefix { $0 != "(" }.description)
      return isAsked && !reading.isEmpty ? [hypothesis(reading, .domain)] : []
    }
  }

  private static func read(_ own: [ServiceHypothesis], _ reading: String) -> RecognizedUtterance {
    var requests: [String] = []
    return read(own, reading, requests: &requests)
  }

  private static func text(_ utterance: RecognizedUtterance) -> String? {
    utterance.candidates.first?.words.map(\.text).joined(separator: " ")
  }

  /// Reading an utterance takes several times as long as recognizing it. The rows have the words of the domain, how the text was
  /// found, whether the other recognizer finds a term, and what it is asked.
  @Test(arguments: [
    (20, ServiceHypothesis.Source.best, true, ["read"]), (20, .best, false, ["read", "terms"]),
    (20, .biased, true, ["terms"]), (20, .domain, true, []), (600, .best, true, ["terms"]),
  ])
  func onlyAShortListIsRead(
    _ count: Int, _ source: ServiceHypothesis.Source, _ isFound: Bool, _ expected: [String]
  ) {
    var requests: [String] = []
    let read = Self.read(
      [Self.hypothesis("a win there", source)], isFound ? "a winawer* there" : "", words: count,
      requests: &requests)
    #expect(Self.text(read) == (isFound && source != .domain ? "a winawer there" : "a win there"))
    #expect(requests == expected)
  }

  /// The rows have what the recognizer wrote, what the other one reads, and the text.
  @Test(arguments: [
    ("He chose the Winata", "she* chose the* winawer*", "He chose the winawer"),
    ("He went home a plotty.", "he went omoplata*", "He went omoplata."),
    ("Home a plotty, he said", "omoplata* he said", "Omoplata, he said"),
    // Words outside of the domain, short words, and words that the other one leaves out.
    ("He chose it", "they chose it", "He chose it"),
    ("He went too", "he went to*", "He went too"),
    ("He chose it again", "he* chose*", "He chose it again"),
    // Short words count together.
    ("the car oh", "the caro* kann*", "the caro kann"), ("a boy", "of* soy*", "of soy"),
    ("She Chose it.", "she* chose* it*", "She Chose it."),
    ("", "the winawer*", "the winawer"), ("He chose it", "", "He chose it"),
  ])
  func onlyWordsOfTheDomainAreTaken(_ own: String, _ reading: String, _ expected: String) {
    let read = Self.read(own.isEmpty ? [] : [Self.hypothesis(own, .best)], reading)
    #expect(Self.text(read) == expected)
    let first = read.candidates.first
    #expect(first?.source == (expected == own ? .best : .domain))
    let times = first?.words.flatMap { [$0.start, $0.end] } ?? []
    #expect(times == times.sorted())
  }

  /// The rows have the text with phrases, that without them, the reading, and the result.
  @Test(arguments: [
    (
      "a kimori opens the armbar", "a kimori opens the arm bar", "a kimura* opens an* armed* bar*",
      "a kimura opens the armbar"
    )
  ])
  func phrasesThatAreFoundStay(_ biased: String, _ plain: String, _ reading: String, _ expected: String) {
    let read = Self.read([Self.hypothesis(biased, .biased), Self.hypothesis(plain, .best)], reading)
    #expect(Self.text(read) == expected)
  }
}
