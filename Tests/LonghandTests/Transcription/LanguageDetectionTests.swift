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
    // What both writings have stays in a text that is in the wanted one.
    ("zh-TW", "范先生說周杰倫", "范先生說周杰倫"), ("zh-TW", "于小姐說佣金", "于小姐說佣金"), ("zh-TW", "朴先生說夸父", "朴先生說夸父"),
    ("zh-TW", "后来听说里面有几个", "後來聽說裡面有幾個"), ("zh-CN", "看著乾淨的衣服", "看着干净的衣服"),
    ("zh-CN", "乾隆、萧乾和著名的瞭望台", "乾隆、萧乾和著名的瞭望台"), ("zh-CN", "这慰藉", "这慰藉"),
    // Else it is taken for that of the other one.
    ("zh-TW", "然后我就走了", "然後我就走了"), ("zh-TW", "由于他", "由於他"), ("zh-TW", "他看着我", "他看著我"),
    ("zh-CN", "他看著我", "他看着我"),
    // Words of other languages, names of sites, and numerals stay.
    ("sr-Cyrl", "Windows i YouTube na iPhone-u.", "Windows и YouTube на iPhone-u."),
    ("sr-Cyrl", "Petar II, www.rts.rs, rts.rs, mp3 i Müller", "Петар II, www.rts.rs, rts.rs, mp3 и Müller"),
    ("sr-Cyrl", "I on... Od 1990-ih; F-16.", "И он... Од 1990-их; Ф-16."),
    // Two letters are not always a pair.
    ("sr-Cyrl", "\"Injekcija\", konjugacija, nadživeti", "\"Инјекција\", конјугација, надживети"),
    ("sr-Cyrl", "inje, konj, odžak, INJEKCIJA", "иње, коњ, оџак, ИНЈЕКЦИЈА"),
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

  /// A short text that does not show its writing has that of the one before.
  @Test(arguments: [("我說", "于小姐"), ("我说", "於小姐"), ("", "於小姐")])
  func textOfBothWritingsIsAsTheOneBefore(before: String, expected: String) throws {
    var stage = try #require(WritingStage(Locale(identifier: "zh-TW")))
    let results = [before, "于小姐"].map { text in
      let candidate = Candidate(text: text, words: [], confidence: nil)
      return stage.take(
        FinalResult(
          start: 0, end: 1, candidates: [candidate], selection: .init(index: 0, rule: "recognizer")))
    }
    #expect(results[1].candidates.map(\.text) == [expected])
    #expect(stage.partial("于小姐") == expected)
  }

  @Test func wordsAreWrittenAsTheirText() throws {
    let words = ["头", "发", "很", "长"].enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index) + 1, confidence: 0.5)
    }
    let other = Candidate(text: "頭髮很长", words: words, confidence: nil)
    let best = Candidate(text: "头发很长", words: words, confidence: nil)
    var stage = try #require(WritingStage(Locale(identifier: "zh-TW")))
    let result = stage.take(
      FinalResult(
        start: 0, end: 4, candidates: [best, other], selection: .init(index: 0, rule: "recognizer")))
    // Two texts with the same characters are one.
    #expect(result.candidates.map(\.text) == ["頭髮很長"])
    // 发 alone would be 發.
    #expect(result.candidates[0].words.map(\.text) == ["頭", "髮", "很", "長"])
    #expect(result.candidates[0].words.map(\.start) == [0, 1, 2, 3])
  }

  /// Two words beside each other are not one with a capital inside.
  @Test func serbianWordsAreWrittenOneByOne() throws {
    let words = ["Ana", "II", "Marko"].enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index) + 1, confidence: 0.5)
    }
    var candidate = Candidate(text: "Ana II Marko", words: words, confidence: nil)
    try #require(Writing(Locale(identifier: "sr-Cyrl"))).write(&candidate)
    #expect(candidate.text == "Ана II Марко")
    #expect(candidate.words.map(\.text) == ["Ана", "II", "Марко"])
  }

  /// In a detected language, that of the last final.
  @Test func textThatMayStillChangeIsWrittenAsItsFinal() async throws {
    let engine = ScriptedEngine { _ in
      let final = Candidate(text: "腳", words: [], confidence: nil, language: "zh-CN")
      return [
        .emit(.partial(.init(start: 0, end: 1, text: "腳"))),
        .emit(
          .final(start: 0, end: 1, candidates: [final], selection: .init(index: 0, rule: "recognizer"))),
        .emit(.partial(.init(start: 1, end: 2, text: "腳"))),
      ]
    }
    let fixture = try SessionFixture()
    let rows: [(Locale?, [String])] = [(nil, ["腳", "脚"]), (Locale(identifier: "zh-CN"), ["脚", "脚"])]
    for (locale, expected) in rows {
      let stage = try #require(WritingStage(locale))
      var texts: [String] = []
      for try await event in EnginePipeline(engine, [stage]).events(of: fixture.audio, from: 0) {
        if case .partial(let partial) = event { texts.append(partial.text) }
      }
      #expect(texts == expected)
    }
  }

  /// In a detected language, each final says which.
  @Test func detectedChineseIsWrittenAsItsTagSays() throws {
    var stage = try #require(WritingStage(nil))
    for (language, expected) in [("zh-CN", "脚"), ("ja-JP", "腳"), (nil, "腳")] {
      let candidate = Candidate(text: "腳", words: [], confidence: nil, language: language)
      let result = stage.take(
        FinalResult(start: 0, end: 1, candidates: [candidate], selection: .init(index: 0, rule: "recognizer"))
      )
      #expect(result.candidates.map(\.text) == [expected])
    }
  }
}
