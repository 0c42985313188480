import Foundation
import ScriptedSpeech
import TestSupport
import Testing

@testable import SentenceFormatting

/// Words are written as sentences, and stay the same words.
struct SentenceFormatterTests {
  /// Words of 0.3 s; a number between two words is a pause in seconds.
  private func words(_ text: String) -> [SentenceFormatter.Word] {
    var time = 0.0
    var words: [SentenceFormatter.Word] = []
    for part in text.split(separator: " ") {
      if let pause = Double(part) {
        time += pause
      } else {
        words.append(.init(text: String(part), start: time, end: time + 0.3))
        time += 0.3
      }
    }
    return words
  }

  private func written(
    _ words: [SentenceFormatter.Word], language: String = "en-US", names: [String: String] = [:]
  ) -> [SentenceFormatter.Output] {
    var formatter = SentenceFormatter(language: language, names: names)
    var outputs = words.compactMap { formatter.append($0) }
    if let last = formatter.finish() { outputs.append(last) }
    return outputs
  }

  private func text(_ text: String, language: String = "en-US", names: [String: String] = [:]) -> String {
    written(words(text), language: language, names: names).map(\.text).joined(separator: " ")
  }

  @Test(arguments: [
    ("the train was late 1.4 we waited for an hour", "The train was late. We waited for an hour."),
    ("he came to london and i'm told he liked it", "He came to London and I'm told he liked it."),
    ("", ""), ("yes", "Yes."),
  ])
  func pausesEndSentencesAndNamesHaveCapitals(spoken: String, expected: String) {
    #expect(text(spoken) == expected)
  }

  @Test(arguments: [
    (
      "en-US", "nothing like useful 0.9 knowledge could be gained",
      "Nothing like useful knowledge could be gained."
    ),
    ("en-US", "she gave him valuable 1 information about it", "She gave him valuable information about it."),
    (
      // A question has at most 24 words; the word before is another one.
      "en-US",
      "one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three is "
        + "nothing like useful 0.9 knowledge",
      "One two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three is "
        + "nothing like useful knowledge."
    ),
    ("en-US", "that was useful 1 knowledge is power", "That was useful. Knowledge is power."),
    ("en-US", "he met the famous 1.2 he was not alone", "He met the famous. He was not alone."),
    ("de-DE", "er ging mit seiner 0.9 schwester nach hause", "Er ging mit seiner schwester nach hause."),
    ("de-DE", "so fängt das an 0.9 wir gehen", "So fängt das an. Wir gehen."),
    ("fr-FR", "il parle de la 1.2 musique du pays", "Il parle de la musique du pays."),
    ("fr-FR", "il est parti 0.9 nous restons", "Il est parti. Nous restons."),
    ("es-ES", "vino con su 2 amigo", "Vino con su amigo."),
    ("ru-RU", "он живёт в 1 городе", "Он живёт в городе."),
  ])
  func sentenceGoesOnAfterAWordThatLeadsToTheNext(_ language: String, _ spoken: String, _ expected: String) {
    #expect(text(spoken, language: language) == expected)
  }

  @Test(arguments: [
    "where is the station", "do you know him", "what time is it", "how many people were there", "why not",
    "and who said that", "is there any milk", "can i help you", "have you seen my keys", "what's your name",
    "so how long does it take", "may i come in", "were they late",
  ])
  func questionsHaveQuestionMarks(spoken: String) {
    #expect(text(spoken).last == "?")
  }

  @Test(arguments: [
    "when he came it was late", "what a day", "do it again", "have a seat", "should you need help call me",
    "how beautiful it was", "where the road ends there is a house", "which was not what he wanted",
    "the question is who did it", "do not open the door", "may the road rise to meet you",
  ])
  func statementsHaveNone(spoken: String) {
    #expect(text(spoken).last == ".")
  }

  @Test func namesOfADomainAreWrittenAsDeclared() {
    #expect(
      text("we use kubernetes and graphql", names: ["kubernetes": "Kubernetes", "graphql": "GraphQL"])
        == "We use Kubernetes and GraphQL.")
  }

  @Test func otherLanguagesEndSentencesAtLongPausesOnly() {
    #expect(
      text("guten morgen 0.5 herr müller 1.0 wie geht es", language: "de-DE")
        == "Guten morgen herr müller. Wie geht es.")
  }

  @Test(arguments: ["ja-JP", "zh-CN", "th-TH", "ar-SA"])
  func writingWithoutCapitalsStaysAsItIs(language: String) {
    let spoken = [
      "ja-JP": "東京 1.5 です", "zh-CN": "你好 1.5 世界", "th-TH": "สวัสดี 1.5 ครับ", "ar-SA": "مرحبا 1.5 بكم",
    ]
    let expected = words(spoken[language] ?? "").map(\.text)
    #expect(expected.count == 2)
    #expect(written(words(spoken[language] ?? ""), language: language).map(\.text) == expected)
  }

  @Test func aLetterThatWouldBecomeTwoHasNoCapital() {
    #expect(text("ßtest ŉa") == "ßtest ŉa.")
  }

  @Test func formattedTextWithoutMarksAndCaseIsTheWords() throws {
    var generator = SeededGenerator(seed: 18, part: 0)
    let vocabulary =
      try RecognizedChapter.all().flatMap(\.words).map(\.text)
      + ["I", "3.5", "naïve", "ﬁne", "e\u{301}tude", "o'clock", "x-ray", "…", "\u{1F600}", "İstanbul", "ǆ"]
    for sequence in 0..<10_000 {
      var time = 0.0
      let words = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
        let start = time + pow(Double.random(in: 0...1.4, using: &generator), 3)
        // Recognizers report words of no length, and words that overlap.
        time = start + Double.random(in: -0.1...0.6, using: &generator)
        return SentenceFormatter.Word(
          text: vocabulary[Int.random(in: vocabulary.indices, using: &generator)], start: start,
          end: max(start, time), marks: WordMarks(code: Int.random(in: -75...75, using: &generator)))
      }
      let language = sequence % 5 == 0 ? "fr-FR" : "en-US"
      let outputs = written(words, language: language)
      #expect(outputs.map { $0.word.lowercased() } == words.map { $0.text.lowercased() })
    }
  }

  /// The weights and what they are applied to belong together: F1 on the recordings that they were fitted on.
  @Test func marksAreThoseOfTheBook() throws {
    var (ends, marks) = (Agreement(), Agreement())
    for chapter in try RecognizedChapter.all() {
      var formatter = SentenceFormatter(language: "en")
      var outputs: [SentenceFormatter.Output] = []
      for word in chapter.words {
        let voice = WordVoice(voicedFrames: word.voicedFrames)
        let spoken = SentenceFormatter.Word(
          text: word.text, start: word.start, end: word.end, voice: voice)
        if let output = formatter.append(spoken) { outputs.append(output) }
      }
      if let output = formatter.finish() { outputs.append(output) }
      for (word, output) in zip(chapter.words, outputs) {
        guard let mark = word.mark else { continue }
        ends.add([".", "?", "!"].contains(mark), output.mark.endsSentence)
        marks.add(!mark.isEmpty, output.mark != .none)
      }
    }
    #expect(ends.f1 > 0.73)
    #expect(marks.f1 > 0.84)
  }

  private struct Agreement {
    var both = 0
    var one = 0

    mutating func add(_ expected: Bool, _ found: Bool) {
      if expected, found { both += 1 } else if expected || found { one += 1 }
    }

    var f1: Double { Double(2 * both) / Double(2 * both + one) }
  }
}
