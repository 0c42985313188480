@testable import RecognitionCore
import RecognitionProtocol
import Testing

@testable import Speech

@Suite struct WindowPackerTests {
  private static let second = SpeechSegmenter.sampleRate

  /// An utterance with times in tenths of a second.
  private func part(_ start: Int, _ end: Int) -> DecodingWindow.Part {
    .init(
      audio: .init(
        start: start * Self.second / 10, samples: .init(repeating: 1, count: (end - start) * Self.second / 10)
      ))
  }

  /// The windows of utterances, as lists of starts in tenths of a second.
  private func windows(_ parts: [DecodingWindow.Part], max: Int? = 28) -> [[Int]] {
    var packer = WindowPacker(maxLength: max.map { $0 * Self.second })
    let whole = parts.flatMap { packer.take($0) } + packer.finish()
    return whole.map { $0.parts.map { $0.audio.start * 10 / Self.second } }
  }

  @Test func utterancesThatFitAreOneWindow() {
    #expect(windows([part(0, 90), part(95, 180), part(190, 270)]) == [[0, 95, 190]])
  }

  @Test func windowIsNotLongerThanTheLimit() {
    #expect(windows([part(0, 100), part(105, 200), part(205, 300)]) == [[0, 105], [205]])
  }

  @Test func pausesDoNotCount() {
    #expect(windows([part(0, 90), part(130, 220), part(260, 340)]) == [[0, 130, 260]])
  }

  /// What is said after it may be in another language.
  @Test func longPauseEndsAWindow() {
    #expect(windows([part(0, 90), part(139, 220), part(270, 340)]) == [[0, 139], [270]])
  }

  @Test func windowsStartAnewEachMinute() {
    #expect(windows([part(550, 590), part(598, 610), part(611, 630)]) == [[550, 598], [611]])
  }

  @Test func packingFromTheStartOfAPeriodGivesTheSameWindows() {
    let parts = (0..<60).map { part($0 * 37, $0 * 37 + 11 + $0 % 7 * 3) }
    let all = windows(parts)
    for start in [600, 1200, 1800] {
      let later = windows(parts.filter { $0.audio.start * 10 / Self.second >= start })
      #expect(later == all.filter { $0[0] >= start })
    }
  }

  /// Noise that is raised draws words to itself.
  @Test func quietSpeechIsRaisedAndOtherQuietAudioStays() {
    var quiet = part(5, 20)
    #expect(quiet.evened().audio.samples.allSatisfy { $0 > 100 })
    #expect(quiet.evened().audio.range == quiet.audio.range)
    quiet.nonspeech = [quiet.audio.range]
    #expect(quiet.evened() == quiet)
  }

  @Test func withoutALimitEachUtteranceIsAWindow() {
    #expect(windows([part(0, 10), part(15, 20)], max: nil) == [[0], [15]])
  }

  /// An utterance of five seconds, with the ranges without speech in tenths of a second.
  @Test(arguments: [
    ([0..<20], [0..<20, 20..<50], ["", "speech"]),
    ([0..<12, 30..<50], [0..<12, 12..<30, 30..<50], ["", "speech", ""]),
    ([10..<15, 20..<40], [0..<20, 20..<40, 40..<50], ["speech", "", "speech"]),
    // Too short to matter.
    ([0..<9, 20..<25], [0..<50], ["speech"]),
    ([0..<50], [0..<50], [""]),
    ([], [0..<50], ["speech"]),
  ])
  func longRangesWithoutSpeechAreNotHeard(
    _ nonspeech: [Range<Int>], _ pieces: [Range<Int>], _ kinds: [String]
  ) {
    let unit = Self.second / 10
    func samples(_ range: Range<Int>) -> Range<Int> { range.lowerBound * unit..<range.upperBound * unit }
    let audio = UtteranceAudio(start: 0, samples: (0..<50 * unit).map { Int16($0 / unit) })
    let whole = DecodingWindow.Part(audio: audio, nonspeech: nonspeech.map(samples))
    let parts = whole.divided()
    #expect(parts.map(\.audio.range) == pieces.map(samples))
    #expect(parts.flatMap(\.audio.samples) == audio.samples)
    #expect(parts.flatMap { $0.nonspeech ?? [] } == nonspeech.map(samples))
    var window = DecodingWindow(parts[0], omitsNonspeech: true)
    for part in parts.dropFirst() { window.append(part) }
    #expect(window.parts.map { $0.extent.isEmpty ? "" : "speech" } == kinds)
  }

