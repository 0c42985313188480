#if os(Linux)
  import LonghandVocabulary
  import Testing

  @testable import LonghandTranscription

  /// What voices say to try the terms of a vocabulary, and what a transcript has in place of them.
  @Suite struct SpokenTermTests {
    private func vocabulary(_ term: Vocabulary.Term, phrases: [String] = []) -> Vocabulary {
      var vocabulary = Vocabulary(name: "test")
      vocabulary.terms = [term]
      vocabulary.phrases = phrases.map { .init(text: $0) }
      return vocabulary
    }

    private func sentences(_ term: Vocabulary.Term, phrases: [String] = []) -> [SpokenTerm.Sentence] {
      let spoken = SpokenTerm(term, of: vocabulary(term, phrases: phrases))
      return (0..<4).map(spoken.sentence)
    }

    @Test func eachVoiceSaysAnotherSentence() {
      let sentences = sentences(.init(text: "King's Indian"))
      #expect(Set(sentences.map(\.text)).count == 4)
      #expect(sentences.allSatisfy { $0.text.contains(" King's Indian ") })
      #expect(sentences.allSatisfy { $0.phones == nil })
    }

    /// Phrases of other terms, and those that are the term alone, are no examples.
    @Test func phrasesOfTheVocabularyAreSaidFirst() {
      let sentences = sentences(
        .init(text: "Albin counter"),
        phrases: ["albin COUNTER", "play the Albin", "Play the albin Counter gambit"])
      #expect(sentences[0].text == "play the Albin counter gambit")
      #expect(sentences[1].text == "we talked about Albin counter this morning")
    }

    @Test func pronunciationsAreSaidInTurns() {
      let sentences = sentences(.init(text: "Winawer", pronunciations: ["w I n aU @r", "\"v i n A v 3`"]))
      #expect(sentences[0].phones == "w ih n aw er")
      #expect(sentences[1].phones == "v iy n aa v er")
      #expect(sentences[2].phones == "w ih n aw er")
      #expect(
        sentences[0].markup
          == "<speak>we talked about <phoneme ph=\"w ih n aw er\">Winawer</phoneme> this morning</speak>")
    }

    @Test func marksOfATermAreNoMarkup() {
      #expect(
        sentences(.init(text: "R&D <x>"))[0].markup
          == "<speak>we talked about R and D  x  this morning</speak>")
    }

    @Test(arguments: [
      ("We talked about furosemide this morning.", nil),
      ("We talked about Furosemide, this morning!", nil),
      ("We talked about fur oh semide this morning.", "fur oh semide"),
      ("We talked about this morning.", ""),
      ("We'd talked about furosemite this morning", "we'd talked about furosemite"),
      ("", ""),
    ])
    func whatIsWrittenInPlaceOfATermIsFound(_ text: String, _ other: String?) {
      #expect(sentences(.init(text: "furosemide"))[0].other(in: text) == other)
    }

    /// Spellings that mean the same words are the term.
    @Test func otherSpellingsOfATermAreTheTerm() {
      #expect(
        sentences(.init(text: "haemoglobin A1C"))[0].other(in: "we talked about haemoglobin A1C this morning")
          == nil)
      #expect(
        sentences(.init(text: "half-guard"))[0].other(in: "We talked about half guard this morning.") == nil)
    }
  }
#endif
