/// Clusters of descriptions by average linkage: the two clusters are joined whose descriptions are nearest on average.
///
/// Chains of nearest neighbours find the same clusters as a search for the nearest two each time, in the square of the number of
/// descriptions instead of its cube.
struct VoiceLinkage {
  private struct Join {
    var first: Int
    var second: Int
    var distance: Float
  }

  private let count: Int
  private var joins: [Join] = []

  /// - Parameter vectors: vectors of length 1.
  init(_ vectors: [[Float]]) {
    let count = vectors.count
    self.count = count
    var distances = [Float](repeating: 0, count: count * count)
    let parts = vectors.map(VoiceVector.init)
    for first in 0..<count {
      for second in 0..<first {
        let distance = 1 - parts[first].product(parts[second])
        distances[first * count + second] = distance
        distances[second * count + first] = distance
      }
    }
    var sizes = [Float](repeating: 1, count: count)
    var active = Array(0..<count)
    var chain: [Int] = []
    while active.count > 1 {
      if chain.isEmpty { chain.append(active[0]) }
      let last = chain[chain.count - 1]
      let before = chain.count > 1 ? chain[chain.count - 2] : nil
      // Of equally near ones the one before, so that the chain ends.
      var nearest = before ?? -1
      var distance = before.map { distances[last * count + $0] } ?? .infinity
      for other in active where other != last && distances[last * count + other] < distance {
        (nearest, distance) = (other, distances[last * count + other])
      }
      // Distances that are no numbers are not less than any.
      guard nearest >= 0 else { break }
      guard nearest == before else {
        chain.append(nearest)
        continue
      }
      chain.removeLast(2)
      joins.append(Join(first: last, second: nearest, distance: distance))
      let (size, otherSize) = (sizes[last], sizes[nearest])
      active.removeAll { $0 == nearest }
      sizes[last] = size + otherSize
      for other in active where other != last {
        let mean =
          (size * distances[last * count + other] + otherSize * distances[nearest * count + other])
          / (size + otherSize)
        distances[last * count + other] = mean
        distances[other * count + last] = mean
      }
    }
    joins.sort { $0.distance < $1.distance }
  }

  /// The cluster of each vector, from 0.
  /// - Parameters:
  ///   - distance: clusters that are farther apart stay apart.
  ///   - least: the least number of clusters.
  func clusters(within distance: Float, least: Int) -> [Int] {
    var parents = Array(0..<count)
    func root(_ index: Int) -> Int {
      var index = index
      while parents[index] != index { index = parents[index] }
      return index
    }
    var left = count
    for join in joins where join.distance <= distance && left > least {
      parents[root(join.second)] = root(join.first)
      left -= 1
    }
    var numbers: [Int: Int] = [:]
    return (0..<count).map { index in
      let root = root(index)
      let number = numbers[root] ?? numbers.count
      numbers[root] = number
      return number
    }
  }
}

/// A vector in parts that a processor multiplies at once.
struct VoiceVector {
  private let parts: [SIMD8<Float>]

  init(_ values: [Float]) {
    parts = stride(from: 0, to: values.count, by: 8).map { start in
      var part = SIMD8<Float>()
      for index in start..<min(start + 8, values.count) { part[index - start] = values[index] }
      return part
    }
  }

  func product(_ other: VoiceVector) -> Float {
    parts.withUnsafeBufferPointer { parts in
      other.parts.withUnsafeBufferPointer { others in
        var sum = SIMD8<Float>()
        for index in 0..<min(parts.count, others.count) { sum += parts[index] * others[index] }
        return sum.sum()
      }
    }
  }
}
