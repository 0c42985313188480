import Foundation

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

  /// Samples of 16 kHz that become one: pitch needs only low frequencies.
  private static let decimation = 4
  private static let rate = 16_000.0 / Double(decimation)
  /// Samples at the lower rate: 35 ms, every 20 ms.
  private static let window = 140
  private static let hop = 80
  /// Periods at the lower rate: 400 to 70 Hz.
  private static let periods = 10...57
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
    let low = lowered(samples)
    let starts = stride(from: 0, to: low.count - window - periods.upperBound, by: hop)
    let energies = starts.map { start in low[start..<start + window].reduce(0) { $0 + $1 * $1 } }
    let sorted = energies.sorted()
    guard let loud = sorted.isEmpty ? nil : sorted[min(sorted.count - 1, sorted.count * 95 / 100)], loud > 0
    else { return nil }
    let found = zip(starts, energies).compactMap { start, energy in
      energy > minEnergy * loud ? period(in: low, at: start, energy: energy) : nil
    }.sorted()
    guard found.count >= minFrames else { return nil }
    return rate / Double(found[found.count / 2])
  }

  /// The audio at the lower rate, without its mean.
  private static func lowered(_ samples: [Int16]) -> [Float] {
    let low = stride(from: 0, to: samples.count - decimation + 1, by: decimation).map { start in
      samples[start..<start + decimation].reduce(Float(0)) { $0 + Float($1) }
    }
    let mean = low.reduce(0, +) / Float(max(1, low.count))
    return low.map { $0 - mean }
  }

  /// The period of a frame, in samples at the lower rate; nil if it is not voiced.
  private static func period(in low: [Float], at start: Int, energy: Float) -> Int? {
    var best: (period: Int, value: Double) = (0, 0)
    let first = start + periods.lowerBound
    var shifted = low[first..<first + window].reduce(0) { $0 + $1 * $1 }
    for period in periods {
      var product: Float = 0
      for index in start..<start + window { product += low[index] * low[index + period] }
      let energies = max(.leastNormalMagnitude, Double(energy) * Double(shifted))
      let correlation = Double(product) / energies.squareRoot()
      let value = correlation - octaveCost * log2(Double(period) / Double(periods.lowerBound))
      if correlation > minPeriodicity, value > best.value { best = (period, value) }
      let (old, new) = (low[start + period], low[start + period + window])
      shifted = max(0, shifted - old * old + new * new)
    }
    return best.period > 0 ? best.period : nil
  }
}
