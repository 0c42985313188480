import Foundation

/// The count, sum and second moments of frames: what a Gaussian with a full covariance matrix is estimated from.
struct GaussianStatistics: Sendable, Hashable, Codable {
  let dimension: Int
  private(set) var count = 0.0
  private var sums: [Double]
  /// The lower triangle, row by row.
  private var squares: [Double]

  init(dimension: Int) {
    self.dimension = dimension
    sums = [Double](repeating: 0, count: dimension)
    squares = [Double](repeating: 0, count: dimension * (dimension + 1) / 2)
  }

  /// Adds the frames of a range that show a voice.
  mutating func add(_ features: VoiceFeatures, _ range: Range<Int>) {
    for frame in range where features.isVoice[frame] {
      add(features.values[frame * dimension..<(frame + 1) * dimension])
    }
  }

  /// Adds the coefficients of a frame.
  mutating func add(_ frame: ArraySlice<Float>) {
    count += 1
    let start = frame.startIndex
    var index = 0
    for row in 0..<dimension {
      let value = Double(frame[start + row])
      sums[row] += value
      for column in 0...row {
        squares[index] += value * Double(frame[start + column])
        index += 1
      }
    }
  }

  static func + (left: GaussianStatistics, right: GaussianStatistics) -> GaussianStatistics {
    var sum = left
    sum.count += right.count
    for index in sum.sums.indices { sum.sums[index] += right.sums[index] }
    for index in sum.squares.indices { sum.squares[index] += right.squares[index] }
    return sum
  }

  /// The variances of the coefficients.
  var variances: [Double] {
    (0..<dimension).map { row in
      let mean = sums[row] / count
      return squares[row * (row + 1) / 2 + row] / count - mean * mean
    }
  }

  /// Half the count times the logarithm of the covariance matrix's determinant: how badly one Gaussian describes
  /// the frames.
  /// - Parameters:
  ///   - prior: variances that the covariance matrix is drawn to.
  ///   - weight: the number of frames that `prior` counts for.
  func misfit(prior: [Double], weight: Double) -> Double {
    guard count > 0 else { return 0 }
    var matrix = covariance(prior: prior, weight: weight)
    return 0.5 * count * Self.decompose(&matrix, dimension)
  }

  /// The means of the coefficients.
  var means: [Double] { sums.map { $0 / count } }

  /// The lower triangle of the covariance matrix, row by row; see `misfit(prior:weight:)`.
  func covariance(prior: [Double], weight: Double) -> [Double] {
    var matrix = squares
    var index = 0
    for row in 0..<dimension {
      for column in 0...row {
        matrix[index] = (squares[index] - sums[row] * sums[column] / count) / (count + weight)
        index += 1
      }
      matrix[index - 1] += prior[row] * weight / (count + weight)
    }
    return matrix
  }

  /// Whether these can be the statistics of frames.
  func arePossible(dimension: Int) -> Bool {
    self.dimension == dimension && count >= 1 && count.isFinite && sums.count == dimension
      && squares.count == dimension * (dimension + 1) / 2 && sums.allSatisfy(\.isFinite)
      && squares.allSatisfy(\.isFinite) && variances.allSatisfy { $0 > 0 && $0.isFinite }
  }

  /// Replaces a matrix by its Cholesky factor.
  /// - Returns: the logarithm of the matrix's determinant.
  static func decompose(_ matrix: inout [Double], _ dimension: Int) -> Double {
    var result = 0.0
    matrix.withUnsafeMutableBufferPointer { matrix in
      for row in 0..<dimension {
        let rowStart = row * (row + 1) / 2
        for column in 0...row {
          let columnStart = column * (column + 1) / 2
          var value = matrix[rowStart + column]
          for index in 0..<column { value -= matrix[rowStart + index] * matrix[columnStart + index] }
          if row == column {
            let pivot = max(value, 1e-9)
            result += log(pivot)
            matrix[rowStart + column] = pivot.squareRoot()
          } else {
            matrix[rowStart + column] = value / matrix[columnStart + column]
          }
        }
      }
    }
    return result
  }
}
