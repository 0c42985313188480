import Foundation

/// The levels of the last frames, and how many of them lie below any level.
struct LevelHistory {
  private static let quietest = -96

  private let capacity: Int
  private var highPass = HighPassFilter()
  /// The mean squares of the last three frames: a level is of 30 ms, so that single frames do not flutter.
  private var recent: [Double] = []
  private var bins: [Int] = []
  private var counts = [Int](repeating: 0, count: 1 - quietest)

  /// - Parameter seconds: how far back is remembered.
  init(seconds: Double) { capacity = Int(seconds * 100) }

  /// Takes a frame of 10 ms of 16 kHz audio; gives its level in dBFS.
  mutating func add(_ frame: [Int16]) -> Double {
    recent.append(highPass.energy(of: frame))
    if recent.count > 3 { recent.removeFirst() }
    let level = SpeechSegmenter.level(recent.reduce(0, +) / Double(recent.count))
    let bin = min(counts.count - 1, max(0, Int(level.rounded(.down)) - Self.quietest))
    counts[bin] += 1
    bins.append(bin)
    // Forgetting in large steps is cheaper than one by one.
    if bins.count > capacity + 100 {
      for old in bins.prefix(100) { counts[old] -= 1 }
      bins.removeFirst(100)
    }
    return level
  }

  /// The level in dBFS that this share of the remembered frames lies below.
  func percentile(_ share: Double) -> Double {
    let wanted = share * Double(bins.count)
    var sum = 0
    for (bin, count) in counts.enumerated() {
      sum += count
      if Double(sum) > wanted { return Double(bin + Self.quietest) + 0.5 }
    }
    return Double(Self.quietest)
  }
}
