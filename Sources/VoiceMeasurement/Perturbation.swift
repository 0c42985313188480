import Foundation

/// The variation of the glottal periods in length (jitter) and in amplitude (shimmer). The definitions are those of Praat's
/// manual, "PointProcess: Get jitter (local)" and "Voice 3. Shimmer".
struct Perturbation: Sendable {
  /// The valid range of periods, in seconds.
  static let periods = 0.0001...0.02
  /// Consecutive periods that differ by more than this factor are not compared.
  static let maxPeriodFactor = 1.3
  /// Consecutive amplitudes that differ by more than this factor are not compared.
  static let maxAmplitudeFactor = 1.6
  /// An amplitude is measured over this share of the period before a pulse and of the one after it.
  private static let amplitudeShare = 0.2
  /// The smallest number of comparisons for a mean.
  private static let minComparisons = 2

  /// The comparison of two consecutive periods, or of the amplitudes at two consecutive pulses.
  private struct Comparison: Sendable {
    /// The time of the comparison, in seconds.
    var time: Double
    /// Seconds for periods, decibels for amplitudes.
    var difference: Double
    /// The mean of the two periods in seconds; not used for amplitudes.
    var period = 0.0
  }

  private let periodComparisons: [Comparison]
  private let amplitudeComparisons: [Comparison]
  private let meanPeriod: Double?

  init(pulses: [Double], in signal: VoiceSignal) {
    let intervals = zip(pulses, pulses.dropFirst()).map { $1 - $0 }
    var compared: [Comparison] = []
    var amplitudes: [(time: Double, value: Double)] = []
    var isPeriod = [Bool](repeating: false, count: intervals.count)
    for index in intervals.indices.dropFirst() {
      let (before, after) = (intervals[index - 1], intervals[index])
      guard Self.periods.contains(before), Self.periods.contains(after),
        max(before, after) <= Self.maxPeriodFactor * min(before, after)
      else { continue }
      isPeriod[index - 1] = true
      isPeriod[index] = true
      let time = pulses[index]
      compared.append(Comparison(time: time, difference: abs(after - before), period: (before + after) / 2))
      let value = Self.amplitude(
        at: time, left: Self.amplitudeShare * before, right: Self.amplitudeShare * after, in: signal.samples)
      amplitudes.append((time, value))
    }
    periodComparisons = compared
    amplitudeComparisons = zip(amplitudes, amplitudes.dropFirst()).compactMap { first, second in
      guard Self.periods.contains(second.time - first.time), first.value > 0, second.value > 0,
        max(first.value, second.value) <= Self.maxAmplitudeFactor * min(first.value, second.value)
      else { return nil }
      return Comparison(
        time: (first.time + second.time) / 2, difference: abs(20 * log10(second.value / first.value)))
    }
    let counted = zip(intervals, isPeriod).filter(\.1).map(\.0)
    meanPeriod = counted.isEmpty ? nil : counted.reduce(0, +) / Double(counted.count)
  }

  /// The whole utterance's jitter (local) in per cent; `nil` if there are too few periods.
  var jitter: Double? {
    guard let meanPeriod, periodComparisons.count >= Self.minComparisons else { return nil }
    let sum = periodComparisons.reduce(0) { $0 + $1.difference }
    return 100 * sum / Double(periodComparisons.count) / meanPeriod
  }

  /// The whole utterance's shimmer (local, dB) in decibels; `nil` if there are too few periods.
  var shimmer: Double? {
    guard amplitudeComparisons.count >= Self.minComparisons else { return nil }
    return amplitudeComparisons.reduce(0) { $0 + $1.difference } / Double(amplitudeComparisons.count)
  }

  /// The jitter around each of the frames, in per cent; 0 where there are too few periods.
  func jitter(frameCount: Int, reach: Double) -> [Double] {
    Self.perFrame(frameCount, reach, periodComparisons) { 100 * $0.difference / $0.period }
  }

  /// The shimmer around each of the frames, in decibels; 0 where there are too few periods.
  func shimmer(frameCount: Int, reach: Double) -> [Double] {
    Self.perFrame(frameCount, reach, amplitudeComparisons) { $0.difference / Double($0.count) }
  }

  /// A value for each frame, from the comparisons within `reach` seconds of its middle. The window only moves forward. Each
  /// sum is computed anew from a few dozen terms, so that rounding errors do not accumulate.
  private static func perFrame(
    _ frameCount: Int, _ reach: Double, _ comparisons: [Comparison],
    _ value: ((difference: Double, period: Double, count: Int)) -> Double
  ) -> [Double] {
    var (low, high) = (0, 0)
    return (0..<frameCount).map { frame in
      let time = VoiceSignal.time(ofFrame: frame)
      while low < comparisons.count, comparisons[low].time < time - reach { low += 1 }
      while high < comparisons.count, comparisons[high].time <= time + reach { high += 1 }
      guard high - low >= minComparisons else { return 0 }
      let inside = comparisons[low..<high]
      return value(
        (
          inside.reduce(0) { $0 + $1.difference }, inside.reduce(0) { $0 + $1.period }, inside.count
        ))
    }
  }

  /// The root mean square of the signal around a pulse, under a raised cosine that reaches `left` and
  /// `right` seconds to its sides: Praat's amplitude of a period.
  private static func amplitude(at time: Double, left: Double, right: Double, in samples: [Double]) -> Double
  {
    let first = max(0, Int(VoiceSignal.position(of: time - left).rounded(.up)))
    let last = min(samples.count - 1, Int(VoiceSignal.position(of: time + right).rounded(.down)))
    guard first <= last else { return 0 }
    var (energy, weight) = (0.0, 0.0)
    for index in first...last {
      let distance = VoiceSignal.time(of: Double(index)) - time
      let raised = 0.5 + 0.5 * cos(.pi * distance / (distance < 0 ? left : right))
      energy += samples[index] * samples[index] * raised * raised
      weight += raised * raised
    }
    return weight > 0 ? (energy / weight).squareRoot() : 0
  }
}
