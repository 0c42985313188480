import Foundation
import TestSupport
import Testing

@testable import LonghandTranscription
@testable import LonghandTranscripts

/// The text in sentences is a layer over the words.
struct SentenceWriterTests {
  private func segment(_ id: Int, _ text: String, start: Double, timed: Bool = true) -> Segment {
    let words = text.split(separator: " ").enumerated().map {
      Word(
        text: String($1), start: start + 0.4 * Double($0), end: start + 0.4 * Double($0) + 0.4,
        confidence: 0.5)
    }
    return Segment(
      id: id, start: start, end: start + 0.4 * Double(words.count),
      candidates: [Candidate(text: text, words: timed ? words : [])])
  }

  private func transcript(_ segments: [Segment], locale: String = "en-US") -> Transcript {
    Transcript(
      source: "a", locale: locale, engine: "a", duration: 60, segments: segments, coverage: Coverage())
  }

  @Test func wordsKeepTheirTimesAndConfidences() {
    let original = segment(0, "i met anna in london", start: 1)
    let written = transcript([original]).writtenInSentences().segments[0]
    #expect(written.text == "I met Anna in London.")
    #expect(written.words.map(\.text) == ["I", "met", "Anna", "in", "London."])
    #expect(written.words.map(\.start) == original.words.map(\.start))
    #expect(written.words.map(\.confidence) == original.words.map(\.confidence))
    #expect(written.start == original.start)
    #expect(written.revision == original.revision)
  }

  /// The rules are those of the segment's language: "i" alone has a capital in English only.
  @Test func segmentsAreWrittenByTheRulesOfTheirLanguage() {
    var segments = [
      segment(0, "he and i", start: 0), segment(1, "ell i ella", start: 5),
      segment(2, "she and i", start: 10),
    ]
    for (index, language) in ["en-US", "ca-ES", "en-US"].enumerated() {
      segments[index].candidates[0].language = language
    }
    let written = transcript(segments, locale: "en-US").writtenInSentences().segments
    #expect(written.map(\.text) == ["He and I.", "Ell i ella.", "She and I."])
    #expect(written.map(\.language) == ["en-US", "ca-ES", "en-US"])
  }

  /// Not by those of the segment before it.
  @Test func segmentWithoutALanguageIsWrittenByTheRulesOfTheTranscript() {
    var segments = [segment(0, "ell i ella", start: 0), segment(1, "she and i", start: 5)]
    segments[0].candidates[0].language = "ca-ES"
    let written = transcript(segments, locale: "en-US").writtenInSentences().segments
    #expect(written.map(\.text) == ["Ell i ella.", "She and I."])
  }

  @Test func textWithoutTimesIsWrittenToo() {
    let written = transcript([segment(0, "i met anna", start: 1, timed: false)]).writtenInSentences()
    #expect(written.segments[0].text == "I met Anna.")
    #expect(written.segments[0].words.isEmpty)
  }

  @Test(arguments: [
    "is this kimura? yes", "hello, you", "he said \"no.\" twice", "[no words recognized 0:05–0:07]",
  ])
  func marksOfAModelOrAPersonStay(text: String) {
    let segments = [
      segment(0, "one two", start: 0), segment(1, text, start: 1), segment(2, "three", start: 4),
    ]
    let written = transcript(segments).writtenInSentences().segments
    #expect(written.map(\.text) == ["One two.", text, "Three."])
  }

