import VoiceMeasurement

/// Estimates how long a speaker's vocal tract is, from the pitch of the voice.
///
/// The acoustic model was trained mostly on male voices. Higher voices have shorter vocal tracts, whose resonances are
/// higher too: the frequencies of their audio are divided by the warp before the features are computed.
enum VocalTract {
  /// The warp of an utterance: 1 up to a pitch of 130 Hz, rising to 1.08 at 180 Hz; 1 if there is no clear pitch.
  static func warp(of samples: [Int16]) -> Double {
    guard let pitch = pitch(of: samples) else { return 1 }
    let height = (pitch - pitches.lowerBound) / (pitches.upperBound - pitches.lowerBound)
    return 1 + maxWarp * min(1, max(0, height))
  }

  private static let maxWarp = 0.08
  private static let pitches = 130.0...180.0

  /// Samples of 16 kHz that become one point.
  private static let decimation = 16_000 / Periodicity.rate
  /// Windows of 35 ms, every 20 ms, and periods of 400 to 70 Hz.
  private static let periodicity = Periodicity(window: 140, periods: 10...57)
  private static let hop = 80
  /// The least correlation of a frame with itself a period later.
  private static let minPeriodicity = 0.75
  /// A frame's share of the energy of the loud frames (the 95th percentile), below which it does not count: -20 dB.
  private static let minEnergy: Float = 0.01
  /// Voiced frames that a pitch is the median of, at least.
  private static let minFrames = 10
  /// What a period of twice the length must be better by.
  private static let octaveCost = 0.02

  /// The median pitch of the voiced frames in Hz; nil if there are too few.
  static func pitch(of samples: [Int16]) -> Double? {
    let points = points(samples)
    let window = periodicity.window
    let starts = stride(from: 0, to: points.count - window - periodicity.periods.upperBound, by: hop)
    let energies = starts.map { start in points[start..<start + window].reduce(0) { $0 + $1 * $1 } }
    let sorted = energies.sorted()
    guard let loud = sorted.isEmpty ? nil : sorted[min(sorted.count - 1, sorted.count * 95 / 100)], loud > 0
    else { return nil }
    let found = points.withUnsafeBufferPointer { points in
      zip(starts, energies).compactMap { start, energy in
        energy > minEnergy * loud
          ? periodicity.period(of: points, from: start, least: minPeriodicity, octaveCost: octaveCost) : nil
      }.sorted()
    }
    guard found.count >= minFrames else { return nil }
    return Double(Periodicity.rate) / Double(found[found.count / 2])
  }

  /// The audio at the lower rate, without its mean.
  private static func points(_ samples: [Int16]) -> [Float] {
    let points = stride(from: 0, to: samples.count - decimation + 1, by: decimation).map { start in
      samples[start..<start + decimation].reduce(Float(0)) { $0 + Float($1) }
    }
    let mean = points.reduce(0, +) / Float(max(1, points.count))
    return points.map { $0 - mean }
  }
}
