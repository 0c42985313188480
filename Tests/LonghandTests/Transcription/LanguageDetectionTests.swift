import Foundation
import LonghandRecording
import LonghandTranscripts
import Testing

@testable import LonghandTranscription

@Suite struct LanguageDetectionTests {
  @Test(
    arguments: [
      ([:], "en-US"), (["LANG": "C.UTF-8"], "en-US"), (["LANG": "POSIX"], "en-US"), (["LANG": ""], "en-US"),
      (["LANG": "de_DE.UTF-8"], "de-DE"), (["LANG": "de_AT@euro"], "de-AT"), (["LANG": "fil_PH"], "fil-PH"),
      (["LANG": "de_DE", "LC_MESSAGES": "pt_BR.UTF-8"], "pt-BR"),
      (["LANG": "de_DE", "LC_ALL": "C", "LC_MESSAGES": "fr_FR"], "en-US"),
      (["LC_ALL": "", "LANG": "ru"], "ru"),
    ] as [([String: String], String)])
  func languageOfTheUserIsThatOfTheEnvironment(environment: [String: String], expected: String) {
    #expect(TranscriptionOptions.usersLanguage(in: environment).identifier(.bcp47) == expected)
  }

  @Test func languageThatIsDetectedIsThatOfTheFirstSegment() {
    var options = TranscriptionOptions()
    let segments = [nil, "ru-RU", "en-US"].enumerated().map { index, language in
      let candidate = Candidate(text: "a", words: [], confidence: nil, language: language)
      return Segment(
        id: index, start: Double(index), end: Double(index) + 1, candidates: [candidate],
        selection: .init(index: 0, rule: "recognizer"))
    }
    #expect(options.locale(of: segments).identifier(.bcp47) == "en-US")
    options.locale = TranscriptionOptions.detectedLanguage
    #expect(options.locale(of: segments).identifier(.bcp47) == "ru-RU")
    // Where nobody speaks, it is the expected one.
    #expect(options.locale(of: []) == options.expectedLocale)
    #expect(options.warning("ru-RU", probability: 0.97, of: 6)?.language == "ru-RU")
    #expect(options.warning("en-GB", probability: 0.97, of: 6) == nil)
  }

  @Test func passageInAnotherLanguageIsOneWarning() {
    var builder = TranscriptBuilder()
    for (start, language) in [(0.0, "ru-RU"), (6, "ru-RU"), (40, "ru-RU"), (46, "de-DE"), (52, "de-DE")] {
      _ = builder.receive(.warning(.otherLanguage(start...start + 5, language)))
    }
    #expect(builder.warnings.map(\.language) == ["ru-RU", "ru-RU", "de-DE"])
    #expect(builder.warnings.map(\.start) == [0, 40, 46])
    #expect(builder.warnings.map(\.end) == [11, 45, 57])
    #expect(builder.warnings[0].message.contains("from 0.0 to 11.0 s sounds like Russian (ru-RU)"))
  }

  @Test(arguments: [
    ("zh-CN", "扎自己的腳，頭髮", "扎自己的脚，头发"), ("zh", "腳", "脚"), ("zh-TW", "自己的脚，头发", "自己的腳，頭髮"),
    ("zh-Hant", "发展", "發展"), ("zh-HK", "脚", "腳"), ("yue", "脚", "腳"),
    ("sr-Latn", "Добар дан, Његош и Џорџ!", "Dobar dan, Njegoš i Džordž!"),
    ("sr-Cyrl-RS", "Dobar dan, Njegoš i Džordž! LJUBAV", "Добар дан, Његош и Џорџ! ЉУБАВ"),
  ]) func textHasTheCharactersThatTheTagNames(tag: String, recognized: String, expected: String) throws {
    let writing = try #require(Writing(Locale(identifier: tag)))
    #expect(writing.written(recognized) == expected)
    // What is written so already stays.
    #expect(writing.written(expected) == expected)
  }

  @Test(arguments: ["en-US", "sr", "sr-RS", "ja", "auto", "de-DE"])
  func otherLanguagesStayAsTheyAre(tag: String) {
    #expect(Writing(Locale(identifier: tag)) == nil)
    #expect(WritingStage(Locale(identifier: tag)) == nil)
  }

  @Test func wordsAreWrittenAsTheirText() throws {
    let words = ["头", "发", "很", "长"].enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index) + 1, confidence: 0.5)
    }
    let other = Candidate(text: "頭髮很长", words: words, confidence: nil)
    let best = Candidate(text: "头发很长", words: words, confidence: nil)
    let stage = try #require(WritingStage(Locale(identifier: "zh-TW")))
    let result = stage.take(
      FinalResult(
        start: 0, end: 4, candidates: [best, other], selection: .init(index: 0, rule: "recognizer")))
    // Two texts with the same characters are one.
    #expect(result.candidates.map(\.text) == ["頭髮很長"])
    // 发 alone would be 發.
    #expect(result.candidates[0].words.map(\.text) == ["頭", "髮", "很", "長"])
    #expect(result.candidates[0].words.map(\.start) == [0, 1, 2, 3])
  }

  /// In a detected language, each final says which.
  @Test func detectedChineseIsWrittenAsItsTagSays() throws {
    let stage = try #require(WritingStage(nil))
    for (language, expected) in [("zh-CN", "脚"), ("ja-JP", "腳"), (nil, "腳")] {
      let candidate = Candidate(text: "腳", words: [], confidence: nil, language: language)
      let result = stage.take(
        FinalResult(start: 0, end: 1, candidates: [candidate], selection: .init(index: 0, rule: "recognizer"))
      )
      #expect(result.candidates.map(\.text) == [expected])
    }
  }
}
