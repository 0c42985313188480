import Longhand
import Testing

@testable import LonghandVocabulary

/// What names a general recognizer's own words give back.
@Suite struct MisheardSentencesTests {
  struct Tally: Sendable {
    var found = 0
    var wrong = 0
    var missed = 0
    var recall: Double { Double(found) / Double(max(1, found + missed)) }
  }

  private static func tally(
    _ domain: String, corrections: [Vocabulary.Correction] = [],
    where isCounted: (Int) -> Bool = { _ in true }
  ) -> Tally {
    let terms = MisheardSentences.terms[domain] ?? []
    let normalizer = TranscriptNormalizer(corrections: corrections, entities: terms)
    return MisheardSentences.all.filter { $0.domain == domain && isCounted($0.number) }
      .reduce(into: Tally()) { tally, sentence in
        let said = Set(normalizer.normalizeLocally(sentence.said).extractedTerms)
        let heard = Set(normalizer.normalizeLocally(sentence.heard).extractedTerms)
        tally.found += said.intersection(heard).count
        tally.wrong += heard.subtracting(said).count
        tally.missed += said.subtracting(heard).count
      }
  }

  /// What a person would declare after reading one half of the sentences: the words in place of a name.
  private static func corrections(_ domain: String) -> [Vocabulary.Correction] {
    let terms = MisheardSentences.terms[domain] ?? []
    let matcher = EntityMatcher(terms)
    return MisheardSentences.all.filter { $0.domain == domain && $0.number % 2 == 0 }.flatMap { sentence in
      let said = SpokenText(sentence.said)
      let heard = SpokenText(sentence.heard)
      func words(_ text: SpokenText) -> [String] { (0..<text.count).map(text.word) }
      return matcher.matches(in: said).filter(\.isExact).compactMap { match -> Vocabulary.Correction? in
        var position = (said: 0, heard: 0)
        var place: (start: Int, end: Int)?
        // The words that are not matched, around the name.
        var run = (start: 0, hasName: false)
        for operation in WordAlignment(reference: words(said), hypothesis: words(heard)).operations {
          if operation == .match {
            if run.hasName { place = place ?? (run.start, position.heard) }
            run = (position.heard + 1, false)
          } else if operation != .insertion, match.words.contains(position.said) {
            run.hasName = true
          }
          if operation != .insertion { position.said += 1 }
          if operation != .deletion { position.heard += 1 }
        }
        if run.hasName { place = place ?? (run.start, position.heard) }
        guard let place, place.start < place.end else { return nil }
        let text = (place.start..<place.end).map(heard.word).joined(separator: " ")
        return Vocabulary.Correction(recognized: text, text: terms[match.entity])
      }
    }
  }

  @Test(arguments: ["chess", "jiujitsu", "medicine"])
  func noNameIsFoundThatWasNotSaid(_ domain: String) {
    let alone = Self.tally(domain)
    let corrections = Self.corrections(domain)
    let without = Self.tally(domain, where: { $0 % 2 == 1 })
    let with = Self.tally(domain, corrections: corrections, where: { $0 % 2 == 1 })
    let own = Self.tally(domain, corrections: corrections, where: { $0 % 2 == 0 })
    print(
      "\(domain): all \(alone) \(alone.recall), other half \(without.recall) to \(with.recall)",
      "wrong \(with.wrong), own half \(own.recall)")
    #expect(alone.wrong == 0)
    #expect(with.wrong == 0)
    #expect(alone.found + alone.missed >= 40)
    #expect(with.recall >= without.recall)
    // Declared corrections are found.
    #expect(own.recall >= 0.9)
    #expect(alone.recall > 0.1)
  }
}
