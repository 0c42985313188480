import Foundation
import RecognitionProtocol
import Testing

@testable import NeuralRecognition

/// The parts of the recognizer that need no network.
@Suite struct RecognitionChecksTests {
  private func words(_ text: String, each seconds: Double, confidence: Double? = nil) -> [ServiceHypothesis
    .Word]
  {
    text.split(separator: " ").enumerated().map { index, word in
      .init(
        text: String(word), start: Double(index) * seconds, end: Double(index + 1) * seconds,
        confidence: confidence)
    }
  }

  @Test(arguments: [
    "in in in in", "we go to we go to we go to", "so in, In in. now", "a b c d a b c d a b c d",
  ])
  func loopsFasterThanSpeechAreFound(_ text: String) {
    #expect(RepetitionCheck.hasLoop(words(text, each: 0.1)))
    #expect(!RepetitionCheck.hasLoop(words(text, each: 0.25)))
  }

  @Test(arguments: ["in in", "a b a b", "one two three four five six", ""])
  func fastSpeechIsNoLoop(_ text: String) {
    #expect(!RepetitionCheck.hasLoop(words(text, each: 0.05)))
  }

  @Test(arguments: [
    // The echo, or the first saying, takes no time.
    ("we go to town we go to town", [0..<4: 0.3, 4..<8: 0.01], "we go to town"),
    ("we go to town we go to town", [0..<4: 0.01, 4..<8: 0.3], "we go to town"),
    ("so We go to town. we go to town and", [0..<5: 0.3, 5..<9: 0, 9..<10: 0.3], "so We go to town. and"),
    // Both were said; or it is no sentence; or it is another one.
    ("we go to town we go to town", [0..<8: 0.3], "we go to town we go to town"),
    ("no no no no", [0..<4: 0.01], "no no no no"),
    ("we go to town we go to bed", [0..<4: 0.3, 4..<8: 0.01], "we go to town we go to bed"),
    ("", [:], ""),
  ])
  func sentenceThatTakesNoTimeIsAnEcho(_ text: String, _ paces: [Range<Int>: Double], _ kept: String) {
    var time = 0.0
    let words = text.split(separator: " ").enumerated().map { index, word in
      let start = time
      time += paces.first { $0.key.contains(index) }?.value ?? 0
      return ServiceHypothesis.Word(text: String(word), start: start, end: time, confidence: nil)
    }
    #expect(RepetitionCheck.withoutEchoes(words).kept.map(\.text).joined(separator: " ") == kept)
  }

  /// Noise at two levels: loud between the given seconds.
  private func audio(_ seconds: Double, loud: [ClosedRange<Double>], quiet: Float = 0.004) -> [Float] {
    var state: UInt32 = 7
    return (0..<Int(seconds * 16_000)).map { index in
      state = state &* 1_664_525 &+ 1_013_904_223
      let isLoud = loud.contains { $0.contains(Double(index) / 16_000) }
      return (Float(state >> 16) / 65_536 - 0.5) * (isLoud ? 0.4 : quiet)
    }
  }

  @Test func speechIsFoundByItsLevel() throws {
    let energy = SpeechEnergy(audio(4, loud: [0.5...1.5, 1.6...2.5, 3...3.2]))
    let extent = try #require(energy.extent)
    #expect(abs(extent.lowerBound - 0.5) < 0.05)
    #expect(abs(extent.upperBound - 3.2) < 0.05)
    // A short pause does not end a run.
    let run = try #require(energy.longestRun(in: 0...4))
    #expect(abs(run.lowerBound - 0.5) < 0.05)
    #expect(abs(run.upperBound - 2.5) < 0.05)
    #expect(energy.longestRun(in: 3.3...4) == nil)
  }

  @Test func noiseThatLastsIsNoSpeech() throws {
    // 12 dB below the speech.
    let extent = try #require(SpeechEnergy(audio(4, loud: [1...2], quiet: 0.1)).extent)
    #expect(abs(extent.lowerBound - 1) < 0.05)
    #expect(abs(extent.upperBound - 2) < 0.05)
  }

  @Test func silenceHasNoSpeech() {
    #expect(SpeechEnergy([Float](repeating: 0, count: 16_000)).extent == nil)
    #expect(SpeechEnergy([]).extent == nil)
  }

