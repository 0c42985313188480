@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Testing

@testable import Speech

/// A window's language depends on nothing but what windows sound like in order.
@Suite struct LanguageTrackerTests {
  /// What windows sound like, a character each: a language, or `-` where that is not clear; `|` where results are needed.
  /// What they are recognized in: a language, or two in brackets where it may change, the one of unclear utterances first.
  struct Row: Sendable {
    var heard: String
    var recognized: String
  }

  private static let rows = [
    Row(heard: "eeee", recognized: "eeee"),
    Row(heard: "----", recognized: "eeee"),
    // The last window before a change may hold it too.
    Row(heard: "eess", recognized: "e[es][se]s"),
    Row(heard: "sse", recognized: "[se][se][es]"),
    Row(heard: "ees-s-", recognized: "e[es][se]ss" + "s"),
    Row(heard: "e-ss", recognized: "e[es][se]s"),
    // A passage may hardly fill a window.
    Row(heard: "eesee", recognized: "e[es][se][es]e"),
    Row(heard: "ee-s-e", recognized: "ee[es][se][se][es]"),
    Row(heard: "eds", recognized: "[ed][de][sd]"),
    Row(heard: "s", recognized: "[se]"),
    // What is not clear changes nothing.
    Row(heard: "eSSSe", recognized: "eeeee"),
    // Where results are needed, nothing that follows counts.
    Row(heard: "e|se", recognized: "e[se][es]"),
    Row(heard: "es|se", recognized: "[es][se][se][es]"),
  ]

  private func text(_ decision: LanguageTracker.Decision) -> String {
    switch decision {
    case .whole(let language): return language
    case .heard: return "?"
    case .change(let before, let after, let leaning):
      return "[\(leaning)\(leaning == before ? after : before)]"
    }
  }

  /// What a window with enough speech sounds like; in upper case it is not clear.
  private func heard(_ character: Character, _ probability: Double = 0.95) -> HeardLanguage? {
    guard character != "-" else { return nil }
    return HeardLanguage(
      language: String(character).lowercased(), probability: character.isUppercase ? 0.5 : probability,
      speech: 8 * SpeechSegmenter.sampleRate)
  }

  /// Windows of a recording whose first language is not known; those in upper case are not clear.
  @Test(arguments: [
    Row(heard: "sse", recognized: "s[se][es]"), Row(heard: "---s", recognized: "eees"),
    // What is not clear waits for more, and the first language is the likeliest in all.
    Row(heard: "SSs", recognized: "sss"), Row(heard: "Sddd", recognized: "dddd"),
    Row(heard: "S", recognized: "s"), Row(heard: "-", recognized: "e"), Row(heard: "", recognized: ""),
    Row(heard: "SDSDSee", recognized: "ssss[se][es]e"),
    // Where results are needed, what was heard until then decides.
    Row(heard: "S|d", recognized: "s[ds]"), Row(heard: "-|s", recognized: "es"),
    Row(heard: "sdd", recognized: "[sd][ds]d"),
  ]) func firstLanguageIsTheOneOfMostSpeech(row: Row) {
    let tracker = LanguageTracker("e", isKnown: false)
    #expect(recognized(row.heard, by: tracker).joined() == row.recognized, "\(row.heard)")
  }

  /// Nothing waits for long while somebody speaks.
  @Test func liveRecordingBeginsInTheLanguageOfItsFirstSpeech() {
    let tracker = LanguageTracker("e", isKnown: false, isLive: true)
    #expect(recognized("--Sdd|dd", by: tracker).joined() == "eesdddd")
    #expect(recognized("SDDe", by: tracker).joined() == "ssse")
    var short = tracker
    let word = HeardLanguage(language: "s", probability: 0.9, speech: SpeechSegmenter.sampleRate)
    #expect(short.take(word).isEmpty)
    #expect(short.usual == .heard(expecting: "e"))
    #expect(short.take(heard("D")) == [.whole("d"), .whole("d")])
    #expect(short.usual == .whole("d"))
  }

