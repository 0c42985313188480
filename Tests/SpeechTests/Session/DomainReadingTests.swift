@testable import RecognitionCore
@testable import RecognitionProtocol
import Testing

@testable import Speech

@Suite struct DomainReadingTests {
  /// A hypothesis whose words are a tenth of a second long. A word of the domain has `*` at its end.
  private static func hypothesis(_ text: String, _ source: ServiceHypothesis.Source) -> ServiceHypothesis {
    let words = text.split(separator: " ").enumerated().map { index, word in
      var found = ServiceHypothesis.Word(
        text: word.filter { $0 != "*" }, start: Double(index) / 10, end: Double(index + 1) / 10,
        confidence: 0.9)
      found.isOfDomain = source == .domain || source == .biased ? word.contains("*") : nil
      if source == .domain, found.isOfDomain == true { (found.confidence, found.probability) = (nil, 0.7) }
      return found
    }
    return ServiceHypothesis(words: words, confidence: 0.9, source: source)
  }

  /// The utterance with what another recognizer finds.
  /// - Parameter requests: gets the words in which domains are looked for; those that are of the domain already have `*`.
  private static func completed(
    _ own: [ServiceHypothesis], _ found: String, terms: [String] = [], requests: inout [String]
  ) -> RecognizedUtterance {
    let utterance = RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: 16_000)), hypotheses: own,
      nonspeech: nil, of: WordPolicy(support: nil))
    let configuration = ServiceConfiguration(
      model: ModelReference(.whisper, folder: "/m", digest: "0"), contextualStrings: terms,
      languageModel: .init(model: "/m.arpa", vocabulary: nil, weight: nil, digest: "0", wordCount: 20))
    return utterance.completed(of: configuration) { _, request, _ in
      guard case .terms(let words) = request else { return [] }
      requests.append(
        words.map { $0.isOfDomain == true ? "\($0.text)*" : $0.text }.joined(separator: " "))
      return found.isEmpty ? [] : [hypothesis(found, .domain)]
    }
  }

  private static func completed(
    _ own: String, _ found: String, terms: [String] = []
  ) -> RecognizedUtterance {
    var requests: [String] = []
    return completed(
      own.isEmpty ? [] : [hypothesis(own, .best)], found, terms: terms, requests: &requests)
  }

  private static func text(_ utterance: RecognizedUtterance) -> String? {
    utterance.candidates.first?.words.map(\.text).joined(separator: " ")
  }

  /// The rows have how the text was found, the word of the domain that the other recognizer finds, what it is asked, and the text.
  @Test(arguments: [
    (["a win there"], ServiceHypothesis.Source.best, "a winawer*", ["a win there"], "a winawer"),
    (["a win there"], .best, "", ["a win there"], "a win there"),
    (["a win there"], .domain, "a winawer*", [], "a win there"),
    ([], .best, "a winawer*", [], ""),
    // A phrase that a search found is not looked for again.
    (
      ["a kimori opens the armbar*", "a kimori opens the arm bar"], .biased, "a kimura* opens the armbar*",
      ["a kimori opens the armbar*"], "a kimura opens the armbar"
    ),
  ])
  func theDomainIsLookedForInWordsThatAreNotOfIt(
    _ own: [String], _ source: ServiceHypothesis.Source, _ found: String, _ expected: [String],
    _ text: String
  ) {
    var requests: [String] = []
    let hypotheses = own.enumerated().map { Self.hypothesis($0.element, $0.offset == 0 ? source : .best) }
    let utterance = Self.completed(hypotheses, found, requests: &requests)
    #expect(requests == expected)
    #expect(Self.text(utterance) ?? "" == text)
  }

  /// The rows have what the recognizer wrote, what the other one finds, and the text.
  @Test(arguments: [
    ("He chose the Winata", "He chose the winawer*", "He chose the winawer"),
    ("He went home a plotty.", "He went omoplata*", "He went omoplata."),
    ("Home a plotty, he said", "omoplata* he said", "Omoplata, he said"),
    ("the car oh", "the caro* kann*", "the caro kann"),
    // Words outside of the domain.
    ("He chose it", "they chose it", "He chose it"),
    ("She Chose it.", "she* chose* it*", "She Chose it."), ("He chose it", "", "He chose it"),
  ])
  func onlyWordsOfTheDomainAreTaken(_ own: String, _ found: String, _ expected: String) {
    let utterance = Self.completed(own, found)
    #expect(Self.text(utterance) == expected)
    let first = utterance.candidates.first
    #expect(first?.source == (expected == own ? .best : .domain))
    let times = first?.words.flatMap { [$0.start, $0.end] } ?? []
    #expect(times == times.sorted())
  }

  /// Nobody elected a text with a word of the domain.
  @Test func anElectionIsOfTheTextWithoutTheDomain() {
    var elected = Self.hypothesis("a winner there", .elected)
    elected.election = 1.25
    var requests: [String] = []
    let found = Self.completed([elected], "a winawer*", requests: &requests).candidates
    #expect(found.map(\.source) == [.domain, .elected])
    #expect(found.map(\.election) == [nil, 1.25])
  }

  /// What another recognizer thinks may be said, and what the first one says when it is asked: the logarithm by which the text is
  /// likelier than what it wrote; nil for no answer.
  @Test(
    arguments: [
      (["the winawer*"], [0, -9.0], "the winawer"), (["the winawer*"], [0, -11], "the Winata"),
      (["the winawer*"], [3, -8], "the Winata"), (["the winawer*"], [0, nil], "the Winata"),
      (["the winawer*"], [nil, 0], "the Winata"), (["the winawer*"], [0], "the Winata"),
      (["the winawer*"], nil, "the Winata"),
      // Only one word can be in a place: the likeliest one.
      (["the winawer*", "the winner*"], [0, -8, -2], "the winner"),
      (["winner* Winata", "the winawer*"], [0, -2, -2], "winner winawer"),
    ] as [([String], [Double?]?, String)])
  func aWordThatMayBeSaidIsTakenIfTheFirstRecognizerAgrees(
    _ possible: [String], _ scores: [Double?]?, _ expected: String
  ) {
    struct Refused: Error {}
    let utterance = RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: 16_000)),
      hypotheses: [Self.hypothesis("the Winata", .best)], nonspeech: nil, of: WordPolicy(support: nil))
    var texts: [[String]] = []
    let found = utterance.withDomain(by: .pocketSphinx) { _ in
      possible.map { text in
        var hypothesis = Self.hypothesis(text, .domain)
        hypothesis.source = .best
        return hypothesis
      }
    } hear: {
      texts = $0
      guard let scores else { throw Refused() }
      return scores.map { score in
        var hypothesis = ServiceHypothesis(words: [], confidence: nil)
        hypothesis.score = score
        return hypothesis
      }
    }
    #expect(Self.text(found) == expected)
    #expect(found.candidates.first?.source == (expected == "the Winata" ? .best : .domain))
    // A term in place of a name is a name.
    #expect(texts.first == ["the", "Winata"])
    #expect(texts.dropFirst().allSatisfy { !$0.contains("winawer") })
  }

  /// The rows have the terms, what the recognizer wrote, what the other one finds, and the text.
  @Test(arguments: [
    (["Winawer variation"], "He chose the Winata.", "he chose the winawer*", "He chose the Winawer."),
    (["Winawer variation"], "he chose the win a war", "he chose the winawer*", "he chose the Winawer"),
    (["Caro-Kann"], "the car oh, he said", "the caro* kann* he said", "the Caro Kann, he said"),
    (["GraphQL"], "A graph cue.", "a graphql*", "A GraphQL."),
    (["omoplata"], "Home a plotty, he said", "omoplata* he said", "Omoplata, he said"),
    // A term that also occurs without its capital.
    (["Polish opening", "polish it"], "the pole is", "the polish*", "the polish"),
    (["Größe"], "die große.", "die größe*", "die Größe."),
    (["Гуркха"], "это гурка.", "это гуркха*", "это Гуркха."), (["東京"], "これは 投稿。", "これは 東京*", "これは 東京。"),
  ])
  func wordsOfTheDomainAreWrittenAsItsTermsAre(
    _ terms: [String], _ own: String, _ found: String, _ expected: String
  ) {
    let utterance = Self.completed(own, found, terms: terms)
    #expect(Self.text(utterance) == expected)
    let confidences = utterance.candidates.first?.words.map(\.confidence) ?? []
    let count = found.count { $0 == "*" }
    #expect(confidences.filter { $0 == 0.7 }.count == count)
    #expect(!confidences.contains(nil))
  }
}
