import Foundation
import TestSupport
import Testing

@testable import Speech
@testable import VoiceMeasurement

/// The analyser against Praat, frame by frame, on real recordings.
///
/// The bounds are what was measured with Praat 6.1.38, with a little room. Where there is a voice the two agree
/// to the sample. What is left are hissing sounds that pass for voiced at 500 Hz and more: their "pulses" are
/// chance, and a pulse placed elsewhere changes the jitter and shimmer of a short utterance.
struct PraatComparisonTests {
  private struct Compared {
    var name: String
    var praat: Praat.Measurement
    var ours: VoiceAnalysis
  }

  private static func compare() throws -> [Compared] {
    let urls = VoiceRecordings.urls
    let ours = try urls.map { VoiceAnalyzer().analyze(try VoiceRecordings.samples(of: $0)) }
    let praat = try Praat.measure(urls)
    try #require(praat.count == urls.count)
    return urls.indices.map {
      Compared(name: urls[$0].lastPathComponent, praat: praat[$0], ours: ours[$0])
    }
  }

  @Test(.tagged(.childProcess)) func agreesWithPraat() throws {
    let all = try Self.compare()
    var (frames, agreeing, gross) = (0, 0, 0)
    var errors: [Double] = []
    var (jitterErrors, shimmerErrors): ([Double], [Double]) = ([], [])
    var (praatPulses, sharedPulses) = (0, 0)
    for compared in all {
      let (ours, praat) = (compared.ours.contour.frequencies, compared.praat.frequencies)
      try #require(ours.count == praat.count, "\(compared.name)")
      let same = zip(ours, praat).count { ($0 > 0) == ($1 > 0) }
      #expect(
        Double(same) >= 0.99 * Double(ours.count), "\(compared.name): voicing of \(same) of \(ours.count)")
      frames += ours.count
      agreeing += same

      let bothVoiced = zip(ours, praat).filter { $0 > 0 && $1 > 0 }
      #expect(bothVoiced.count > 20, "\(compared.name)")
      let relative = bothVoiced.map { abs($0 / $1 - 1) }
      gross += relative.count { $0 > 0.2 }
      errors += relative

      let jitter = try #require(compared.ours.utteranceJitter, "\(compared.name)")
      let jitterError = abs(jitter / compared.praat.jitter - 1)
      #expect(jitterError < 0.08, "\(compared.name): jitter \(jitter), Praat \(compared.praat.jitter)")
      jitterErrors.append(jitterError)
      let shimmer = try #require(compared.ours.utteranceShimmer, "\(compared.name)")
      let shimmerError = abs(shimmer / compared.praat.shimmer - 1)
      #expect(shimmerError < 0.15, "\(compared.name): shimmer \(shimmer), Praat \(compared.praat.shimmer)")
      shimmerErrors.append(shimmerError)

      #expect(zip(compared.ours.pulses, compared.ours.pulses.dropFirst()).allSatisfy { $0 < $1 })
      praatPulses += compared.praat.pulses.count
      sharedPulses += compared.praat.pulses.count { time in
        compared.ours.pulses.contains { abs($0 - time) < 0.00002 }
      }
    }
    // Measured: 0.9995, 0.000006, 0, 0.014, 0.022 and 0.96.
    #expect(Double(agreeing) >= 0.998 * Double(frames), "voicing of \(agreeing) of \(frames) frames")
    #expect(errors.sorted()[errors.count / 2] < 0.0001)
    #expect(
      Double(gross) <= 0.001 * Double(errors.count), "\(gross) of \(errors.count) are more than 20 % off")
    #expect(jitterErrors.reduce(0, +) / Double(all.count) < 0.025)
    #expect(shimmerErrors.reduce(0, +) / Double(all.count) < 0.035)
    #expect(Double(sharedPulses) >= 0.94 * Double(praatPulses), "\(sharedPulses) of \(praatPulses) pulses")
  }
}
