import Foundation

extension VoiceClustering {
  /// Frames of speech that a voice has at least: 3 s.
  private static let minFrames = 300.0
  /// The separation from which on two clusters are two voices: in noise, where voices sound more alike, and in clear audio;
  /// and the range of the speech over the noise, as natural logarithms of power (24 and 36 dB), that this is for.
  ///
  /// Measured: in clear audio, two clusters of one voice were 1.0 apart at most and those of two voices 1.7 at least; in a
  /// telephone's band with noise 20 dB below the speech they overlap: of 32 conversations of 2 to 4 voices the number was right
  /// in 26 with a limit of 0.45, 29 with 0.55, 31 with 0.65 and 28 with 0.73. But up to 0.7, an hour of one voice became five.
  private static let (noisySeparation, clearSeparation) = (0.74, 1.3)
  private static let (noisyRange, clearRange) = (Float(5.5), Float(8.3))

  /// The clusters of the voices.
  /// - Parameters:
  ///   - count: the number of voices; nil to find it.
  ///   - range: how far the speech stands out from the noise, as a natural logarithm of power.
  /// - Returns: for each voice, the indices of the parts that are certain.
  func voices(_ count: Int?, range: Float) -> [[Int]] {
    guard let level = count.map(level(with:)) ?? level(range: range) else { return [] }
    let voices = Self.large(level)
    return voices.isEmpty || voices.count < count ?? 0 ? level.members : voices
  }

  private func level(with count: Int) -> Level? {
    // A noise or a laugh may be a cluster of its own.
    levels.last { Self.large($0).count >= count } ?? levels.last { $0.members.count >= count } ?? levels.first
  }

  private func level(range: Float) -> Level? {
    let share = Double(min(1, max(0, (range - Self.noisyRange) / (Self.clearRange - Self.noisyRange))))
    let threshold = Self.noisySeparation + share * (Self.clearSeparation - Self.noisySeparation)
    let separate = levels.indices.first { index in
      guard levels[index].separation > threshold else { return false }
      return index + 1 < levels.count && Self.large(levels[index]).count > Self.large(levels[index + 1]).count
    }
    return separate.map { levels[$0] } ?? levels.last
  }

  private static func large(_ level: Level) -> [[Int]] {
    zip(level.members, level.counts).filter { $1 >= minFrames }.map(\.0)
  }
}
