import Foundation

extension VoiceClustering {
  /// Frames of speech that a voice has at least: 3 s.
  private static let minFrames = 300.0

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
    let (ranges, separations) = (VoiceMargins.range, VoiceMargins.separation)
    let share = Double(min(1, max(0, (range - ranges.noisy) / (ranges.clear - ranges.noisy))))
    let threshold = separations.noisy + share * (separations.clear - separations.noisy)
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