  /// In live audio, a language begins with the utterance that sounds like it, and each is decided about at once.
  @Test(arguments: [
    Row(heard: "eesse", recognized: "eesse"), Row(heard: "e-sSs", recognized: "eesss"),
    Row(heard: "eS|s-d", recognized: "eessd"),
  ]) func languageOfLiveAudioChangesAtOnce(row: Row) {
    var tracker = LanguageTracker("e", isLive: true)
    for (character, language) in zip(row.heard.filter { $0 != "|" }, row.recognized) {
      #expect(tracker.take(heard(character)) == [.whole(String(language))], "\(row.heard)")
    }
    #expect(tracker.finish().isEmpty)
  }

  private func recognized(_ windows: String, from language: String = "e") -> [String] {
    recognized(windows, by: LanguageTracker(language))
  }

  private func recognized(_ windows: String, by tracker: LanguageTracker) -> [String] {
    var tracker = tracker
    var decisions: [LanguageTracker.Decision] = []
    for character in windows {
      decisions += character == "|" ? tracker.finish() : tracker.take(heard(character))
    }
    return (decisions + tracker.finish()).map(text)
  }

  /// What a recognizer hears is not enough to change the language: then the texts of both are compared.
  @Test func anotherLanguageIsComparedFirst() {
    let tracker = LanguageTracker("e")
    #expect(tracker.comparison(of: heard("s"), parts: 1) == .heard(expecting: "e"))
    for enough in ["e", "S", "-"] {
      #expect(tracker.comparison(of: heard(Character(enough)), parts: 1) == nil)
    }
    // Another language may be in some of a window's utterances only.
    #expect(tracker.comparison(of: heard("S"), parts: 2) == .heard(expecting: "e", parts: true))
    #expect(tracker.comparison(of: heard("E"), parts: 2) == nil)
    var compared = heard("s")
    compared?.isCompared = true
    #expect(tracker.comparison(of: compared, parts: 2) == nil)
    #expect(LanguageTracker("e", isKnown: false).comparison(of: heard("s"), parts: 2) == nil)
    #expect(LanguageTracker("e", isLive: true).comparison(of: heard("s"), parts: 1) == .heard(expecting: "e"))
  }

  @Test(arguments: rows) func languageChangesWhereAWindowSoundsLikeAnother(row: Row) {
    #expect(recognized(row.heard).joined() == row.recognized, "\(row.heard)")
  }

  /// Work that was interrupted goes on with the language of the last window whose results are known.
  @Test func resumedWorkHasTheSameLanguages() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let windows = (0..<20).map { _ in "eeesss-d".randomElement(using: &generator) ?? "e" }
      var tracker = LanguageTracker("e")
      let whole = recognized(String(windows))
      var known: [LanguageTracker.Decision] = []
      for (index, character) in windows.enumerated() {
        known += tracker.take(heard(character))
        // All windows up to here have their results, so that work may start again after any of them.
        guard let last = known.last, known.count <= index else { continue }
        guard case .whole(let language) = last else { continue }
        let rest = recognized(String(windows[known.count...]), from: language)
        // The first window after the start has none before it.
        #expect(rest == Array(whole[known.count...]), "\(String(windows)) from \(known.count)")
      }
    }
  }

  /// Seconds of speech, as many as characters; each utterance is in upper case if it sounds like the new language.
  @Test(arguments: [
    ("a a B", "aab"), ("a aaa BBB", "aaB"), ("AAA BBB", "AB"), ("aa bb", "ab"), ("", ""),
    // In the middle, too; but a short utterance changes nothing.
    ("aaa BBBBB ccc", "aBc"), ("aaa B ccc", "abc"), ("AAA b CCC", "ABC"), ("aaa BBB c DDD", "aBCD"),
  ]) func changeIsWhereMostSpeechIsOnTheRightSide(heard: String, written: String) {
    let utterances = heard.split(separator: " ").map {
      (speech: $0.count * SpeechSegmenter.sampleRate, isNew: $0.first?.isUppercase == true)
    }
    #expect(LanguageTracker.change(in: utterances) == written.map(\.isUppercase))
  }
}

/// The windows at a change.
@Suite struct WindowRecognitionTests {
  private static let second = SpeechSegmenter.sampleRate

  /// Utterances of two seconds; the samples of each say its language.
  private func window(_ languages: [Int16]) -> DecodingWindow {
    let parts = languages.enumerated().map { index, language in
      DecodingWindow.Part(
        audio: .init(
          start: index * 3 * Self.second, samples: .init(repeating: language, count: 2 * Self.second)))
    }
    return parts.dropFirst().reduce(into: DecodingWindow(parts[0])) { $0.append($1) }
  }

