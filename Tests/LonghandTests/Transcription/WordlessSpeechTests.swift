import Longhand
import Testing

@testable import LonghandTranscription

@Suite struct WordlessSpeechTests {
  private func ranges(_ stretches: [CoverageSpan.Stretch]) -> [ClosedRange<Double>] { stretches.map(\.range) }

  @Test func speechWithoutWordsIsFound() {
    var speech = WordlessSpeech(from: 0)
    speech.detected(2...5, "speech")
    let stretches = speech.finalize(through: 6)
    #expect(ranges(stretches) == [2...5])
    #expect(stretches[0].kind == .wordless)
    #expect(stretches[0].reason == "speech without words")
    #expect(speech.finalize(through: 100).isEmpty, "reported once")
  }

  /// The negative control of the other tests.
  @Test func speechWithWordsIsNotReported() {
    var speech = WordlessSpeech(from: 0)
    speech.detected(2...5, "speech")
    speech.recognized(2.4...4.6)
    #expect(speech.finalize(through: 6).isEmpty)
  }

  @Test func detectionWaitsForLateWords() {
    var speech = WordlessSpeech(from: 0)
    speech.detected(2...10, "speech")
    #expect(speech.finalize(through: 9).isEmpty)
    // Late words.
    speech.recognized(2...9.5)
    #expect(speech.finalize(through: 10).isEmpty)
  }

  @Test func wordsBeforeTheDetectionCount() {
    var speech = WordlessSpeech(from: 0)
    speech.recognized(2...5)
    #expect(speech.finalize(through: 8).isEmpty)
    speech.detected(1.8...8, "sound")
    #expect(ranges(speech.finalize(through: 8)) == [5...8])
  }

  @Test func onlyLongPartsBetweenSegmentsAreReported() {
    var speech = WordlessSpeech(from: 0)
    speech.detected(0...20, "speech")
    for range in [0.5...4, 4.9...8, 11...19.5] { speech.recognized(range) }
    #expect(ranges(speech.finalize(through: 20)) == [8...11])
  }

  /// An engine that starts again detects the same range again.
  @Test func repeatedDetectionIsIgnored() {
    var speech = WordlessSpeech(from: 3)
    speech.detected(0...6, "speech")
    speech.detected(2...5, "speech")
    speech.detected(4...9, "speech")
    #expect(ranges(speech.finalize(through: 9)) == [3...6, 6...9])
  }
}