  /// A recognizer that writes marks and capitals may leave a segment in the middle of a sentence without. In 124 segments of
  /// Whisper the rules wrote six such ones, all wrong: "in boxcar, Locked in perhaps. without water."
  @Test(
    arguments: [
      (
        "en-US", ["They came in boxcar,", "locked in perhaps", "and so on", "without water."],
        ["They came in boxcar,", "locked in perhaps", "and so on", "without water."]
      ),
      (
        "en-US", ["So it was. I", "and m. brown said", "Yes."], ["So it was. I", "and m. brown said", "Yes."]
      ),
      ("de-DE", ["Das ist gut.", "und dann kam", "der Zug."], ["Das ist gut.", "und dann kam", "der Zug."]),
      ("ru-RU", ["Это хорошо,", "и так далее", "Да."], ["Это хорошо,", "и так далее", "Да."]),
      ("ja-JP", ["そうです。", "東京 です", "はい。"], ["そうです。", "東京 です", "はい。"]),
      // A recognizer without marks, whose words may end in a full stop.
      ("en-US", ["and m. brown", "came here", "we saw"], ["and m. brown", "Came here.", "We saw."]),
      ("de-DE", ["das ist gut", "und dann"], ["Das ist gut.", "Und dann."]),
    ], [nil, 0.5])
  func segmentsOfARecognizerThatWritesMarksStay(
    _ row: (locale: String, said: [String], written: [String]), _ confidence: Double?
  ) {
    var segments = row.said.enumerated().map { segment($0, $1, start: 5 * Double($0)) }
    for index in segments.indices {
      for word in segments[index].candidates[0].words.indices {
        segments[index].candidates[0].words[word].confidence = confidence
      }
    }
    let whole = transcript(segments, locale: row.locale).writtenInSentences().segments
    #expect(whole.map(\.text) == row.written)
  }

  /// A pause between segments ends no sentence after a word that leads to the next one.
  @Test(arguments: [
    (
      "en-US", ["so Catherine had nothing like useful", "knowledge from them"],
      ["So Catherine had nothing like useful", "knowledge from them."]
    ),
    ("de-DE", ["er ging mit seiner", "Schwester"], ["Er ging mit seiner", "Schwester."]),
    ("fr-FR", ["elle parle de la", "musique"], ["Elle parle de la", "musique."]),
  ])
  func sentenceGoesOnOverTheBorderOfASegment(_ locale: String, _ said: [String], _ expected: [String]) {
    let segments = [
      segment(0, said[0], start: 0),
      segment(1, said[1], start: 0.4 * Double(said[0].split(separator: " ").count) + 1),
    ]
    #expect(transcript(segments, locale: locale).writtenInSentences().segments.map(\.text) == expected)
  }

  /// Capitals without marks switch no rule off, and are in the middle of no sentence, but for names. A common word with a capital
  /// begins a sentence.
  @Test(arguments: [
    (
      "en-US", ["so there was Catherine who was fond of reading", "but only of stories"],
      ["So there was Catherine who was fond of reading,", "but only of stories."]
    ),
    ("en-US", ["we saw Paris and", "then london"], ["We saw Paris and", "then London."]),
    ("en-US", ["we saw Paris", "She saw london"], ["We saw Paris.", "She saw London."]),
    ("en-US", ["Thank you"], ["Thank you."]),
    ("de-DE", ["das Haus ist", "sehr groß"], ["Das Haus ist", "sehr groß."]),
    ("ru-RU", ["мы видели Париж", "и Рим"], ["Мы видели Париж", "и Рим."]),
    ("he-IL", ["כולם חוננו", "בתבונה"], ["כולם חוננו", "בתבונה"]),
    ("ja-JP", ["東京 です", "はい"], ["東京 です", "はい"]),
  ])
  func capitalsWithoutMarksSwitchNoRuleOff(_ locale: String, _ said: [String], _ written: [String]) {
    var start = 0.0
    let segments = said.enumerated().map { index, text in
      let segment = segment(index, text, start: start)
      start = segment.end + 0.3
      return segment
    }
    #expect(transcript(segments, locale: locale).writtenInSentences().segments.map(\.text) == written)
  }