  private static let codes = ["en", "es", "fr"]

  /// The language of a sample.
  private static func language(_ sample: Int16) -> String {
    let locale = Locale(identifier: codes[Int(sample) - 1])
    return (SpeechLocales.supported(equivalentTo: locale) ?? locale).identifier(.bcp47)
  }

  /// A service that writes the language in which it was asked, and a number, in each second of the audio.
  private func answer(_ samples: [Int16], _ configuration: ServiceConfiguration) -> [ServiceHypothesis] {
    let words = (0..<samples.count / Self.second).map {
      ServiceHypothesis.Word(
        text: "\(configuration.locale)\($0)", start: Double($0), end: Double($0) + 0.9, confidence: 0.9)
    }
    var hypothesis = ServiceHypothesis(words: words, confidence: nil)
    hypothesis.language = .init(code: Self.codes[Int(samples[0]) - 1], probability: 0.95)
    return [hypothesis]
  }

  @Test(arguments: [
    ([1, 1, 2], [1, 1, 2]), ([2, 2], [2, 2]), ([1, 1], [1, 1]), ([1, 3, 2], [1, 1, 2]),
  ])
  func utterancesAreRecognizedInTheirLanguage(heard: [Int16], expected: [Int16]) throws {
    let configuration = ServiceConfiguration(model: ModelReference(.sherpaOnnx, folder: "", digest: ""))
    let recognition = WindowRecognition(configuration) { samples, _, configuration in
      answer(samples, configuration)
    }
    let (before, after) = (Self.language(1), Self.language(2))
    let outcome = try recognition.outcome(
      of: window(heard), in: .change(from: before, to: after, leaning: before))
    guard case .recognized(let utterances, _, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let languages = expected.map(Self.language)
    #expect(utterances.map(\.language) == languages)
    #expect(utterances.map { $0.candidates.first?.words.first?.text.dropLast() } == languages.map { $0[...] })
    #expect(utterances.map(\.audio.start) == heard.indices.map { $0 * 3 * Self.second })
  }

  /// As long as the language is not known, a window is decoded once, in the language that the service hears.
  @Test func languageThatIsHeardCostsNothing() throws {
    let configuration = ServiceConfiguration(model: ModelReference(.sherpaOnnx, folder: "", digest: ""))
    var asked: [Bool] = []
    let recognition = WindowRecognition(configuration) { samples, request, configuration in
      if case .end = request { asked.append(configuration.detectsLanguage) }
      return answer(samples, configuration)
    }
    let outcome = try recognition.outcome(of: window([2, 2]), in: .heard(expecting: "en-US"))
    guard case .recognized(let utterances, .whole(let language), let heard) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(asked == [true])
    #expect(language == Self.language(2))
    #expect(
      heard == HeardLanguage(language: language, probability: 0.95, speech: 4 * Self.second, isCompared: true)
    )
    #expect(utterances.allSatisfy { $0.language == language && $0.languageProbability == 0.95 })
    #expect(utterances.allSatisfy { $0.otherLanguage == nil })
  }

  /// What is written in one language and clearly sounds like another is labelled.
  @Test func otherLanguageIsNamed() throws {
    let configuration = ServiceConfiguration(model: ModelReference(.sherpaOnnx, folder: "", digest: ""))
    let recognition = WindowRecognition(configuration) { samples, _, configuration in
      answer(samples, configuration)
    }
    let cases: [(Int16, LanguageTracker.Decision?)] = [(2, nil), (1, nil), (2, .whole("en-US"))]
    for (sample, languages) in cases {
      let outcome = try recognition.outcome(of: window([sample, sample]), in: languages)
      guard case .recognized(let utterances, _, _) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      let other = sample == 1 ? nil : Self.language(2)
      #expect(utterances.map(\.otherLanguage) == [other, other])
    }
  }

