import Foundation

/// What a voice sounds like, so that it can be recognized in other recordings. What was said cannot be found out from it.
///
/// It is a Gaussian with a full covariance matrix over the cepstral coefficients of the voice's loud frames, of the same
/// bands in every recording. The covariances say what a vocal tract can do; the means say more of the microphone, and count
/// less.
package struct VoicePrint: Sendable, Hashable, Codable {
  /// Seconds of speech that a voice print is good with, without pauses.
  package static let goodSeconds = 20.0
  /// Seconds of speech that a voice needs to be compared, without pauses.
  package static let minSeconds = 7.0

  static let bands = 3..<35
  static let dimension = 18
  private static let (priorWeight, meanWeight) = (100.0, 0.2)

  /// Of the frames that show the voice.
  private(set) var statistics = GaussianStatistics(dimension: dimension)

  /// Seconds of speech that it was made of, without pauses.
  package var seconds: Double { statistics.count / SoundTrack.framesPerSecond }

  /// Whether it can be that of a voice; what was read from a file may be anything.
  package var isPossible: Bool { statistics.arePossible(dimension: Self.dimension) }

  /// The print of the speech of two.
  package static func + (left: VoicePrint, right: VoicePrint) -> VoicePrint {
    var sum = left
    sum.statistics = left.statistics + right.statistics
    return sum
  }

  /// Adds the coefficients of a frame.
  mutating func add(_ frame: ArraySlice<Float>) { statistics.add(frame) }

  /// How different two voices sound, from 0: Bhattacharyya's distance, in which the means count for a fifth. Infinite if
  /// either print is impossible.
  package func distance(to other: VoicePrint) -> Double {
    guard isPossible, other.isPossible else { return .infinity }
    let count = Self.dimension
    let prior = zip(statistics.variances, other.statistics.variances).map { ($0 + $1) / 2 }
    var own = statistics.covariance(prior: prior, weight: Self.priorWeight)
    var others = other.statistics.covariance(prior: prior, weight: Self.priorWeight)
    var mean = zip(own, others).map { ($0 + $1) / 2 }
    let determinants =
      GaussianStatistics.decompose(&own, count) + GaussianStatistics.decompose(&others, count)
    let shapes = (GaussianStatistics.decompose(&mean, count) - determinants / 2) / 2
    // The length of the difference of the means, after the triangular matrix is inverted.
    var difference = zip(statistics.means, other.statistics.means).map { $0 - $1 }
    for row in 0..<count {
      let start = row * (row + 1) / 2
      for column in 0..<row { difference[row] -= mean[start + column] * difference[column] }
      difference[row] /= mean[start + row]
    }
    let distance = shapes + Self.meanWeight * difference.reduce(0) { $0 + $1 * $1 } / 8
    return distance.isFinite ? max(0, distance) : .infinity
  }
}
