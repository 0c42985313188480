import CoreMedia
import Foundation
import TestSupport
import Testing

@testable import Speech

@Suite struct SpeechDetectorTests {
  private static let quiet = Recordings.silence(2)

  /// What a timeline says of audio that comes in buffers of this size, with everything committed at its end.
  private func results(
    of audio: [Int16], by size: Int = 1600, _ detection: SpeechDetection = SpeechDetector().detection
  ) -> [SpeechDetector.Result] {
    var timeline = DetectorTimeline(detection: detection, start: 0)
    var results: [SpeechDetector.Result] = []
    for start in stride(from: 0, to: audio.count, by: size) {
      results += timeline.take(Array(audio[start..<min(start + size, audio.count)]), at: start)
    }
    return results + timeline.commit(through: audio.count)
  }

  private func checkTiling(_ finals: [SpeechDetector.Result], through end: Int) {
    #expect(finals.first?.range.start == .zero)
    #expect(finals.last?.range.end == AnalysisTimeline.time(of: end))
    for (earlier, later) in zip(finals, finals.dropFirst()) {
      #expect(later.range.start == earlier.range.end)
    }
  }

  @Test func resultsTileTheAudioAndReportTheOnsetSoon() throws {
    let audio = try Self.quiet + Recordings.goForward() + Self.quiet
    let results = results(of: audio)
    let finals = results.filter(\.isFinal)
    #expect(finals.map(\.speechDetected) == [false, true, false])
    checkTiling(finals, through: audio.count)
    let onset = try #require(results.first { !$0.isFinal })
    let speech = finals[1].range
    #expect(onset.speechDetected)
    #expect(onset.range.start == speech.start)
    #expect((onset.range.end - speech.start).seconds < 1.1)
  }

  @Test func musicIsNoSpeechAndSpeechAfterItIs() throws {
    let audio = try Self.quiet + Sounds.melody(10) + Self.quiet + Sounds.reader() + Self.quiet
    let finals = results(of: audio).filter(\.isFinal)
    checkTiling(finals, through: audio.count)
    let speech = finals.filter(\.speechDetected).map(\.range)
    #expect(speech.allSatisfy { $0.start.seconds > 13 })
    #expect(speech.reduce(0) { $0 + $1.duration.seconds } > 5)
    // Without the judge, sound is all that counts.
    let sound = results(of: audio, SpeechDetection()).filter { $0.isFinal && $0.speechDetected }
    #expect(sound.contains { $0.range.start.seconds < 3 })
  }

  @Test func howTheAudioComesMakesNoDifferenceToFinals() throws {
    let audio = try Self.quiet + Sounds.reader() + Sounds.melody(3) + Self.quiet + Recordings.goForward()
    let expected = results(of: audio).filter(\.isFinal).map(\.description)
    #expect(expected.count > 3)
    for size in [100, 4801, audio.count] {
      #expect(results(of: audio, by: size).filter(\.isFinal).map(\.description) == expected)
    }
  }

  @Test("Random audio, gaps and commitments: finals tile the timeline, and the committed is final")
  func randomSchedules() throws {
    let sounds = try [
      Recordings.goForward(), Array(Sounds.reader().prefix(40_000)), Sounds.melody(2), Recordings.silence(1),
      Sounds.hiss(1),
    ]
    for seed in 0..<UInt64(isSoak ? 200 : 8) {
      var generator = SeededGenerator(seed: seed)
      var timeline = DetectorTimeline(detection: SpeechDetector().detection, start: 0)
      var finals: [SpeechDetector.Result] = []
      var place = 0
      for _ in 0..<12 {
        var new: [SpeechDetector.Result] = []
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
          place += Int.random(in: 1...20_000, using: &generator)
          new = timeline.skip(to: place)
        case 1:
          new = timeline.commit(through: place)
          if place > 0 {
            #expect((finals + new).last?.range.end == AnalysisTimeline.time(of: place))
          }
        default:
          let sound = sounds[Int.random(in: 0..<sounds.count, using: &generator)]
          let part = Array(sound.prefix(Int.random(in: 1...sound.count, using: &generator)))
          new = timeline.take(part, at: place)
          place += part.count
        }
        let range = CMTimeRange(start: .zero, end: AnalysisTimeline.time(of: place))
        #expect(new.allSatisfy { $0.range.end <= range.end && !$0.range.isEmpty })
        finals += new.filter(\.isFinal)
      }
      finals += timeline.commit(through: place).filter(\.isFinal)
      if place > 0 { checkTiling(finals, through: place) }
    }
  }

  @Test("A detector is of medium sensitivity and reports nothing unless asked")
  func defaults() async throws {
    let detector = SpeechDetector()
    #expect(detector.detection == SpeechDetector.SensitivityLevel.medium.detection)
    let analyzer = SpeechAnalyzer(modules: [detector])
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    for try await result in detector.results { Issue.record("\(result)") }
  }

  @Test func moreSensitiveLevelsHearMore() {
    let detections = SpeechDetector.SensitivityLevel.allCases.map(\.detection)
    #expect(detections.map(\.segmentation.onset) == detections.map(\.segmentation.onset).sorted(by: >))
    let thresholds = detections.compactMap(\.threshold)
    #expect(thresholds.count == 3)
    #expect(thresholds == thresholds.sorted(by: >))
  }

  @Test(
    "A detector keeps a transcriber beside it from words outside speech, and from no others",
    .tagged(.recognizer))
  func gating() async throws {
    let audio =
      try Sounds.melody(12) + Recordings.silence(1.5) + Recordings.goForward() + Recordings.silence(1)
    func text(_ modules: [any SpeechModule], of transcriber: SpeechTranscriber) async throws -> String {
      let analyzer = SpeechAnalyzer(modules: modules)
      // It writes words for a melody.
      try await analyzer.setContext(TestedModel.embedded.context)
      let input = AnalyzerInput(buffer: try Recordings.buffer(audio))
      let end = try await analyzer.analyzeSequence(
        AsyncStream {
          $0.yield(input); $0.finish()
        })
      try await analyzer.finalizeAndFinish(through: try #require(end))
      var text = ""
      for try await result in transcriber.results where result.isFinal {
        text += String(result.text.characters)
      }
      return text.trimmingCharacters(in: .whitespaces)
    }
    for options in isSoak ? [[], [SpeechTranscriber.ReportingOption.volatileResults]] : [[.volatileResults]] {
      func transcriber() -> SpeechTranscriber {
        SpeechTranscriber(
          locale: Locale(identifier: "en-US"), transcriptionOptions: [], reportingOptions: Set(options),
          attributeOptions: [])
      }
      let (alone, beside) = (transcriber(), transcriber())
      let ungated = try await text([alone], of: alone)
      #expect(ungated.hasSuffix("go forward ten meters"))
      #expect(ungated != "go forward ten meters")
      #expect(try await text([beside, SpeechDetector()], of: beside) == "go forward ten meters")
    }
  }
}
