@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import TestSupport
import Testing

@testable import Speech

/// PocketSphinx aligns words with audio.
@Suite(.tagged(.recognizer)) struct AlignmentTests {
  private let pool = SpeechServicePool(capacity: 1)

  private func aligned(_ samples: [Int16], _ texts: [String]) throws -> [ServiceHypothesis] {
    defer { pool.endIdle() }
    return try pool.withService(ServiceConfiguration(model: .pocketSphinx), isCancelled: { false }) {
      service in
      let texts = texts.map { $0.split(separator: " ").map(String.init) }
      return try service.decode(samples, utterance: 1, .align(texts))
    }
  }

  private func spoken(_ text: String) throws -> [Int16] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).wav")
    defer { try? FileManager.default.removeItem(at: file) }
    try Program.output(of: ["flite", "-voice", "slt", "-t", text, file.path])
    return try Recordings.samples(file)
  }

  /// Words begin and end where the sound does. Numbers, abbreviations and unknown words have their pronunciations, and marks
  /// have none.
  @Test func wordsHaveTheTimesOfTheSound() throws {
    let first = try spoken("mister xylanoff paid five dollars and fifty cents")
    let second = try spoken("in nineteen oh five")
    let pause = Recordings.silence(1)
    let samples = pause + first + pause + second + pause
    let text = "Mr. Xylanoff paid $5.50 — in 1905."
    let found = try #require(try aligned(samples, [text]).first)
    #expect(found.text == text)
    let times = Dictionary(uniqueKeysWithValues: found.words.map { ($0.text, $0) })
    let rate = 16_000.0
    let end = Double(pause.count + first.count) / rate
    // The voice is silent for up to 0.25 s at its ends.
    let isNear = { (time: Double?, wanted: Double) in abs((time ?? .infinity) - wanted) < 0.3 }
    #expect(isNear(times["Mr."]?.start, 1.2))
    #expect(isNear(times["$5.50"]?.end, end - 0.2))
    #expect(isNear(times["in"]?.start, end + 1.2))
    #expect(isNear(times["1905."]?.end, Double(samples.count) / rate - 1.2))
    #expect(times["—"]?.start == times["—"]?.end)
  }

  @Test func textsComeInTheirOrderAndTheRightOneHasTheBestScore() throws {
    let samples = try Recordings.goForward()
    let found = try aligned(samples, ["♪", "go forward ten meters", "", "go backward ten liters"])
    #expect(found.map(\.text) == ["", "go forward ten meters", "", "go backward ten liters"])
    #expect(found.map { $0.score == nil } == [true, false, true, false])
    #expect(try #require(found[1].score) > found[3].score ?? 0)
  }

  /// One service aligns and recognizes in turns.
  @Test func aligningDoesNotChangeWhatIsRecognized() throws {
    defer { pool.endIdle() }
    let samples = try Recordings.goForward()
    try pool.withService(ServiceConfiguration(model: .pocketSphinx), isCancelled: { false }) { service in
      let before = try service.decode(samples, utterance: 1)
      _ = try service.decode(samples, utterance: 2, .align([["unheard", "qwyjibo"]]))
      #expect(try service.decode(samples, utterance: 3) == before)
      #expect(before.first?.text == "go forward ten meters")
    }
  }

  /// The words that are found in the recording "go forward ten meters", or in other speech.
  /// - Parameters:
  ///   - text: what another recognizer wrote: `?` is where it is unsure, `~` where it is nearly sure, and `*` what is of the domain already.
  ///   - isTimed: whether its words have times.
  private func found(
    _ terms: [String], in text: String, _ speech: [Int16]? = nil, isTimed: Bool = false
  ) throws -> [ServiceHypothesis] {
    let samples = try speech ?? Recordings.goForward()
    let plain = text.filter { !"?~*".contains($0) }
    var words = plain.split(separator: " ").map {
      ServiceHypothesis.Word(text: String($0), start: 0, end: 0, confidence: nil)
    }
    if isTimed { words = try aligned(samples, [plain])[0].words }
    words = zip(text.split(separator: " "), words).map { word, found in
      var found = found
      found.confidence = word.hasSuffix("?") ? 0.5 : word.hasSuffix("~") ? 0.85 : 1
      found.isOfDomain = word.hasSuffix("*")
      return found
    }
    return try found(terms, in: words, samples)
  }

  private func found(
    _ terms: [String], in words: [ServiceHypothesis.Word], _ samples: [Int16]
  ) throws -> [ServiceHypothesis] {
    defer { pool.endIdle() }
    return try pool.withService(
      ServiceConfiguration(model: .pocketSphinx, contextualStrings: terms), isCancelled: { false }
    ) { try $0.decode(samples, utterance: 1, .terms(in: words)) }
  }

  /// The rows have what another recognizer wrote, the terms, and the text with the terms.
  @Test(
    arguments: [
      ("go forward ten meet? hers?", ["meeters"], "go forward ten meeters"),
      // What everyday language often has is not looked for by its sound.
      ("go forward ten meet? hers?", ["meters"], nil),
      // What sounds the same replaces by itself only what the recognizer is unsure of.
      ("go forward ten meters?", ["meeters"], "go forward ten meeters"),
      // What sounds less the same needs more evidence.
      ("go forward then? meters", ["tenne"], nil),
      ("go forward ten meters?", ["meters", "meteor", "zugzwang"], nil),
      ("go forward ten meters", ["zugzwang", "fianchetto"], nil),
      ("go forward ten meet? hers?*", ["meeters"], nil),
      ("", ["meters"], nil), ("go forward", [], nil),
    ] as [(String, [String], String?)])
  func termsThatFitTheAudioReplaceWhatSoundsLikeThem(
    _ text: String, _ terms: [String], _ expected: String?
  ) throws {
    let found = try found(terms, in: text)
    #expect(found.first?.text == expected)
    #expect(found.allSatisfy { $0.source == .domain })
    #expect(found.flatMap(\.words).filter { $0.isOfDomain == true }.allSatisfy { terms.contains($0.text) })
    let taken = found.flatMap(\.words).filter { $0.isOfDomain == true && $0.confidence == nil }
    #expect(taken.allSatisfy { 0.5...1 ~= $0.probability ?? 0 })
  }

  /// In a long utterance only the words near those in doubt are heard again, wherever these are.
  @Test(arguments: [0, 1]) func aTermIsFoundInItsPlaceOfALongUtterance(_ place: Int) throws {
    let parts = [
      "after lunch he was in zugzwang again",
      "and on sunday morning we walked along the river with all our friends until it began to rain",
    ]
    let said = (place == 0 ? parts : parts.reversed()).joined(separator: " ")
    let samples = try spoken(said)
    let times = try #require(try aligned(samples, [said]).first).words
    let term = try #require(times.first { $0.text == "zugzwang" })
    let words = times.flatMap { word -> [ServiceHypothesis.Word] in
      let isTerm = word.text == "zugzwang"
      let middle = (word.start + word.end) / 2
      return (isTerm ? ["sug", "swung"] : [word.text]).enumerated().map { index, text in
        .init(
          text: text, start: index == 0 ? word.start : middle, end: isTerm && index == 0 ? middle : word.end,
          confidence: isTerm ? 0.4 : 0.99)
      }
    }
    let found = try found(["zugzwang", "fianchetto"], in: words, samples)
    #expect(found.first?.text == said && found.first?.source == .domain)
    let taken = try #require(found.first?.words.first { $0.isOfDomain == true })
    #expect(abs(taken.start - term.start) < 0.1 && abs(taken.end - term.end) < 0.1)
  }

  /// Words in doubt are read if a term is heard in their place. Words without times have none, and are always read.
  @Test(arguments: [
    ("zwischenzug", true, true), ("zwischenzug", false, true), ("us which ends up", true, false),
  ])
  func wordsInDoubtAreReadWhereATermIsHeard(_ said: String, _ isTimed: Bool, _ isFound: Bool) throws {
    let text = "look for us~ which~ ends~ up~ first"
    let speech = try spoken("look for a \(said) first")
    let found = try found(["zwischenzug", "fianchetto"], in: text, speech, isTimed: isTimed)
    #expect(found.contains { $0.text.contains("zwischenzug") } == isFound)
  }

  /// What sounds very much like words of which the other recognizer is sure is for that one to judge. It may be in two places.
  @Test(arguments: [
    ("go forward~ ten meters", "foreword", ["go foreword ten meters"]),
    ("go forward ten meters", "foreword", ["go foreword ten meters"]),
    ("go forward ten meet hers", "meeters", ["go forward ten meeters"]),
    ("go forward~ ten forward,~", "foreword", ["go foreword ten forward,", "go forward ten foreword"]),
    // It sounds too little like them.
    ("go forward~ ten meters", "forwarding", []),
  ])
  func whatOnlySoundsAlikeIsForTheFirstRecognizer(_ text: String, _ term: String, _ expected: [String]) throws
  {
    let found = try found([term], in: text)
    #expect(
      found.map(\.text).filter { expected.contains($0) } == expected && found.isEmpty == expected.isEmpty)
    #expect(found.allSatisfy { $0.source == .best })
    let taken = found.flatMap(\.words).filter { $0.isOfDomain == true }
    #expect(taken.count == found.count && taken.allSatisfy { 0.5...1 ~= $0.probability ?? 0 })
  }

  /// A term for the first recognizer to judge keeps to the times of the words around it, which are no whole samples.
  @Test func whatIsForTheFirstRecognizerHasItsPlaceInTime() throws {
    let said =
      "they drove to holborn parish and on sunday we all walked along the river until it began to rain"
    let samples = try spoken(said)
    let words = try #require(try aligned(samples, [said]).first).words.map { word in
      var word = word
      if word.text == "holborn" { word.text = "holburn" }
      word.start += 0.000_03
      word.end += 0.000_03
      word.confidence = 0.97
      return word
    }
    let found = try found(["holborn"], in: words, samples)
    #expect(found.map(\.text) == [said])
    #expect(found.first?.source == .best)
  }

  /// Where the other words are of the domain too, a reading replaces also what the other recognizer is sure of. That is for a short
  /// list, and where no phrase is found yet.
  @Test(arguments: [
    ("go for word then meters", 0, "go forward ten meters"), ("go for word then meters", 600, nil),
    ("go for word then meters*", 0, nil),
    // Without other words of the domain, a reading is no evidence against sure words.
    ("oh four words ten eaters", 0, nil),
  ])
  func aReadingOfTheDomainReplacesSureWords(_ text: String, _ others: Int, _ expected: String?) throws {
    let terms = ["go forward ten meters"] + (0..<others).map { _ in "zugzwang" }
    #expect(try found(terms, in: text).first?.text == expected)
  }

  @Test func hostileTextDoesNoHarm() throws {
    let samples = try Recordings.goForward()
    let texts = [
      String(repeating: "a", count: 100_000), "FSG_END <sil> </s> [NOISE] (2) read(2) 1 1 1",
      String(repeating: "9", count: 500), String(repeating: "1905 ", count: 200),
    ]
    let found = try aligned(samples, texts)
    #expect(found.count == texts.count)
    _ = try ServiceHypothesis.checked(found, duration: Double(samples.count) / 16_000)
  }
}
