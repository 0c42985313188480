import Foundation

/// Where an utterance is loud, in frames of 20 ms.
package struct SpeechEnergy {
  static let frame = 0.02
  /// Decibels below the speech that still count as speech.
  private static let range = 15.0
  /// Decibels below the speech that are a pause.
  private static let pauseRange = 25.0
  /// Decibels below full scale under which nothing is speech.
  private static let floor = -55.0
  /// Seconds of quiet that do not end a stretch of speech.
  private static let bridge = 0.2

  private let active: [Bool]
  /// Of each frame, from -1 (quiet) to 1 (loud): where there is speech or a pause within an utterance.
  package let loudness: [Float]

  /// - Parameter samples: 16 kHz, from -1 to 1.
  package init(_ samples: [Float]) {
    let length = Int(Self.frame * 16_000)
    let levels = stride(from: 0, to: samples.count, by: length).map { start -> Double in
      let frame = samples[start..<min(start + length, samples.count)]
      let power = frame.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(frame.count)
      return 10 * log10(power + 1e-12)
    }
    let sorted = levels.sorted()
    let level = sorted.isEmpty ? Self.floor : sorted[sorted.count * 9 / 10]
    // Noise that lasts is not speech, however near to it. Measured 10 to 20 dB below speech: 2 words of 875 are
    // invented instead of 5, in 5 % less time.
    let quiet = sorted.isEmpty ? Self.floor : sorted[sorted.count / 10]
    let threshold = max(level - Self.range, (level + quiet) / 2, Self.floor)
    active = levels.map { $0 >= threshold }
    // Lower: the weak ends of words are no pause.
    let middle = max(quiet + 0.3 * (level - quiet), level - Self.pauseRange, Self.floor - 15)
    loudness = levels.map { Float(max(-1, min(1, ($0 - middle) / 4))) }
  }

  /// From the first to the last loud frame, in seconds; nil if none is loud.
  package var extent: ClosedRange<Double>? {
    guard let first = active.firstIndex(of: true), let last = active.lastIndex(of: true) else { return nil }
    return Double(first) * Self.frame...Double(last + 1) * Self.frame
  }

  /// The longest loud stretch in a range of seconds; short pauses do not end it. Nil if nothing is loud.
  package func longestRun(in range: ClosedRange<Double>) -> ClosedRange<Double>? {
    let first = max(0, Int((range.lowerBound / Self.frame).rounded(.up)))
    let end = min(active.count, Int(range.upperBound / Self.frame))
    guard first < end else { return nil }
    var longest: Range<Int>?
    var run: Range<Int>?
    for index in first..<end where active[index] {
      let gap = run.map { Double(index - $0.upperBound) * Self.frame } ?? 0
      run = run.flatMap { gap <= Self.bridge ? $0.lowerBound..<index + 1 : nil } ?? index..<index + 1
      if let run, run.count > longest?.count ?? 0 { longest = run }
    }
    return longest.map { Double($0.lowerBound) * Self.frame...Double($0.upperBound) * Self.frame }
  }
}
