import Foundation

/// Agglomerative clustering of parts of speech: the two clusters that one Gaussian describes best are merged first, by the
/// Bayesian information criterion (Chen and Gopalakrishnan, 1998).
struct VoiceClustering {
  /// The clusters after some merges.
  struct Level {
    /// For each cluster, the indices of its parts.
    var members: [[Int]]
    /// For each cluster, the frames that show a voice.
    var counts: [Double]
    /// How clearly the next two clusters to be merged differ, see `separation`; 0 if there is one cluster.
    var separation = 0.0
  }

  /// Levels with more clusters are not kept.
  static let maxCount = 30
  private static let priorWeight = 10.0
  /// Frames from which on more speech does not make a difference clearer: 30 s.
  private static let clearCount = 3000.0

  /// From at most `maxCount` clusters down to one.
  private(set) var levels: [Level] = []
  private var clusters: [GaussianStatistics]
  private var members: [[Int]]
  private var misfits: [Double]
  /// For each cluster, the costs of merging it with those before it.
  private var costs: [[Double]] = []
  private let prior: [Double]
  private let parameterCount: Double

  /// - Parameters:
  ///   - parts: the frames of parts of speech in which one voice speaks, each with frames; in the order of time.
  ///   - blockSize: more parts are first clustered in blocks, because the time grows with the square of the number.
  init(_ parts: [GaussianStatistics], blockSize: Int = 1200) {
    let dimension = parts.first?.dimension ?? 0
    let all = parts.dropFirst().reduce(parts.first ?? GaussianStatistics(dimension: 0), +)
    self.init(parts, members: parts.indices.map { [$0] }, prior: all.variances, dimension: dimension)
    while clusters.count > blockSize { mergeInBlocks(of: blockSize) }
    fillCosts()
    while !clusters.isEmpty {
      if clusters.count <= Self.maxCount {
        levels.append(Level(members: members, counts: clusters.map(\.count)))
      }
      guard clusters.count > 1 else { break }
      mergeNearest()
    }
  }

  private init(_ clusters: [GaussianStatistics], members: [[Int]], prior: [Double], dimension: Int) {
    self.clusters = clusters
    self.members = members
    self.prior = prior
    parameterCount = Double(dimension + dimension * (dimension + 1) / 2)
    misfits = clusters.map { $0.misfit(prior: prior, weight: Self.priorWeight) }
  }

  /// Clusters blocks for themselves, each to a tenth of its parts.
  private mutating func mergeInBlocks(of blockSize: Int) {
    var (merged, mergedMembers): ([GaussianStatistics], [[Int]]) = ([], [])
    for start in stride(from: 0, to: clusters.count, by: blockSize) {
      let range = start..<min(clusters.count, start + blockSize)
      var block = VoiceClustering(
        Array(clusters[range]), members: Array(members[range]), prior: prior,
        dimension: clusters[start].dimension)
      block.fillCosts()
      while block.clusters.count > max(1, blockSize / 10) { block.mergeNearest() }
      merged += block.clusters
      mergedMembers += block.members
    }
    self = VoiceClustering(merged, members: mergedMembers, prior: prior, dimension: merged[0].dimension)
  }

  private mutating func fillCosts() {
    costs = clusters.indices.map { high in (0..<high).map { cost(high, $0) } }
  }

  /// How much better two Gaussians describe the frames of two clusters than one does, less what is to be expected of a
  /// single voice.
  private func cost(_ first: Int, _ second: Int) -> Double {
    let sum = clusters[first] + clusters[second]
    return sum.misfit(prior: prior, weight: Self.priorWeight) - misfits[first] - misfits[second]
      - 0.5 * parameterCount * log(sum.count)
  }

  private mutating func mergeNearest() {
    var best = (cost: Double.infinity, high: 1, low: 0)
    for high in 1..<costs.count {
      for (low, cost) in costs[high].enumerated() where cost < best.cost { best = (cost, high, low) }
    }
    let (low, high) = (best.low, best.high)
    if !levels.isEmpty {
      levels[levels.count - 1].separation = Self.separation(
        best.cost, clusters[low].count, clusters[high].count)
    }
    clusters[low] = clusters[low] + clusters[high]
    members[low] += members[high]
    misfits[low] = clusters[low].misfit(prior: prior, weight: Self.priorWeight)
    clusters.remove(at: high)
    members.remove(at: high)
    misfits.remove(at: high)
    costs.remove(at: high)
    for index in high..<costs.count { costs[index].remove(at: high) }
    costs[low] = (0..<low).map { cost(low, $0) }
    for index in low + 1..<max(low + 1, costs.count) { costs[index][low] = cost(index, low) }
  }

  /// The cost of a merge for each frame, comparable between clusters of any size. Parts of one voice differ more clearly the
  /// shorter they are, because they have different sounds.
  private static func separation(_ cost: Double, _ first: Double, _ second: Double) -> Double {
    let size = first * second / (first + second)
    return cost / size * (min(size, clearCount) / clearCount).squareRoot()
  }
}
