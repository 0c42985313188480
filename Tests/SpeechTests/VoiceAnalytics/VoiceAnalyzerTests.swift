import Foundation
import Testing

@testable import Speech
@testable import VoiceMeasurement

/// The analyser on signals whose values can be worked out by hand.
struct VoiceAnalyzerTests {
  private let analyzer = VoiceAnalyzer()

  /// Frames far enough from both ends for a whole window.
  private func inner(_ values: [Double]) -> ArraySlice<Double> { values.dropFirst(6).dropLast(6) }

  @Test(arguments: [32, 50, 80, 100, 160, 200])
  func regularPulsesHaveTheirFrequencyAndNoPerturbation(period: Int) throws {
    let analysis = analyzer.analyze(SyntheticVoice.pulses(seconds: 1, periods: [period]))
    let frequency = 16000 / Double(period)
    #expect(analysis.frameCount == 100)
    #expect(inner(analysis.contour.frequencies).allSatisfy { abs($0 / frequency - 1) < 0.0005 })
    #expect(inner(analysis.pitch).allSatisfy { abs($0) < 0.001 })
    #expect(inner(analysis.voicing).allSatisfy { $0 > 0.95 })
    let (jitter, shimmer) = (try #require(analysis.utteranceJitter), try #require(analysis.utteranceShimmer))
    #expect(jitter < 0.01)
    #expect(shimmer < 0.01)
    #expect(analysis.jitter.allSatisfy { $0 < 0.01 })
    #expect(analysis.shimmer.allSatisfy { $0 < 0.01 })
    #expect(abs(analysis.pulses.count - 16000 / period) <= 2)
  }

  @Test func alternatingPeriodsGiveTheirJitter() throws {
    let analysis = analyzer.analyze(SyntheticVoice.pulses(seconds: 1, periods: [158, 162]))
    // Each period differs by 4 samples from the one before; their mean is 160.
    let jitter = try #require(analysis.utteranceJitter)
    #expect(abs(jitter - 2.5) < 0.03)
    #expect(inner(analysis.jitter).allSatisfy { abs($0 - 2.5) < 0.05 })
    #expect(inner(analysis.shimmer).allSatisfy { $0 < 0.05 })
  }

  @Test func alternatingAmplitudesGiveTheirShimmer() throws {
    let analysis = analyzer.analyze(
      SyntheticVoice.pulses(seconds: 1, periods: [128], amplitudes: [0.5, 0.4]))
    let expected = 20 * log10(0.5 / 0.4)
    let shimmer = try #require(analysis.utteranceShimmer)
    #expect(abs(shimmer - expected) < 0.01)
    #expect(inner(analysis.shimmer).allSatisfy { abs($0 - expected) < 0.01 })
    #expect(inner(analysis.jitter).allSatisfy { $0 < 0.01 })
  }

  @Test func glideIsTracked() {
    let frequency = { (time: Double) in 110 * pow(2, time) }
    let analysis = analyzer.analyze(SyntheticVoice.harmonics(seconds: 1, frequency: frequency))
    for (frame, found) in analysis.contour.frequencies.enumerated().dropFirst(3).dropLast(3) {
      let expected = frequency(VoiceSignal.time(ofFrame: frame))
      #expect(abs(found / expected - 1) < 0.005, "frame \(frame): \(found), not \(expected)")
    }
  }

  @Test func pitchIsRelativeToTheMedian() {
    let analysis = analyzer.analyze(
      SyntheticVoice.harmonics(seconds: 1) { $0 < 0.7 ? 120 : 240 })
    #expect(abs(analysis.pitch[30]) < 0.002)
    #expect(abs(analysis.pitch[85] - log(2)) < 0.002)
  }

  @Test func noiseAndSilenceAreNotVoiced() {
    for samples in [SyntheticVoice.noise(seconds: 1), [Float](repeating: 0, count: 16000)] {
      let analysis = analyzer.analyze(samples)
      #expect(analysis.frameCount == 100)
      #expect(analysis.contour.frequencies.allSatisfy { $0 == 0 })
      #expect(analysis.voicing.allSatisfy { $0 < 0.5 })
      #expect((analysis.pitch + analysis.jitter + analysis.shimmer).allSatisfy { $0 == 0 })
      #expect(analysis.pulses.isEmpty)
      #expect(analysis.utteranceJitter == nil)
      #expect(analysis.utteranceShimmer == nil)
    }
  }

  @Test func voiceBetweenSilencesIsLocated() {
    let silence = [Float](repeating: 0, count: 8000)
    let voice = SyntheticVoice.pulses(seconds: 0.5, periods: [100])
    let analysis = analyzer.analyze(silence + voice + silence)
    let voiced = analysis.contour.voicedRuns
    #expect(voiced.count == 1)
    #expect(abs((voiced.first?.lowerBound ?? 0) - 50) <= 2)
    #expect(abs((voiced.first?.upperBound ?? 0) - 100) <= 2)
  }

  @Test func constantOffsetChangesNothing() {
    let voice = SyntheticVoice.pulses(seconds: 0.5, periods: [120], amplitudes: [0.3, 0.25])
    let plain = analyzer.analyze(voice)
    let shifted = analyzer.analyze(voice.map { $0 + 0.4 })
    for (one, other) in zip(plain.contour.frequencies, shifted.contour.frequencies) {
      #expect(abs(one - other) < 0.01)
    }
    #expect(abs((plain.utteranceShimmer ?? 0) - (shifted.utteranceShimmer ?? 1)) < 0.001)
  }

  @Test func integersAndFloatsGiveTheSameResult() {
    let samples = SyntheticVoice.harmonics(seconds: 0.4) { _ in 180 }.map { Int16($0 * 32767) }
    #expect(analyzer.analyze(samples) == analyzer.analyze(samples.map { Float($0) / 32768 }))
  }

  @Test func unusualInputGivesFiniteValues() {
    let square = (0..<16000).map { $0 / 80 % 2 == 0 ? Int16.max : Int16.min }
    let clipped = SyntheticVoice.harmonics(seconds: 0.5) { _ in 150 }.map { min(0.1, max(-0.1, $0)) }
    let voice = SyntheticVoice.pulses(seconds: 0.3, periods: [100])
    var broken = voice
    (broken[100], broken[2000], broken[3000]) = (.nan, .infinity, -.infinity)
    var analyses = [
      analyzer.analyze(square), analyzer.analyze(clipped), analyzer.analyze(broken),
      analyzer.analyze([Int16]()), analyzer.analyze([Int16](repeating: .min, count: 3200)),
      analyzer.analyze(voice.map { $0 * 1e37 }), analyzer.analyze(voice.map { $0 * 1e-37 }),
    ]
    // Every length around a frame and around the window, the voice cut at every phase.
    for length in [1, 2, 3, 159, 160, 161, 319, 639, 640, 641, 1023, 1601, 1750, 2399, 4799] {
      analyses.append(analyzer.analyze(voice.prefix(length)))
      analyses.append(analyzer.analyze(SyntheticVoice.noise(seconds: 0.3).prefix(length)))
      #expect(analyses.last?.frameCount == (length + 159) / 160)
    }
    for analysis in analyses {
      for values in [
        analysis.contour.frequencies, analysis.pitch, analysis.voicing, analysis.jitter, analysis.shimmer,
      ] {
        #expect(values.count == analysis.frameCount)
        #expect(values.allSatisfy { $0.isFinite })
      }
      #expect(analysis.voicing.allSatisfy { (0...1).contains($0) })
      #expect(
        zip(analysis.voicing, analysis.contour.frequencies).allSatisfy { ($0 >= 0.5) == ($1 > 0) })
    }
    #expect(analyses[0].contour.frequencies[50] > 99)
    #expect(analyses[0].contour.frequencies[50] < 101)
    #expect(abs(analyses[1].contour.frequencies[25] - 150) < 0.5)
    #expect(analyses[3].frameCount == 0)
    #expect(abs(analyses[5].contour.frequencies[15] - 160) < 0.1)
  }

