/// The fundamental frequency over time, for each frame and interpolated between frames.
package struct PitchContour: Sendable, Equatable {
  /// The frequency of each frame in Hz; 0 if the frame is unvoiced.
  package let frequencies: [Double]

  package init(frequencies: [Double]) { self.frequencies = frequencies }

  /// The runs of voiced frames, in order.
  var voicedRuns: [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for (frame, frequency) in frequencies.enumerated() {
      if frequency > 0 {
        start = start ?? frame
      } else if let begun = start {
        runs.append(begun..<frame)
        start = nil
      }
    }
    if let begun = start { runs.append(begun..<frequencies.count) }
    return runs
  }

  /// The fundamental frequency at a time in seconds, interpolated between voiced frames; `nil` if the
  /// nearest frame is unvoiced or does not exist.
  func frequency(at time: Double) -> Double? {
    let position = time / VoiceAnalyzer.frameDuration - 0.5
    guard position >= -0.5, position <= Double(frequencies.count) - 0.5 else { return nil }
    let nearest = min(frequencies.count - 1, max(0, Int(position.rounded())))
    guard nearest >= 0, frequencies[nearest] > 0 else { return nil }
    let other = position < Double(nearest) ? nearest - 1 : nearest + 1
    guard frequencies.indices.contains(other), frequencies[other] > 0 else { return frequencies[nearest] }
    let share = abs(position - Double(nearest))
    return frequencies[nearest] * (1 - share) + frequencies[other] * share
  }

  /// The median of the voiced frames, in Hz; `nil` if no frame is voiced.
  package var median: Double? {
    let voiced = frequencies.filter { $0 > 0 }.sorted()
    guard !voiced.isEmpty else { return nil }
    let middle = voiced.count / 2
    return voiced.count.isMultiple(of: 2) ? (voiced[middle - 1] + voiced[middle]) / 2 : voiced[middle]
  }
}
