import Foundation

/// The best path through the candidates of all frames: Boersma (1993), step 4.
///
/// The score of a path is the strength of its candidates minus the cost of jumps in pitch and of changes between voiced and
/// unvoiced. Dynamic programming finds the best path, and the best path through each candidate, which gives the
/// probability of voicing.
struct PitchPath: Sendable {
  /// The fundamental frequency of every frame on the best path, in Hz; 0 where it is not voiced.
  private(set) var frequencies: [Double] = []

  /// The probability that each frame is voiced; at least 0.5 exactly where the best path is voiced.
  private(set) var voicing: [Double] = []

  /// The lead of the best path with the frame voiced over the best path with it unvoiced at which the odds are e to 1.
  /// Clear vowels lead by 0.3 and more, which gives a probability above 0.95.
  private static let oddsScale = 0.1

  /// Finds the path through frames of at least one candidate each.
  init(through frames: [[PitchCandidate]], settings: PitchSettings) {
    guard !frames.isEmpty else { return }
    let octaves = frames.map { frame in frame.map { $0.isVoiced ? log2($0.frequency) : -.infinity } }

    // The best scores of the paths to each candidate, and of the paths from it to the end.
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
    var index = last.indices.max { last[$0] < last[$1] } ?? 0
    for frame in frames.indices.reversed() {
      let chosen = frames[frame][index]
      frequencies.append(chosen.frequency)
      var (voiced, unvoiced) = (-Double.infinity, -Double.infinity)
      for (other, candidate) in frames[frame].enumerated() {
        let sum = arriving[frame][other] + leaving[frame][other]
        if candidate.isVoiced { voiced = max(voiced, sum) } else { unvoiced = max(unvoiced, sum) }
      }
      let probability = 1 / (1 + exp((unvoiced - voiced) / Self.oddsScale))
      // Sums in another order may differ in the last bit. A tie must not contradict the path.
      voicing.append(chosen.isVoiced ? max(probability, 0.5) : min(probability, 0.5.nextDown))
      index = previous[frame][index]
    }
    frequencies.reverse()
    voicing.reverse()
  }
}

/// A candidate for the fundamental frequency of a frame.
struct PitchCandidate: Sendable, Equatable {
  /// In Hz; 0 if the frame is unvoiced.
  var frequency: Double

  /// How well the candidate explains the frame. For a voiced candidate it is about the height of the autocorrelation,
  /// which is at most 1.
  var strength: Double

  var isVoiced: Bool { frequency > 0 }
}
