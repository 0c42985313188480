import CoreMedia
import Testing

@testable import Speech

@Suite struct SpeechDetectorTests {
  @Test func resultsTileTheAudioAndTellTheOnsetAtOnce() {
    let audio =
      SpeechSegmenterTests.noise(2) + SpeechSegmenterTests.voice(1.5) + SpeechSegmenterTests.noise(2)
    var timeline = DetectorTimeline(configuration: .init(), start: 0)
    var results: [SpeechDetector.Result] = []
    for start in stride(from: 0, to: audio.count, by: 1600) {
      results += timeline.take(Array(audio[start..<min(start + 1600, audio.count)]), at: start)
    }
    results += timeline.commit(through: audio.count)
    let finals = results.filter(\.isFinal)
    #expect(finals.map(\.speechDetected) == [false, true, false])
    #expect(finals.first?.range.start == .zero && finals.last?.range.end.seconds == 5.5)
    for (earlier, later) in zip(finals, finals.dropFirst()) {
      #expect(later.range.start == earlier.range.end)
    }
    let onset = results.first { !$0.isFinal }
    #expect(onset?.speechDetected == true && abs((onset?.range.start.seconds ?? 0) - 2) < 0.3)
    #expect(onset.map { $0.range.end.seconds < 2.4 } == true)
  }

  @Test("A detector is of medium sensitivity and reports nothing unless asked")
  func defaults() async throws {
    let detector = SpeechDetector()
    #expect(detector.segmentation == SpeechDetector.SensitivityLevel.medium.segmentation)
    let analyzer = SpeechAnalyzer(modules: [detector])
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    for try await result in detector.results { Issue.record("\(result)") }
  }

  @Test func moreSensitiveLevelsHearMore() {
    let levels = SpeechDetector.SensitivityLevel.allCases.map(\.segmentation.onset)
    #expect(levels == levels.sorted(by: >))
  }
}