  /// A model knows some languages by other codes than the one that was asked for.
  @Test(arguments: [
    ("nb-NO", "no", false), ("fil-PH", "tl", false), ("jv", "jw", false), ("de-DE", "no", true),
  ])
  func anotherCodeIsNoOtherLanguage(_ locale: String, _ heard: String, _ isOther: Bool) throws {
    var configuration = ServiceConfiguration(model: ModelReference(.sherpaOnnx, folder: "", digest: ""))
    configuration.locale = locale
    let recognition = WindowRecognition(configuration) { samples, _, configuration in
      answer(samples, configuration).map { hypothesis in
        var hypothesis = hypothesis
        hypothesis.language?.code = heard
        return hypothesis
      }
    }
    let outcome = try recognition.outcome(of: window([2, 2]), in: nil)
    guard case .recognized(let utterances, _, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(utterances.map { $0.otherLanguage != nil } == [isOther, isOther])
  }

  /// What was removed from an utterance of a window stays known when the utterance is decoded by itself.
  @Test(arguments: ["and and and and", "и и и и", "et et et et"])
  func removedWordsStayKnownWhenAnUtteranceIsHeardAlone(_ loop: String) throws {
    let configuration = ServiceConfiguration(
      locale: "de-DE", model: ModelReference(.sherpaOnnx, folder: "", digest: ""))
    let alone = 2 * Self.second
    let recognition = WindowRecognition(configuration) { samples, _, _ in
      let words = samples.count > alone ? self.words(loop, in: 0.1...0.2) : []
      return [ServiceHypothesis(words: words, confidence: nil)]
    }
    let outcome = try recognition.outcome(of: window([1, 1]), in: nil)
    guard case .recognized(let utterances, _, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(utterances.flatMap(\.candidates).isEmpty)
    #expect(utterances.flatMap(\.rejected).map(\.text).joined(separator: " ") == loop)
  }

  /// The words of a text, one after the other in some seconds.
  private func words(_ text: String, in seconds: ClosedRange<Double>) -> [ServiceHypothesis.Word] {
    let texts = text.split(separator: " ")
    let length = (seconds.upperBound - seconds.lowerBound) / Double(texts.count)
    return texts.enumerated().map { index, text in
      let start = seconds.lowerBound + length * Double(index)
      return .init(text: String(text), start: start, end: start + length, confidence: 0.9)
    }
  }

  /// Whisper writes once what is said three times, or spreads it over the utterances. Each utterance has what it says by itself,
  /// if another one says nearly the same; else the text of the window stays.
  @Test(arguments: [
    (
      whole: ["voce riattivata adesso", "", ""], alone: ["Voce riattivata adesso.", "voce riattivata adesso"]
    ),
    (whole: ["voce", "riattivata", "adesso"], alone: ["voce riattivata adesso", "voce riativata adesso"]),
    (whole: ["扎", "自己的", "脚"], alone: ["扎自己的脚", "扎自己的腳"]),
    (whole: ["да", "нет", "да"], alone: ["голос снова включён", "голоса снова включён"]),
    (
      whole: ["voce", "riattivata", "adesso"],
      alone: ["nothing of the kind", "another sentence", "and a third one"]
    ),
  ])
  func whatIsSaidSeveralTimesIsWrittenAsOften(whole: [String], alone: [String]) throws {
    let configuration = ServiceConfiguration(model: ModelReference(.sherpaOnnx, folder: "", digest: ""))
    var asked = 0
    let recognition = WindowRecognition(configuration) { samples, _, _ in
      guard samples.count > 2 * Self.second else {
        defer { asked += 1 }
        return [ServiceHypothesis(words: words(alone[asked % alone.count], in: 0...2), confidence: nil)]
      }
      let found = whole.enumerated().flatMap { index, text in
        words(text, in: 2.5 * Double(index)...2.5 * Double(index) + 2)
      }
      return [ServiceHypothesis(words: found, confidence: nil)]
    }
    guard case .recognized(let utterances, _, _) = try recognition.outcome(of: window([1, 1, 1]), in: nil)
    else {
      Issue.record("not recognized")
      return
    }
    let texts = utterances.map { ($0.candidates.first?.words ?? []).map(\.text).joined(separator: " ") }
    let isRepeated = alone.count == 2
    #expect(
      texts.allSatisfy { isRepeated ? alone.contains($0) || $0 == whole[0] : whole.contains($0) }, "\(texts)")
    if isRepeated { #expect(!texts.contains { $0.count < alone[0].count - 2 }, "\(texts)") }
  }
}
