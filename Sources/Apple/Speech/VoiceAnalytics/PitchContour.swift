/// The fundamental frequency over time, frame by frame, and between the frames.
struct PitchContour: Sendable, Equatable {
  /// In Hz for every frame; 0 where it is not voiced.
  let frequencies: [Double]

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

  /// The fundamental frequency at a time in seconds, interpolated between voiced frames; `nil` where the
  /// nearest frame is not voiced or there is none.
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
  var median: Double? {
    let voiced = frequencies.filter { $0 > 0 }.sorted()
    guard !voiced.isEmpty else { return nil }
    let middle = voiced.count / 2
    return voiced.count.isMultiple(of: 2) ? (voiced[middle - 1] + voiced[middle]) / 2 : voiced[middle]
  }
}
