import Foundation

/// The times at which the vocal folds close, from the signal and its pitch contour. The method is that of Praat's manual,
/// "Sound & Pitch: To PointProcess (cc)".
///
/// The search in a voiced run starts at the largest peak near its middle. From there it goes period by period in both
/// directions: the next pulse is where the waveform correlates best with the waveform around the last pulse.
struct GlottalPulses: Sendable {
  /// In seconds, ascending.
  private(set) var times: [Double] = []

  private let samples: [Double]
  private let contour: PitchContour
  /// The last pulse so far that is inside its voiced run.
  private var lastInside = -Double.infinity

  /// A pulse with a lower correlation is skipped.
  private static let minCorrelation = 0.3
  /// One pulse beyond the edge of a voiced run is kept if its correlation is higher than this.
  private static let edgeCorrelation = 0.7
  /// The distance to the next pulse, in periods. The manual says 1.2 at most; Praat's pulses go up to 1.25.
  private static let reach = 0.8...1.25

  init(in signal: VoiceSignal, contour: PitchContour) {
    samples = signal.samples
    self.contour = contour
    for run in contour.voicedRuns { addPulses(in: run) }
    // The extra pulse after a run may be later than the extra pulse before the next run.
    times.sort()
  }

  private mutating func addPulses(in run: Range<Int>) {
    let start = Double(run.lowerBound) * VoiceAnalyzer.frameDuration
    let end = Double(run.upperBound) * VoiceAnalyzer.frameDuration
    let middle = (start + end) / 2
    guard let frequency = contour.frequency(at: middle),
      let first = extremum(around: middle, halfWidth: 0.5 / frequency)
    else { return }
    let last = lastInside
    let before = walk(from: first, direction: -1) { $0 < start }
    let after = walk(from: first, direction: 1) { $0 > end }
    for time in before.reversed() + [first] + after {
      // The extra pulse after a run and the one before the next run may be the same pulse.
      let period = contour.frequency(at: time).map { 1 / $0 } ?? 0
      guard time > last + Self.reach.lowerBound * period else { continue }
      times.append(time)
      if time <= end { lastInside = time }
    }
  }

  private func walk(from first: Double, direction: Double, isOutside: (Double) -> Bool) -> [Double] {
    var found: [Double] = []
    var time = first
    while let frequency = contour.frequency(at: time) {
      let (next, correlation) = bestMatch(from: time, direction: direction, period: 1 / frequency)
      time = next
      if isOutside(time) {
        if correlation > Self.edgeCorrelation { found.append(time) }
        break
      }
      if correlation > Self.minCorrelation { found.append(time) }
    }
    return found
  }

  /// The time of the largest absolute value around a time, in seconds.
  private func extremum(around time: Double, halfWidth: Double) -> Double? {
    let low = max(0, Int(VoiceSignal.position(of: time - halfWidth).rounded(.down)))
    let high = min(samples.count - 1, Int(VoiceSignal.position(of: time + halfWidth).rounded(.up)))
    guard low <= high, let index = (low...high).max(by: { abs(samples[$0]) < abs(samples[$1]) }) else {
      return nil
    }
    guard index > low, index < high else { return VoiceSignal.time(of: Double(index)) }
    let parabola = Parabola(samples[index - 1], samples[index], samples[index + 1])
    return VoiceSignal.time(of: Double(index) + parabola.position)
  }

  /// The time, about one period away, at which the waveform correlates best with that around `time`, and the normalized
  /// correlation. If there is no maximum, the time one period away and 0.
  private func bestMatch(from time: Double, direction: Double, period: Double) -> (Double, Double) {
    let low = Int(VoiceSignal.position(of: time - period / 2).rounded())
    let high = Int(VoiceSignal.position(of: time + period / 2).rounded())
    let shortest = Int((Self.reach.lowerBound * period * VoiceAnalyzer.sampleRate).rounded(.down))
    let longest = Int((Self.reach.upperBound * period * VoiceAnalyzer.sampleRate).rounded(.up))
    let step = direction < 0 ? -1 : 1
    return samples.withUnsafeBufferPointer { samples in
      var best = (time + direction * period, 0.0)
      var (beforeLast, last) = (-Double.infinity, -Double.infinity)
      let inside = max(0, low)...max(max(0, low), min(high, samples.count - 1))
      var ownEnergy = 0.0
      for index in inside where index < samples.count { ownEnergy += samples[index] * samples[index] }
      for lag in shortest...longest {
        let shift = step * lag
        var (product, energy) = (0.0, 0.0)
        let first = max(inside.lowerBound, -shift)
        let end = min(inside.upperBound, samples.count - 1, samples.count - 1 - shift)
        if first <= end {
          for index in first...end {
            let other = samples[index + shift]
            product += samples[index] * other
            energy += other * other
          }
        }
        let correlation = product > 0 ? product / (ownEnergy * energy).squareRoot() : 0
        if last > beforeLast, last >= correlation, beforeLast.isFinite {
          let parabola = Parabola(beforeLast, last, correlation)
          if parabola.value > best.1 {
            let distance = (Double(lag - 1) + parabola.position) / VoiceAnalyzer.sampleRate
            best = (time + direction * distance, parabola.value)
          }
        }
        (beforeLast, last) = (last, correlation)
      }
      return best
    }
  }
}
