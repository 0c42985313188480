@testable import RecognitionCore
import Foundation
import Testing

@testable import Speech

@Suite struct TranscriptionWriterTests {
  private static let sentences = TranscriptionStyle(addsSentenceMarks: true)
  private static let dictation = TranscriptionStyle(addsSentenceMarks: true, writesSpokenMarks: true)

  /// Words of 0.3 s; a number before a word is the pause before it, in seconds.
  private static func words(_ text: String) -> [RecognizedWord] {
    var time = 0.0
    var words: [RecognizedWord] = []
    for token in text.split(separator: " ") {
      if let pause = Double(token) {
        time += pause
      } else {
        words.append(RecognizedWord(text: String(token), start: time, end: time + 0.3, confidence: 0.5))
        time += 0.3
      }
    }
    return words
  }

  private static func written(_ text: String, _ style: TranscriptionStyle, quiet: Double? = 0.5)
    -> SFTranscription
  {
    var writer = TranscriptionWriter(style: style)
    let words = words(text)
    writer.write(words)
    if let quiet { writer.finish(at: (words.last?.end ?? 0) + quiet) }
    return writer.transcription
  }

  @Test func withoutMarksNothingIsAdded() {
    #expect(Self.written("and i 2 said comma", TranscriptionStyle()).formattedString == "and i said comma")
  }

  @Test(arguments: [
    ("hello world", "Hello world."),
    (
      "the train was late 1.4 i'm sure it was 0.5 but we waited",
      "The train was late. I'm sure it was, but we waited."
    ),
    ("where is 0.2 the station", "Where is the station?"),
  ]) func pausesBecomeMarks(_ spoken: String, _ text: String) {
    #expect(Self.written(spoken, Self.sentences).formattedString == text)
  }

  @Test func writingWithoutSpacesHasNone() {
    #expect(Self.written("東 京 GPS で す", TranscriptionStyle()).formattedString == "東京 GPS です")
    var writer = TranscriptionWriter(style: TranscriptionStyle())
    writer.write(Self.words("東"))
    writer = writer.continuing
    writer.write(Self.words("京"))
    #expect(writer.transcription.formattedString == "京")
  }

  /// The words for marks and the pronoun are English, and words of other languages are spelled like them.
  @Test func inOtherLanguagesOnlyPausesBecomeMarks() {
    let style = Self.dictation.adapted(to: Locale(identifier: "pl-PL"))
    #expect(
      Self.written("kot i 0.4 period 0.9 i pies comma", style).formattedString
        == "Kot i period. I pies comma.")
  }

  @Test(arguments: [
    ("dear john comma new line thank you period new paragraph yours", "Dear John,\nThank you.\n\nYours."),
    ("really question mark yes exclamation point", "Really? Yes!"),
    ("hello 0.9 comma world full stop", "Hello, world."),
    ("comma first", ", First."),
  ]) func spokenMarksAreWrittenInDictation(_ spoken: String, _ text: String) {
    #expect(Self.written(spoken, Self.dictation, quiet: 0.5).formattedString == text)
  }

  @Test(arguments: ["the new lines", "a period of time is a periodical", "i question him"])
  func otherWordsStay(_ spoken: String) {
    let plain = spoken.replacingOccurrences(of: "period ", with: "")
    #expect(Self.written(plain, Self.dictation, quiet: nil).formattedString.lowercased() == plain)
  }

  @Test func aSpokenMarkOutsideDictationIsAWord() {
    #expect(Self.written("hello comma world", Self.sentences).formattedString == "Hello comma world.")
  }

  @Test func splitUtteranceEndsNoSentence() {
    var writer = TranscriptionWriter(style: Self.sentences)
    writer.write(Self.words("one two"))
    writer.finish(at: 0.6)
    writer.write(Self.words("1 three"))
    writer.finish(at: 2)
    #expect(writer.text == "One two three.")
  }

  @Test func thePauseBetweenUtterancesIsMeasured() {
    var writer = TranscriptionWriter(style: Self.sentences)
    writer.write(Self.words("the train was late"))
    #expect(writer.text == "The train was late")
    writer.write(Self.words("1.2 2 we waited"))
    #expect(writer.text == "The train was late. We waited")
    writer.write(Self.words("4.01 for an hour"))
    #expect(writer.text == "The train was late. We waited for an hour")
    writer.finish()
    #expect(writer.text == "The train was late. We waited for an hour.")
  }

  @Test func everyRangeIsThatOfItsSubstring() {
    let text = "well 0.4 café i said 😀 comma new line yes 0.9 no"
    for style in [TranscriptionStyle(), Self.sentences, Self.dictation] {
      let transcription = Self.written(text, style)
      let whole = transcription.formattedString as NSString
      for segment in transcription.segments {
        #expect(whole.substring(with: segment.substringRange) == segment.substring)
      }
      #expect(transcription.segments.map(\.timestamp) == transcription.segments.map(\.timestamp).sorted())
    }
  }

  @Test func noWordIsAddedOrLost() {
    let spoken = "well 0.4 i think 0.7 so it goes 2 on"
    let segments = Self.written(spoken, Self.sentences).segments
    let bare = segments.map { $0.substring.lowercased().filter { $0.isLetter } }
    #expect(bare == Self.words(spoken).map(\.text))
  }
}
