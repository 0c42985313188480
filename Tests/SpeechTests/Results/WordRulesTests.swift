import Foundation
import Testing

@testable import Speech

/// The rules about words, on words as recognizers write them: with marks and capitals or without, with confidence or without,
/// in several writings.
@Suite struct WordRulesTests {
  private static func words(_ text: String, confidence: Double?) -> [RecognizedWord] {
    text.split(separator: " ").enumerated().map { index, word in
      let start = Double(index) * 0.4
      return RecognizedWord(text: String(word), start: start, end: start + 0.3, confidence: confidence)
    }
  }

  @Test(
    arguments: [
      ("the bastard left", "the b****** left"), ("You bastard.", "You b******."), ("Bastards!", "B*******!"),
      ("“Shit,” he said.", "“S***,” he said."), ("That is bull-shit?", "That is bull-s***?"),
      ("the bastard's car", "the b******'s car"), ("FUCKING, really", "F******, really"),
      ("Dickens. Pricked, classy; shuttle", "Dickens. Pricked, classy; shuttle"),
      ("Это прекрасно.", "Это прекрасно."), ("そうです。", "そうです。"),
    ], [nil, 0.5])
  func coarseWordsAreRedactedAndTheirMarksStay(_ row: (said: String, text: String), _ confidence: Double?) {
    let words = Self.words(row.said, confidence: confidence)
    var composer = TranscriptComposer(options: .init(redacts: true), start: 0)
    let utterance = RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: 64_000)),
      candidates: [RecognizedCandidate(words: words, confidence: confidence)])
    let text = composer.finalize(utterance)?.alternatives.first.map { String($0.characters) }
    #expect(text == row.text)
  }

  /// The rows have whether the recognizer writes marks and capitals, the language, what it wrote, and the text.
  @Test(
    arguments: [
      (false, "en", "hello comma how are you question mark", "Hello, how are you?"),
      (true, "en", "Hello, comma, how are you? Question mark.", "Hello, how are you?"),
      (true, "en", "Hello comma how are you question mark", "Hello, how are you?"),
      (true, "en", "It is late period we go full stop", "It is late. We go."),
      (
        true, "en", "Dear John, comma, new line, thank you. Period. New paragraph. Yours,",
        "Dear John,\nThank you.\n\nYours,"
      ),
      (true, "en", "Really? Question mark. Yes! Exclamation point.", "Really? Yes!"),
      (
        true, "en", "The Period's end, periods, a new Line's end.",
        "The Period's end, periods, a new Line's end."
      ),
      (false, "pl", "kot comma i pies", "Kot comma i pies."),
      (true, "pl", "Kot, comma, i pies. Period.", "Kot, comma, i pies. Period."),
      (true, "ru", "Привет, запятая. Period.", "Привет, запятая. Period."),
      (true, "ja", "そう です。 Comma,", "そうです。 Comma,"),
    ], [nil, 0.5])
  func spokenMarksTakeThePlaceOfTheRecognizersMarks(
    _ row: (isPunctuated: Bool, language: String, said: String, text: String), _ confidence: Double?
  ) {
    var style = TranscriptionStyle(addsSentenceMarks: !row.isPunctuated, writesSpokenMarks: true)
      .adapted(to: Locale(identifier: row.language))
    style.isPunctuated = row.isPunctuated
    var writer = TranscriptionWriter(style: style)
    writer.write(Self.words(row.said, confidence: confidence))
    writer.finish()
    #expect(writer.text == row.text)
    let whole = writer.text as NSString
    for segment in writer.segments {
      #expect(whole.substring(with: segment.substringRange) == segment.substring)
      #expect(segment.knownConfidence == confidence)
    }
  }

  /// A mark may be said after a pause, when the words before it are final.
  @Test func spokenMarkOfTheNextUtteranceIsWrittenOnce() {
    var style = TranscriptionStyle(writesSpokenMarks: true)
    style.isPunctuated = true
    var writer = TranscriptionWriter(style: style)
    var text = ""
    for said in ["It is late.", "Period.", "we go", "full stop"] {
      writer.write(Self.words(said, confidence: 0.5))
      text += writer.text
      writer = writer.continuing
    }
    #expect(text == "It is late. We go.")
  }

  @Test(arguments: [nil, 0.5]) func alternativesOfAWordDifferInMoreThanMarks(_ confidence: Double?) {
    let texts = ["We met Anna.", "we met Anna,", "We met, Hanna", "we met hanna."]
    let utterance = RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: []),
      candidates: texts.map {
        RecognizedCandidate(words: Self.words($0, confidence: confidence), confidence: confidence)
      })
    let alternatives = (0..<3).map { utterance.alternatives(toWord: $0, ofCandidate: 0) }
    #expect(alternatives == [[], [], ["Hanna"]])
  }
}