  /// A segment without marks before one that the recognizer wrote: a small letter goes on with its sentence, a capital begins another.
  @Test(arguments: [
    (
      "en-US", ["nothing like useful", "knowledge could be gained. She read."],
      ["Nothing like useful", "knowledge could be gained. She read."]
    ),
    (
      "en-US", ["nothing like useful", "Knowledge is good."], ["Nothing like useful.", "Knowledge is good."]
    ),
    ("en-US", ["one two", "1 is it. Yes."], ["One two.", "1 is it. Yes."]),
    ("de-DE", ["er ging nach", "und kam. Ja."], ["Er ging nach", "und kam. Ja."]),
    ("ru-RU", ["он пошёл", "Да. Это так."], ["Он пошёл.", "Да. Это так."]),
  ])
  func sentenceGoesOnWithASmallLetter(_ locale: String, _ said: [String], _ written: [String]) {
    let segments = said.enumerated().map { segment($0, $1, start: 5 * Double($0)) }
    #expect(transcript(segments, locale: locale).writtenInSentences().segments.map(\.text) == written)
    // Of another speaker, it does not go on.
    var others = segments
    for index in others.indices {
      others[index].channel = index
    }
    #expect(
      transcript(others, locale: locale).writtenInSentences().segments.first?.text.hasSuffix(".") == true)
  }

  /// Another recognizer, which writes none, finds words where the first one finds none.
  @Test func wordsOfTheSecondRecognizerAreWritten() {
    var second = segment(1, "and he went", start: 5)
    second.candidates[0].source = "embedded"
    let segments = [segment(0, "He came.", start: 0), second, segment(2, "and left.", start: 10)]
    #expect(
      transcript(segments).writtenInSentences().segments.map(\.text)
        == ["He came.", "And he went.", "and left."])
  }

  /// In other languages than English it is not known which words of a term are common, so that only whole terms have capitals.
  @Test(arguments: [
    ("fr-FR", "lu dans le train que le monde est petit", "Lu dans le train que Le Monde est petit."),
    ("fr-FR", "de plus la paix revient", "De plus la paix revient."),
    (
      "fr-FR", "Il lit (le monde), puis dans le train la paix.",
      "Il lit (Le Monde), puis dans le train la paix."
    ),
    ("fr-FR", "Il y a le, monde et de... gaulle.", "Il y a le, monde et de... gaulle."),
    ("es-ES", "vive en la paz y la casa de ana", "Vive en La Paz y la casa de Ana."),
    ("de-DE", "er las le monde in bonn", "Er las Le Monde in Bonn."),
    // English knows its common words.
    ("en-US", "Then de gaulle left the paz.", "Then De Gaulle left the Paz."),
  ])
  func commonWordsOfATermStaySmall(_ locale: String, _ text: String, _ expected: String) {
    let names = ["Le Monde", "La Paz", "De Gaulle", "Ana", "Bonn"]
    let written = transcript([segment(0, text, start: 0)], locale: locale).writtenInSentences(names: names)
    #expect(written.segments.map(\.text) == [expected])
  }

  /// A model that finds the terms of a vocabulary may write them small; a person who does has a reason.
  @Test func termsThatAModelWroteSmallHaveTheirSpelling() {
    let model = segment(0, "The najdorf, and (winawer) again.", start: 0)
    let person = segment("Then knight orf.", corrected: "Then najdorf.")
    let written = transcript([model, person]).writtenInSentences(names: ["Najdorf", "Winawer"]).segments
    #expect(written.map(\.text) == ["The Najdorf, and (Winawer) again.", "Then najdorf."])
  }

  /// A recognized text in which a person corrected a word.
  private func segment(_ recognized: String, corrected text: String) -> Segment {
    var segment = segment(0, recognized, start: 0)
    segment.candidates += self.segment(0, text, start: 0).candidates
    segment.candidates[1].source = Candidate.person
    segment.selection.index = 1
    return segment
  }

  @Test func wordsBesideACorrectedOneAreWritten() {
    let corrected = segment("key say met anna in london", corrected: "iKesa met anna in london")
    let segments = [corrected, segment(1, "three", start: 4)]
    #expect(
      transcript(segments).writtenInSentences().segments.map(\.text) == [
        "iKesa met Anna in London.", "Three.",
      ])
  }

  @Test func modelsTextStaysAsItIsBesideACorrectedWord() {
    let corrected = segment("Key say, met the others", corrected: "Kesa met the others")
    #expect(transcript([corrected]).writtenInSentences().segments.map(\.text) == ["Kesa met the others"])
  }

  @Test func chaptersInSentencesAreTheirWords() throws {
    for chapter in try RecognizedChapter.all() {
      let words = CaptionBreakerTests.transcript(chapter).writtenInSentences().segments.flatMap(\.words)
      // Some words have a mark of their own, such as "m.".
      func bare(_ texts: [String]) -> [String] {
        texts.map { $0.lowercased().trimmingCharacters(in: [".", ",", "?"]) }
      }
      #expect(bare(words.map(\.text)) == bare(chapter.words.map(\.text)))
    }
  }

  @Test func liveTextIsReturnedAsSoonAsItIsCertain() {
    var writer = SentenceWriter(locale: "en-US")
    #expect(writer.append(segment(0, "are you there", start: 0)).isEmpty)
    #expect(writer.pending.map(\.text) == ["are you there"])
    #expect(writer.append(segment(1, "yes", start: 5)).map(\.text) == ["Are you there?"])
    #expect(writer.append(segment(2, "i am", start: 9)).map(\.text) == ["Yes."])
    #expect(writer.finish(isOpen: true).map(\.text) == ["I am"])
  }

  @Test func paragraphsEndAtSentencesAfterFortyToTwoHundredAndFiftyWords() throws {
    for chapter in try RecognizedChapter.all() {
      let transcript = CaptionBreakerTests.transcript(chapter).inParagraphs.writtenInSentences()
      let paragraphs = Paragraph.all(of: transcript)
      let counts = paragraphs.map { $0.text.split(separator: " ").count }
      #expect(counts.reduce(0, +) == chapter.words.count)
      #expect(counts.allSatisfy { $0 <= 250 }, "\(counts)")
      let short = counts.dropLast().filter { $0 < 40 }
      #expect(short.count * 10 <= counts.count, "\(counts)")
      let cut = paragraphs.filter { !".?".contains($0.text.last ?? " ") }
      #expect(cut.count * 3 <= counts.count, "\(cut.map { $0.text.suffix(30) })")
    }
  }

  /// A sentence within quotation marks or brackets ends with them, so that paragraphs do not go on without an end.
  @Test(arguments: [
    ("en-US", "He said to them, \"It is over and we are going home at last.\""),
    ("en-US", "He said to them that it was over (and they were going home at last.)"),
    ("de-DE", "Er sagte zu ihnen allen: „Es ist vorbei und wir gehen endlich nach Hause.“"),
    ("fr-FR", "Il leur a dit à tous : «C'est fini et nous rentrons enfin chez nous.»"),
    ("ar", "قال لهم جميعا إن الأمر قد انتهى وإننا ذاهبون إلى البيت أخيرا؟"),
    ("hi-IN", "उसने उन सब से कहा कि अब सब कुछ खत्म हो गया है और हम घर जा रहे हैं।"),
  ]) func paragraphsEndAtQuotedSentences(_ locale: String, _ text: String) {
    let length = 0.4 * Double(text.split(separator: " ").count) + 1.5
    let segments = (0..<16).map { segment($0, text, start: length * Double($0)) }
    let paragraphs = Paragraph.all(of: transcript(segments, locale: locale))
    for paragraph in paragraphs.dropLast() {
      #expect((40...60).contains(paragraph.text.split(separator: " ").count))
    }
    #expect(paragraphs.count > 3)
  }

  @Test func aLongPauseEndsAParagraph() {
    let segments = [segment(0, "one", start: 0), segment(1, "two", start: 2), segment(2, "three", start: 10)]
    #expect(
      Paragraph.all(of: transcript(segments).writtenInSentences()).map(\.text) == ["One. Two.", "Three."])
    #expect(Paragraph.all(of: transcript(segments)).map(\.text) == ["one two", "three"])
  }
}
