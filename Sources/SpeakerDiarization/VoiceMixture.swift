import Foundation

/// A mixture of Gaussians with diagonal covariance matrices: the model of one voice.
struct VoiceMixture {
  private static let (maxComponents, framesPerComponent) = (8, 60)
  private static let rounds = 6
  /// The least variance, as a share of the variance of all frames.
  private static let varianceFloor: Float = 0.1

  let dimension: Int
  private var constants: [Float] = []
  private var means: [Float] = []
  private var precisions: [Float] = []
  private var componentCount: Int { constants.count }

  /// - Parameter frames: the frames of the voice, in order; not empty.
  init(_ features: VoiceFeatures, frames: [Int]) {
    let dimension = features.dimension
    self.dimension = dimension
    let count = max(1, min(Self.maxComponents, frames.count / Self.framesPerComponent))
    var (sum, square) = ([Float](repeating: 0, count: dimension), [Float](repeating: 0, count: dimension))
    for frame in frames {
      for index in 0..<dimension {
        let value = features.values[frame * dimension + index]
        sum[index] += value
        square[index] += value * value
      }
    }
    let total = Float(frames.count)
    let variances = (0..<dimension).map {
      max(1e-4, square[$0] / total - (sum[$0] / total) * (sum[$0] / total))
    }
    // Frames far from each other in time are as good a start as random ones, and always the same.
    for component in 0..<count {
      let frame = frames[(2 * component + 1) * frames.count / (2 * count)]
      means += features.values[frame * dimension..<(frame + 1) * dimension]
      precisions += variances.map { 1 / $0 }
    }
    setConstants(weights: [Float](repeating: 1 / Float(count), count: count))
    for _ in 0..<Self.rounds { improve(features, frames, floor: variances.map { $0 * Self.varianceFloor }) }
  }

  private mutating func setConstants(weights: [Float]) {
    constants = weights.indices.map { component in
      var value = log(max(1e-10, weights[component]))
      for index in 0..<dimension {
        value += 0.5 * (log(precisions[component * dimension + index]) - Float(log(2 * Double.pi)))
      }
      return value
    }
  }

  /// A round of expectation and maximization.
  private mutating func improve(_ features: VoiceFeatures, _ frames: [Int], floor: [Float]) {
    let count = componentCount
    var weights = [Float](repeating: 1e-3, count: count)
    var sums = [Float](repeating: 0, count: count * dimension)
    var squares = sums
    var scores = [Float](repeating: 0, count: count)
    for frame in frames {
      let top = fill(&scores, features, frame)
      var total: Float = 0
      for component in 0..<count {
        scores[component] = exp(scores[component] - top)
        total += scores[component]
      }
      for component in 0..<count {
        let share = scores[component] / total
        guard share > 1e-4 else { continue }
        weights[component] += share
        for index in 0..<dimension {
          let value = features.values[frame * dimension + index]
          sums[component * dimension + index] += share * value
          squares[component * dimension + index] += share * value * value
        }
      }
    }
    for component in 0..<count {
      for index in 0..<dimension {
        let place = component * dimension + index
        means[place] = sums[place] / weights[component]
        precisions[place] =
          1 / max(floor[index], squares[place] / weights[component] - means[place] * means[place])
      }
    }
    let total = weights.reduce(0, +)
    setConstants(weights: weights.map { $0 / total })
  }

  /// Fills in the logarithms of the components' densities at a frame; returns the greatest.
  private func fill(_ scores: inout [Float], _ features: VoiceFeatures, _ frame: Int) -> Float {
    var top = -Float.infinity
    let start = frame * dimension
    features.values.withUnsafeBufferPointer { values in
      means.withUnsafeBufferPointer { means in
        precisions.withUnsafeBufferPointer { precisions in
          for component in 0..<componentCount {
            var sum: Float = 0
            let place = component * dimension
            for index in 0..<dimension {
              let difference = values[start + index] - means[place + index]
              sum += difference * difference * precisions[place + index]
            }
            scores[component] = constants[component] - 0.5 * sum
            top = max(top, scores[component])
          }
        }
      }
    }
    return top
  }

  /// The logarithms of the density at frames.
  func scores(_ features: VoiceFeatures, _ frames: [Int]) -> [Float] {
    var scores = [Float](repeating: 0, count: componentCount)
    return frames.map { frame in
      let top = fill(&scores, features, frame)
      return top + log(scores.reduce(0) { $0 + exp($1 - top) })
    }
  }
}
