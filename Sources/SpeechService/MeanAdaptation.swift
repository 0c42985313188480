import Foundation
import SpeechServiceProtocol

/// Adapts the means of an acoustic model to a voice and a room, by maximum likelihood linear regression.
///
/// One linear function for all means of the cepstra, one offset for the static ones: the delta coefficients are differences
/// of the static ones, so that the same function applies to them without the offset. A prior keeps the function near the
/// identity where there is little speech.
struct MeanAdaptation {
  /// A linear function of a frame of cepstra.
  struct Transform {
    /// By rows: each gives a coefficient.
    var matrix: [[Double]]
    /// What is added to the static coefficients.
    var offset: [Double]

    /// No change.
    static let identity = Transform(
      matrix: (0..<width).map { row in (0..<width).map { $0 == row ? 1 : 0 } },
      offset: [Double](repeating: 0, count: width))

    /// The transform as a file of PocketSphinx (`ps_mllr_read`): one class, and for each stream its width, the matrix, the
    /// offset and a factor for the variances.
    func text(streams: Int) -> String {
      var lines = ["1", "\(streams)"]
      for stream in 0..<streams {
        lines.append("\(width)")
        lines += matrix.map { $0.map { "\(Float($0))" }.joined(separator: " ") }
        lines.append(offset.map { stream == 0 ? "\(Float($0))" : "0" }.joined(separator: " "))
        lines.append([String](repeating: "1", count: width).joined(separator: " "))
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  /// A state of an utterance's alignment.
  struct State {
    var phone: String
    var senone: Int
    var frames: Range<Int>
  }

  private static let width = AcousticModelParameters.width
  /// The coefficients of a mean and the 1 for the offset.
  private static let terms = width + 1
  /// The sums of one coefficient: a symmetric matrix, by rows from the diagonal on, and a vector.
  private static let sums = terms * (terms + 1) / 2 + terms
  /// How many frames of speech the prior is worth. Chosen on the developers' recordings.
  private static let priorFrames = 1000.0
  /// Densities that fewer frames belong to are left out: they cost time and tell nothing.
  private static let leastOccupancy: Float = 0.01
  /// One of so many densities represents the others in the prior.
  private static let priorStride = 16
  /// Phones that are no speech.
  private static let fillers: Set = ["SIL", "+NSN+", "+SPN+"]

  let parameters: AcousticModelParameters
  /// The sums that a frame of average speech would add, for the prior.
  private let prior: [Double]

  init(_ parameters: AcousticModelParameters) {
    self.parameters = parameters
    var prior = [Double](repeating: 0, count: Self.width * Self.sums)
    let densities = parameters.means.count / Self.width
    let chosen = stride(from: 0, to: densities, by: Self.priorStride)
    // The target of the prior is the mean itself, so that the function is the identity without speech.
    for density in chosen {
      parameters.add(occupancy: 1, total: Array(parameters.mean(of: density)), of: density, to: &prior)
    }
    let count = Double(chosen.underestimatedCount)
    self.prior = prior.map { $0 / count }
  }

  /// What the frames of an alignment tell.
  /// - Parameter features: frames of streams of coefficients.
  func statistics(of states: [State], features: [[[Float]]]) -> AdaptationStatistics {
    let count = parameters.codebooks * parameters.streams * parameters.densities
    var occupancies = [Float](repeating: 0, count: count)
    var totals = [Float](repeating: 0, count: count * Self.width)
    for state in states where !Self.fillers.contains(state.phone) {
      guard let codebook = parameters.phones[state.phone], (0..<parameters.senones).contains(state.senone)
      else { continue }
      for frame in state.frames where features.indices.contains(frame) {
        for stream in 0..<parameters.streams {
          let first = (codebook * parameters.streams + stream) * parameters.densities
          share(
            features[frame][stream], of: first, stream: stream, senone: state.senone, in: &occupancies,
            &totals)
        }
      }
    }
    var sums = [Double](repeating: 0, count: Self.width * Self.sums)
    for density in occupancies.indices where occupancies[density] > Self.leastOccupancy {
      let first = density * Self.width
      parameters.add(
        occupancy: Double(occupancies[density]), total: Array(totals[first..<first + Self.width]),
        of: density,
        to: &sums)
    }
    return AdaptationStatistics(sums: sums)
  }

  /// Shares a frame among the densities of a senone, by their likelihood.
  /// - Parameter first: the first density of the codebook and stream.
  private func share(
    _ coefficients: [Float], of first: Int, stream: Int, senone: Int, in occupancies: inout [Float],
    _ totals: inout [Float]
  ) {
    let count = parameters.densities
    let likelihoods = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      parameters.means.withUnsafeBufferPointer { means in
        parameters.precisions.withUnsafeBufferPointer { precisions in
          for density in 0..<count {
            let start = (first + density) * Self.width
            var distance: Float = 0
            for index in 0..<Self.width {
              let difference = coefficients[index] - means[start + index]
              distance += difference * difference * precisions[start + index]
            }
            buffer[density] =
              parameters.normalizers[first + density] - 0.5 * distance
              + parameters.logWeight(stream: stream, density: density, senone: senone)
          }
        }
      }
      initialized = count
    }
    let best = likelihoods.max() ?? 0
    let shares = likelihoods.map { exp($0 - best) }
    let sum = shares.reduce(0, +)
    // A feature that is not a number tells nothing.
    guard sum.isFinite, sum > 0 else { return }
    for density in 0..<count where shares[density] > sum * 1e-4 {
      let share = shares[density] / sum
      occupancies[first + density] += share
      let start = (first + density) * Self.width
      for index in 0..<Self.width { totals[start + index] += share * coefficients[index] }
    }
  }

  /// The most likely transform; nil if the statistics are not those of this model.
  func transform(for statistics: AdaptationStatistics) -> Transform? {
    guard statistics.sums.count == prior.count, statistics.sums.allSatisfy(\.isFinite) else { return nil }
    var transform = Transform.identity
    for coefficient in 0..<Self.width {
      let first = coefficient * Self.sums
      let sums = (first..<first + Self.sums).map { statistics.sums[$0] + Self.priorFrames * prior[$0] }
      guard let row = Self.solution(of: sums) else { return nil }
      transform.matrix[coefficient] = Array(row.prefix(Self.width))
      transform.offset[coefficient] = row[Self.width]
    }
    return transform
  }

  /// Solves the equations of one coefficient by Cholesky's decomposition; nil if the matrix is not positive definite.
  private static func solution(of sums: [Double]) -> [Double]? {
    var lower = [[Double]](repeating: [Double](repeating: 0, count: terms), count: terms)
    var place = 0
    for row in 0..<terms {
      for column in row..<terms {
        lower[column][row] = sums[place]
        place += 1
      }
    }
    var values = Array(sums[place...])
    for row in 0..<terms {
      for column in 0...row {
        let product = (0..<column).reduce(0) { $0 + lower[row][$1] * lower[column][$1] }
        let rest = lower[row][column] - product
        if row == column {
          guard rest > 0 else { return nil }
          lower[row][row] = rest.squareRoot()
        } else {
          lower[row][column] = rest / lower[column][column]
        }
      }
    }
    for row in 0..<terms {
      values[row] = (values[row] - (0..<row).reduce(0) { $0 + lower[row][$1] * values[$1] }) / lower[row][row]
    }
    for row in (0..<terms).reversed() {
      let product = (row + 1..<terms).reduce(0) { $0 + lower[$1][row] * values[$1] }
      values[row] = (values[row] - product) / lower[row][row]
    }
    return values
  }
}

extension AcousticModelParameters {
  fileprivate func mean(of density: Int) -> ArraySlice<Float> {
    means[density * Self.width..<(density + 1) * Self.width]
  }

  /// Adds the sums of one density.
  /// - Parameters:
  ///   - occupancy: the frames that belong to it.
  ///   - total: the sum of their coefficients.
  fileprivate func add(occupancy: Double, total: [Float], of density: Int, to sums: inout [Double]) {
    let isStatic = density / densities % streams == 0
    let terms = mean(of: density).map(Double.init) + [isStatic ? 1 : 0]
    sums.withUnsafeMutableBufferPointer { sums in
      terms.withUnsafeBufferPointer { terms in
        var place = 0
        for coefficient in 0..<Self.width {
          let precision = Double(precisions[density * Self.width + coefficient])
          let weight = occupancy * precision
          for row in terms.indices {
            let scaled = weight * terms[row]
            for column in row..<terms.count {
              sums[place] += scaled * terms[column]
              place += 1
            }
          }
          let scaled = Double(total[coefficient]) * precision
          for row in terms.indices {
            sums[place] += scaled * terms[row]
            place += 1
          }
        }
      }
    }
  }
}