  /// The attention of "one" begins in the word before it, and lasts until "two".
  @Test func wordIsInsideItsSpeech() throws {
    let energy = SpeechEnergy(audio(4, loud: [1...1.6, 2.5...3]))
    let timed = WordTiming.words([word("one", 0.5, 2.4), word("two", 2.4, 4)], within: energy)
    #expect(abs(timed[0].start - 0.94) < 0.03)
    #expect(abs(timed[0].end - 1.66) < 0.03)
    #expect(abs(timed[1].start - 2.44) < 0.03)
    #expect(abs(timed[1].end - 3.06) < 0.03)
    let silent = [word("one", 0.1, 0.8)]
    #expect(WordTiming.words(silent, within: energy) == silent)
  }

  /// Writes "more" in whatever it hears.
  private final class OneWordEngine: NeuralEngine {
    static let recognizer = Recognizer.whisper
    static let version = "1"
    let capabilities: NeuralCapabilities

    init(configuration: ServiceConfiguration) throws(NeuralError) {
      var capabilities = NeuralCapabilities(
        .init(
          prefersPhrases: true, hasConfidence: true, isPunctuated: true, isLive: false, bindsLanguage: false))
      capabilities.listsHypotheses = true
      self.capabilities = capabilities
    }

    func reconfigure(_ wanted: ServiceConfiguration, from current: ServiceConfiguration) -> Bool { true }

    func decode(_ samples: [Float], _ request: DecodingRequest) throws(NeuralError) -> [RecognizedTokens] {
      [RecognizedTokens(tokens: [.init(bytes: Array(" more".utf8), start: 0.5, logProbability: -0.1)])]
    }

    func takes(_ phrases: [String]) -> Bool { true }
    func live() -> (any LiveDecoding)? { nil }
  }

  /// The audio is asked about a phrase by what stands in its place: that needs the words that were missing, too.
  @Test func whatWasMissingIsAddedToTheTextWithPhrasesAndToThePlainOne() throws {
    let recognizer = try NeuralRecognizer<OneWordEngine>(
      configuration: ServiceConfiguration(model: ModelReference(.whisper, folder: "folder", digest: "")))
    let samples = audio(4, loud: [0.5...1.2, 1.6...3.5])
    let biased = ServiceHypothesis(words: [word("tomorrow", 0.5, 1.2)], source: .biased)
    let plain = ServiceHypothesis(words: [word("two", 0.5, 1.2)], source: .best)
    let found = try recognizer.candidates([biased, plain], samples: samples)
    #expect(found.prefix(2).map(\.text) == ["tomorrow more", "two more"])
    #expect(found.prefix(2).map(\.source) == [.biased, .shifted])
    #expect(try recognizer.candidates([plain], samples: samples).first?.source == .shifted)
  }

  @Test func anElectedTextStaysElectedWithWhatWasMissing() {
    var elected = ServiceHypothesis(words: [word("two", 1, 1.4), word("one", 3, 3.4)], source: .elected)
    (elected.election, elected.share) = (0.5, 0.8)
    let complete = elected.completed(with: [word("no", 1.3, 1.6), word("more", 2, 2.4)])
    #expect(complete.text == "two more one")
    #expect(complete.source == .elected)
    #expect(complete.election == 0.5)
    #expect(complete.share == 0.8)
    #expect(elected.completed(with: []) == elected)
  }