  @Test func wordsHaveTheFramesBetweenTheirTimes() {
    let analysis = analyzer.analyze(SyntheticVoice.harmonics(seconds: 1) { 100 + 50 * $0 })
    let whole = analysis.voiceAnalytics
    #expect(whole.pitch.acousticFeatureValuePerFrame == analysis.pitch)
    #expect(whole.voicing.frameDuration == 0.01)
    let first = analysis.voiceAnalytics(from: 0.2, duration: 0.13)
    let second = analysis.voiceAnalytics(from: 0.33, duration: 0.07)
    #expect(first.pitch.acousticFeatureValuePerFrame == Array(analysis.pitch[20..<33]))
    #expect(second.jitter.acousticFeatureValuePerFrame == Array(analysis.jitter[33..<40]))
    #expect(second.shimmer.acousticFeatureValuePerFrame == Array(analysis.shimmer[33..<40]))
    #expect(second.voicing.acousticFeatureValuePerFrame == Array(analysis.voicing[33..<40]))
    for (start, duration) in [(-1.0, 0.5), (0.5, 0), (0.5, -1), (2, 1), (.nan, 1), (0, .nan)] {
      let part = analysis.voiceAnalytics(from: start, duration: duration)
      #expect(part.pitch.acousticFeatureValuePerFrame.isEmpty)
    }
    #expect(analysis.voiceAnalytics(from: -1, duration: .infinity) == whole)
  }
}
