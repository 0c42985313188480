import Foundation

/// Measures how much frames sound like speech.
///
/// Speech keeps changing the shape of its spectrum and moves its pitch. Music holds notes, noise holds its
/// spectrum. Two measures distinguish them: how much the level of each band varies against the mean of all
/// bands (dB), and the share of voiced audio whose pitch glides. The weight and the threshold between them
/// were set by hand on two hours of readers, telephone prompts, orders, music, noise and animals; features in
/// the manner of Scheirer and Slaney (1997).
package enum SpeechEvidence {
  /// Above it, audio is speech. In measurements, half a point more or less made no difference to speech, and
  /// a whole point less let through twice as much music.
  package static let threshold = 10.4
  /// dB below the loud frames at which a frame does not count.
  private static let activeRange = 30.0
  /// dB below the loud frames at which a band's level counts as no lower.
  private static let bandRange = 45.0
  private static let voicedHarmonicity = 0.6
  /// Semitones in 40 ms. Less is a held note, more is another note.
  private static let glide = 0.15..<4.0
  private static let glideWeight = 8.0
  /// The assumed share of gliding pitch while little is voiced, and the pairs of frames that it counts for.
  private static let prior = (pairs: 10.0, share: 0.6)

  /// The evidence of frames in their order; 0 without frames.
  static func score(_ frames: ArraySlice<SpeechFrame>) -> Double {
    guard !frames.isEmpty else { return 0 }
    let levels = frames.map(\.level).sorted()
    let loud = levels[min(levels.count - 1, Int(0.95 * Double(levels.count)))]
    return movement(frames, loud: loud) + glideWeight * glidingShare(frames, loud: loud)
  }

  /// The standard deviation over time of each band's level beside the others', in dB, on average.
  private static func movement(_ frames: ArraySlice<SpeechFrame>, loud: Double) -> Double {
    let bandCount = frames[frames.startIndex].bands.count
    var (sums, squares) = ([Double](repeating: 0, count: bandCount), [Double](repeating: 0, count: bandCount))
    var count = 0.0
    for frame in frames where frame.level > loud - activeRange {
      let clipped = frame.bands.map { max($0, loud - bandRange) }
      let mean = clipped.reduce(0, +) / Double(bandCount)
      for band in 0..<bandCount {
        let difference = clipped[band] - mean
        sums[band] += difference
        squares[band] += difference * difference
      }
      count += 1
    }
    let deviations = (0..<bandCount).map { band in
      max(0, squares[band] / count - sums[band] * sums[band] / (count * count)).squareRoot()
    }
    return deviations.reduce(0, +) / Double(bandCount)
  }

  private static func glidingShare(_ frames: ArraySlice<SpeechFrame>, loud: Double) -> Double {
    func isVoiced(_ frame: SpeechFrame) -> Bool {
      frame.harmonicity > voicedHarmonicity && frame.level > loud - activeRange
    }
    var (gliding, pairs) = (0.0, 0.0)
    for (earlier, later) in zip(frames, frames.dropFirst(2))
    where later.position - earlier.position == 2 * SpeechFrame.hop && isVoiced(earlier) && isVoiced(later) {
      let step = abs(later.pitch - earlier.pitch)
      guard step < glide.upperBound else { continue }
      pairs += 1
      if step > glide.lowerBound { gliding += 1 }
    }
    return (gliding + prior.pairs * prior.share) / (pairs + prior.pairs)
  }
}