  @Test(arguments: [(0, 50, 10), (550, 590, 60)])
  func windowIsCompleteWhenItsPeriodOrALongPauseHasPassed(start: Int, end: Int, complete: Int) {
    var packer = WindowPacker(maxLength: 28 * Self.second)
    let part = part(start, end)
    #expect(packer.take(part).isEmpty)
    #expect(packer.reach(complete * Self.second - 1).isEmpty)
    #expect(packer.reach(complete * Self.second).map(\.range) == [part.audio.range])
    #expect(packer.start == nil)
  }

  // MARK: Utterances without speech

  @Test func utterancesWithoutSpeechAreNotDecoded() {
    var noise = part(15, 40)
    noise.nonspeech = [noise.audio.range]
    var window = DecodingWindow(part(0, 10), omitsNonspeech: true)
    window.append(noise)
    window.append(part(42, 50))
    #expect(window.samples.count == Self.second * (10 + 5 + 8) / 10)
    #expect(
      texts(window, [hypothesis([("a", 0.25, 0.5), ("b", 1.5, 2)])]) == [["a 0.25-0.5"], [""], ["b 0.0-0.5"]])
  }

  // MARK: Words

  private func window(_ parts: [DecodingWindow.Part]) -> DecodingWindow {
    var window = DecodingWindow(parts[0])
    for part in parts.dropFirst() { window.append(part) }
    return window
  }

  private func hypothesis(_ words: [(String, Double, Double)]) -> ServiceHypothesis {
    .init(words: words.map { .init(text: $0, start: $1, end: $2, confidence: 0.5) }, confidence: nil)
  }

  /// The hypotheses of each utterance as text with the times in it.
  private func texts(_ window: DecodingWindow, _ hypotheses: [ServiceHypothesis]) -> [[String]] {
    window.hypotheses(of: hypotheses).map { part in
      part.map { $0.words.map { "\($0.text) \($0.start)-\($0.end)" }.joined(separator: ", ") }
    }
  }

  @Test func wordsGoToTheirUtterance() {
    // The second utterance begins 0.5 s after the first one has ended, at 1.5 s of the window.
    let window = window([part(0, 10), part(50, 60)])
    #expect(window.samples.count == Self.second * 5 / 2)
    #expect(
      texts(window, [hypothesis([("a", 0.25, 0.5), ("b", 0.5, 1), ("c", 1.5, 2), ("d", 2, 2.5)])])
        == [["a 0.25-0.5, b 0.5-1.0"], ["c 0.0-0.5, d 0.5-1.0"]])
  }

  @Test func wordsInTheSilenceGoToTheNearestUtterance() {
    let window = window([part(0, 10), part(50, 60)])
    #expect(
      texts(window, [hypothesis([("a", 0.75, 1.25), ("b", 1.25, 1.75)])]) == [["a 0.75-1.0"], ["b 0.0-0.25"]])
  }

  @Test func alternativesOfAnUtteranceAreDistinct() {
    let window = window([part(0, 10), part(50, 60)])
    let best = hypothesis([("a", 0.25, 0.5), ("c", 1.5, 2)])
    let other = hypothesis([("a", 0.25, 0.5), ("see", 1.5, 2)])
    #expect(texts(window, [best, other]) == [["a 0.25-0.5"], ["c 0.0-0.5", "see 0.0-0.5"]])
  }

  @Test func anAlternativeDoesNotFillAnUtteranceWithoutWords() {
    let window = window([part(0, 10), part(50, 60)])
    let best = hypothesis([("a", 0.25, 0.5)])
    let other = hypothesis([("a", 0.25, 0.5), ("see", 1.5, 2)])
    #expect(window.hypotheses(of: [best, other])[1].map(\.words.isEmpty) == [true])
  }

  /// Of a window, only the utterances in which the texts differ were elected.
  @Test func anElectionIsAboutTheUtteranceInWhichTheTextsDiffer() {
    let window = window([part(0, 10), part(50, 60)])
    var elected = hypothesis([("a", 0.25, 0.5), ("hare", 1.5, 2)])
    (elected.source, elected.election) = (.elected, 1.25)
    var outvoted = hypothesis([("a", 0.25, 0.5), ("hair", 1.5, 2)])
    outvoted.source = .outvoted
    let other = hypothesis([("ah", 0.25, 0.5), ("hare", 1.5, 2)])
    let found = window.hypotheses(of: [elected, outvoted, other])
    #expect(found.map { $0.map(\.text) } == [["a", "ah"], ["hare", "hair"]])
    #expect(found.map { $0.map(\.source) } == [[.best, .best], [.elected, .outvoted]])
    #expect(found.map { $0[0].election } == [nil, 1.25])
  }

  /// Of a window, only the utterances in which it changed a text are biased; elections stay those of the others.
  @Test func aPhraseIsInTheUtteranceInWhichItChangesTheText() {
    let window = window([part(0, 10), part(50, 60)])
    var biased = hypothesis([("a", 0.25, 0.5), ("Kimura", 1.5, 2)])
    biased.source = .biased
    biased.words[0].isOfDomain = true
    var elected = hypothesis([("a", 0.25, 0.5), ("camera", 1.5, 2)])
    (elected.source, elected.election) = (.elected, 1.25)
    for (other, sources) in [
      ("ah", [[.elected, .outvoted], [.biased, .best]]),
      ("a", [[.best], [.biased, .elected, .outvoted]]),
    ] as [(String, [[ServiceHypothesis.Source]])] {
      var outvoted = hypothesis([(other, 0.25, 0.5), (other == "a" ? "chimera" : "camera", 1.5, 2)])
      outvoted.source = .outvoted
      let found = window.hypotheses(of: [biased, elected, outvoted])
      #expect(found.map { $0.map(\.source) } == sources)
      #expect(found[0][0].election == (other == "ah" ? 1.25 : nil))
      #expect(found[0][0].words[0].isOfDomain == true)
      #expect(found[1].first?.text == "Kimura")
    }
    // What a phrase and the outvoted text have in common was not voted out.
    var outvoted = hypothesis([("ah", 0.25, 0.5), ("Kimura", 1.5, 2)])
    outvoted.source = .outvoted
    #expect(window.hypotheses(of: [biased, elected, outvoted])[1].map(\.source) == [.biased, .elected])
  }

  @Test func wordTimesLieInTheirUtteranceInOrder() {
    var generator = SystemRandomNumberGenerator()
    let window = window([part(0, 7), part(9, 30), part(80, 85), part(86, 120)])
    let end = Double(window.samples.count) / Double(Self.second)
    for _ in 0..<100 {
      var times = (0..<20).map { _ in Double.random(in: 0...end, using: &generator) }.sorted()
      times.append(end)
      let words = zip(times, times.dropFirst()).map { ("w", $0, $1) }
      let found = window.hypotheses(of: [hypothesis(words)])
      for (part, hypotheses) in zip(window.parts, found) {
        var last = 0.0
        for word in hypotheses[0].words {
          #expect(word.start >= last)
          #expect(word.end >= word.start)
          last = word.end
        }
        #expect(last <= Double(part.audio.samples.count) / Double(Self.second))
      }
      #expect(found.reduce(0) { $0 + $1[0].words.count } == words.count)
    }
  }
}
