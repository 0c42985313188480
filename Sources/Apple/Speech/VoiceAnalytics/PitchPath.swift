import Foundation

/// The best way through the candidates of all frames: Boersma (1993), step 4.
///
/// A path gains the strength of every candidate that it visits and pays for jumps in pitch and for changes
/// between voiced and unvoiced. Dynamic programming finds the best path, and the best one through each
/// candidate, from which the probability of voicing follows.
struct PitchPath: Sendable {
  /// The fundamental frequency of every frame on the best path, in Hz; 0 where it is not voiced.
  private(set) var frequencies: [Double] = []

  /// How likely each frame is voiced; at least 0.5 exactly where the best path is voiced.
  private(set) var voicing: [Double] = []

  /// By how much the best path with the frame voiced must beat the best path with it unvoiced for the odds to
  /// be e to 1. Clear vowels win by 0.3 and more; with 0.1, that is a probability above 0.95.
  private static let oddsScale = 0.1

  /// Finds the path through frames of at least one candidate each.
  init(through frames: [[PitchCandidate]], settings: PitchSettings) {
    guard !frames.isEmpty else { return }
    let octaves = frames.map { frame in frame.map { $0.isVoiced ? log2($0.frequency) : -.infinity } }

    // The best sums of the ways that lead to each candidate, and of the ways on from it.
    var arriving = frames.map { frame in frame.map(\.strength) }
    var previous = frames.map { frame in [Int](repeating: 0, count: frame.count) }
    var leaving = frames.map { frame in [Double](repeating: 0, count: frame.count) }
    func cost(_ from: Double, _ to: Double) -> Double {
      switch (from.isFinite, to.isFinite) {
      case (true, true): settings.octaveJumpCost * abs(from - to)
      case (false, false): 0
      default: settings.voicedUnvoicedCost
      }
    }
    for frame in frames.indices.dropFirst() {
      for (index, octave) in octaves[frame].enumerated() {
        var best = -Double.infinity
        for (origin, other) in octaves[frame - 1].enumerated() {
          let sum = arriving[frame - 1][origin] - cost(other, octave)
          if sum > best {
            best = sum
            previous[frame][index] = origin
          }
        }
        arriving[frame][index] += best
      }
    }
    for frame in frames.indices.dropLast().reversed() {
      for (index, octave) in octaves[frame].enumerated() {
        var best = -Double.infinity
        for (target, other) in octaves[frame + 1].enumerated() {
          let onward = leaving[frame + 1][target] + frames[frame + 1][target].strength
          best = max(best, onward - cost(octave, other))
        }
        leaving[frame][index] = best
      }
    }

    let last = arriving[frames.count - 1]
    var place = last.indices.max { last[$0] < last[$1] } ?? 0
    for frame in frames.indices.reversed() {
      let chosen = frames[frame][place]
      frequencies.append(chosen.frequency)
      var (voiced, unvoiced) = (-Double.infinity, -Double.infinity)
      for (index, candidate) in frames[frame].enumerated() {
        let sum = arriving[frame][index] + leaving[frame][index]
        if candidate.isVoiced { voiced = max(voiced, sum) } else { unvoiced = max(unvoiced, sum) }
      }
      let probability = 1 / (1 + exp((unvoiced - voiced) / Self.oddsScale))
      // Sums in another order may differ in the last bit; a tie must not contradict the path.
      voicing.append(chosen.isVoiced ? max(probability, 0.5) : min(probability, 0.5.nextDown))
      place = previous[frame][place]
    }
    frequencies.reverse()
    voicing.reverse()
  }
}