  @Test func signsThatAreSaidAreWords() {
    for sign in ["₽", "₪", "₹", "₴", "¥", "€", "$", "×", "÷", "#", "°", "&", "a", "я", "一", "5."] {
      #expect(word(sign, 0, 1).isSpoken, "\(sign)")
    }
    for mark in ["-", "…", ">>", "«", "。", "—", "|", "~"] { #expect(!word(mark, 0, 1).isSpoken, "\(mark)") }
  }

  private func word(
    _ text: String, _ start: Double, _ end: Double, _ confidence: Double = 0.5
  ) -> ServiceHypothesis.Word {
    .init(text: text, start: start, end: end, confidence: confidence)
  }

  /// What is written for "two one", if a biased search has "tomorrow" in place of "two".
  private func taken(
    others: [[ServiceHypothesis.Word]] = [], again: [ServiceHypothesis.Word]? = nil
  ) -> String? {
    let words = [word("two", 1, 1.4, 0.7), word("one", 1.5, 1.8, 0.9)]
    let biased = [word("tomorrow", 1, 1.4, 0.3), word("one", 1.5, 1.8, 0.05)]
    let found = PhraseConfirmation.words(words, with: ["Tomorrow"], of: biased, others: others, again: again)
    return found?.map(\.text).joined(separator: " ")
  }

  @Test func phraseIsTakenOnlyIfItStandsInAnotherWindowAtItsTime() {
    #expect(taken(again: [word("tomorrow", 1.02, 1.38), word("one", 1.5, 1.8)]) == "tomorrow one")
    #expect(taken(again: [word("two", 1.02, 1.38), word("one", 1.5, 1.8)]) == nil)
    #expect(taken(again: [word("two", 1, 1.4), word("tomorrow", 1.5, 1.8)]) == nil)
    #expect(taken(again: []) == nil)
  }

  @Test func phraseIsNotTakenWhereAnotherWindowHasOtherWords() {
    #expect(taken(others: [[word("two", 1.02, 1.38)], []]) == "tomorrow one")
    #expect(taken(others: [[word("tomorrow", 1.02, 1.38)]]) == "tomorrow one")
    #expect(taken(others: [[word("two", 1.02, 1.38)], [word("nine", 1.02, 1.38)]]) == nil)
  }

  /// If both are likely, they are not two ways to write the same sound.
  @Test(arguments: [(0.7, 0.3, true), (0.7, 0.1, false), (0.975, 0.288, false), (0.5, 0.5, true)])
  func phraseIsTakenIfItExcludesTheWordAndIsNotMuchLessLikely(
    _ written: Double, _ phrase: Double, _ isTaken: Bool
  ) {
    let words = [word("two", 1, 1.4, written)]
    let replaced = PhraseConfirmation.replaced(words, by: [word("tomorrow", 1, 1.4, phrase)])
    #expect(replaced.map(\.text) == [isTaken ? "tomorrow" : "two"])
  }

  /// A beam's times differ a little from those of the best path.
  @Test func phraseOverlapsNoOtherWord() throws {
    let words = [word("close", 1, 1.4), word("nine", 1.5, 1.8), word("one", 1.8, 2.2)]
    let replaced = PhraseConfirmation.replaced(words, by: [word("niner", 1.36, 1.84)])
    #expect(replaced.map(\.text) == ["close", "niner", "one"])
    #expect(replaced.map(\.start) == [1, 1.36, 1.84])
    #expect(replaced.map(\.end) == [1.36, 1.84, 2.2])
    let hypothesis = ServiceHypothesis(words: replaced, confidence: nil)
    #expect(try ServiceHypothesis.checked([hypothesis], duration: 3).count == 1)
    // A word that the phrase would cut in two is said; the phrase is not.
    #expect(PhraseConfirmation.replaced(words, by: [word("niner", 1.25, 1.8)]) == words)
  }

  /// Partials of a long utterance on a machine that decodes at a tenth of real time.
  @Test func partialsStayWithinTheirBudget() {
    var pace = PartialPace()
    var spent = 0.0
    var last = 0
    var longestWait = 0
    let step = 1600
    for length in stride(from: step, through: 25 * 16_000, by: step) where pace.isDue(at: length) {
      let window = Double(length - pace.anchor) / 16_000
      let offset = Double(pace.anchor) / 16_000
      let found = (0..<Int(window / 0.4)).map { index in
        ServiceHypothesis.Word(
          text: "w", start: offset + Double(index) * 0.4, end: offset + Double(index + 1) * 0.4,
          confidence: nil)
      }
      spent += window * 0.1
      _ = pace.add(found, length: length, seconds: window * 0.1)
      if last > 0 { longestWait = max(longestWait, length - last) }
      last = length
    }
    #expect(spent <= 2 * 0.1 * 26)
    #expect(Double(longestWait) / 16_000 <= 0.7)
    #expect(25 * 16_000 - last <= 11_200)
  }

  /// A window of fixed cost is decoded again when the process had time for other things, and not from the beginning of a long
  /// utterance.
  @Test func windowsOfFixedCostLeaveTimeBetweenThem() {
    var settings = PartialPace.Settings()
    settings.hasFixedCost = true
    settings.firstInterval = 0.5
    settings.laterInterval = 0.4
    settings.window = 9
    var pace = PartialPace(settings)
    #expect(!pace.isDue(at: 7900))
    #expect(pace.isDue(at: 8000))
    let early = words("one two three", each: 0.15)
    _ = pace.add(early, length: 8000, seconds: 0.4)
    // After 1.2 times the cost; the interval alone would be 6400.
    #expect(!pace.isDue(at: 8000 + 7600))
    #expect(pace.isDue(at: 8000 + 7700))
    #expect(pace.anchor == 0)
    let later = words((0..<19).map { "w\($0)" }.joined(separator: " "), each: 0.5)
    _ = pace.add(later, length: 152_000, seconds: 0.4)
    #expect(pace.anchor > 8 * 16_000)
  }

  /// The first word comes soon after it can be found, and once there is one, updates come at the usual interval.
  @Test func windowsWithoutWordsAreSoonDecodedAgain() {
    var settings = PartialPace.Settings()
    settings.hasFixedCost = true
    settings.firstInterval = 0.5
    settings.laterInterval = 0.4
    var pace = PartialPace(settings)
    _ = pace.add([], length: 8000, seconds: 0.1)
    #expect(!pace.isDue(at: 8000 + 3100))
    #expect(pace.isDue(at: 8000 + 3200))
    _ = pace.add(words("one", each: 0.3), length: 11_200, seconds: 0.1)
    #expect(!pace.isDue(at: 11_200 + 3200))
    #expect(pace.isDue(at: 11_200 + 6400))
  }

  private func unfinished(_ found: KeyValuePairs<String, Double>, end: Double) -> [ServiceHypothesis.Word] {
    found.enumerated().map { index, word in
      let ended = end - Double(found.count - 1 - index) * 0.3
      return ServiceHypothesis.Word(text: word.key, start: ended - 0.2, end: ended, confidence: word.value)
    }
  }

  private func shown(
    _ pace: inout PartialPace, _ found: KeyValuePairs<String, Double>, end: Double, at seconds: Double
  ) -> String {
    pace.add(unfinished(found, end: end), length: Int(seconds * 16_000), seconds: 0.1).map(\.text)
      .joined(separator: " ")
  }

  /// A word that the end of the audio cuts is shown when the next decoding has it too, and an unlikely one when much follows it.
  @Test func wordsThatMayChangeAreNotShown() {
    var settings = PartialPace.Settings()
    settings.window = 30
    var pace = PartialPace(settings)
    #expect(shown(&pace, ["the": 0.9, "play": 0.8], end: 1, at: 1.05) == "the")
    #expect(shown(&pace, ["the": 0.9, "plague,": 0.8], end: 1.2, at: 1.45) == "the plague,")
    // Nobody said this: it is unlikely, and ends the text however sure the words after it are.
    #expect(
      shown(&pace, ["the": 0.9, "plague.": 0.8, "Thank": 0.02, "you.": 0.95], end: 1.8, at: 1.9)
        == "the plague.")
    #expect(shown(&pace, ["the": 0.9, "plague": 0.8, "and": 0.4], end: 1.9, at: 2) == "the plague")
    #expect(
      shown(&pace, ["the": 0.9, "plague": 0.8, "and": 0.4, "but": 0.2], end: 2.2, at: 2.3) == "the plague and"
    )
    // A rare name is never likely. It does not hold up what follows for long.
    #expect(shown(&pace, ["Yersin": 0.1, "found": 0.9, "it": 0.9], end: 3, at: 3.2) == "")
    #expect(shown(&pace, ["Yersin": 0.1, "found": 0.9, "it": 0.9], end: 3, at: 3.5) == "Yersin found it")
  }

  /// While nothing is shown, the next decoding comes soon, also where there are words.
  @Test func wordsThatAreNotShownAreSoonDecodedAgain() {
    var settings = PartialPace.Settings()
    settings.hasFixedCost = true
    settings.laterInterval = 0.4
    var pace = PartialPace(settings)
    #expect(shown(&pace, ["play": 0.2], end: 0.5, at: 0.5) == "")
    #expect(pace.isDue(at: 8000 + 3200))
    #expect(shown(&pace, ["plague": 0.9], end: 0.55, at: 0.8) == "plague")
    #expect(!pace.isDue(at: 12_800 + 3200))
  }

  /// Where a window begins within speech, its first word is often one that nobody said.
  @Test func wordsThatAreHeardAgainAreShownOnce() {
    var settings = PartialPace.Settings()
    settings.overlap = 1
    var pace = PartialPace(settings)
    _ = pace.add(words("one two three four five", each: 0.5), length: 40_000, seconds: 0.1)
    #expect(pace.kept.map(\.text) == ["one", "two", "three", "four"])
    #expect(pace.anchor == 16_000)
    for again in ["or three four five six", "or free fall five six"] {
      var pace = pace
      let found = words(again, each: 0.45).map { $0.moved(by: 0.75) }
      let shown = pace.add(found, length: 56_000, seconds: 0.1).map(\.text)
      #expect(shown == ["one", "two", "three", "four", "five", "six"])
    }
  }

  @Test func wordThatIsSaidTwiceIsShownTwice() {
    var settings = PartialPace.Settings()
    settings.overlap = 1
    var pace = PartialPace(settings)
    _ = pace.add(words("one two very very", each: 0.4), length: 26_000, seconds: 0.1)
    let found = words("two very very good", each: 0.4).map { $0.moved(by: 0.4) }
    let shown = pace.add(found, length: 36_000, seconds: 0.1).map(\.text)
    #expect(shown == ["one", "two", "very", "very", "good"])
  }

  /// A word that is not shown may be another one in the next window; kept, it would stand there until the final text.
  @Test func onlyShownWordsAreKept() {
    var settings = PartialPace.Settings()
    (settings.window, settings.overlap) = (2, 1)
    var pace = PartialPace(settings)
    let found: KeyValuePairs = ["one": 0.9, "two": 0.9, "then": 0.1, "there": 0.9, "five": 0.9]
    #expect(shown(&pace, found, end: 2, at: 2.2) == "one two")
    #expect(pace.kept.map(\.text) == ["one", "two"])
    // But a window does not grow without end.
    pace = PartialPace(settings)
    #expect(shown(&pace, ["then": 0.1, "there": 0.9, "five": 0.9], end: 3.9, at: 4.1) == "")
    #expect(pace.kept.map(\.text) == ["then", "there"])
  }

  /// Whisper may write a window's first words once more where the audio ends, as one word and in no time.
  @Test func wordsThatAreTooFastAreNotShown() {
    var settings = PartialPace.Settings()
    settings.window = 30
    var pace = PartialPace(settings)
    let spoken = words("dark hair and strong", each: 0.3, confidence: 0.9)
    let echo = ServiceHypothesis.Word(text: "dark-hair-and-strong", start: 1.2, end: 1.3, confidence: 0.9)
    #expect(pace.add(spoken + [echo], length: 26_000, seconds: 0.1).map(\.text) == spoken.map(\.text))
    // A word whose time is wrong does not hold up what follows for long.
    #expect(pace.add(spoken + [echo], length: 40_000, seconds: 0.1).count == 5)
    pace = PartialPace()
    let one = ServiceHypothesis.Word(text: "to", start: 1.2, end: 1.22, confidence: 0.9)
    #expect(pace.add(spoken + [one], length: 26_000, seconds: 0.1).count == 5)
  }

  @Test func keptWordsAreNotLost() {
    var pace = PartialPace()
    let early = words("one two three four five", each: 0.5)
    #expect(
      pace.add(early, length: 40_000, seconds: 0.1).map(\.text) == ["one", "two", "three", "four", "five"])
    #expect(pace.anchor > 0)
    let later = [ServiceHypothesis.Word(text: "five", start: 2, end: 2.5, confidence: nil)]
    #expect(
      pace.add(later, length: 48_000, seconds: 0.1).map(\.text) == ["one", "two", "three", "four", "five"])
  }
}
