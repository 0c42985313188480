import Foundation

/// A trigram language model with interpolated smoothing: observed sequences give a share of their probability to unseen
/// ones, in proportion to the probability after fewer words.
///
/// Smoothing is modified Kneser–Ney (Chen and Goodman 1998), estimated as by Heafield et al. 2013. Counts that were set by
/// hand have no usable counts of counts; then it is Witten–Bell (Bell, Cleary and Witten 1990).
public struct NGramModel: Sendable {
  /// The method that gives unseen sequences their share.
  public enum Smoothing: Sendable {
    case modifiedKneserNey
    case wittenBell
  }

  /// One to three words.
  struct Entry: Sendable {
    var key: UInt64
    /// The probability of the last word after the others.
    var probability: Double
    /// The share of the words that were not seen after all of these: the back-off weight.
    var backOff = 1.0
  }

  /// The smoothing of the model.
  public let smoothing: Smoothing
  let words: [String]
  /// The sequences by length, each list sorted by key. The list of single words has all words.
  private(set) var entries: [[Entry]]

  /// Estimates a model from counts.
  /// - Parameter smoothing: nil chooses according to the counts.
  public init(_ counts: NGramCounts, smoothing wanted: Smoothing? = nil) {
    var counts = counts
    words = counts.words
    // Only the ratio of counts matters: 10, 10 and 20 mean the same as 1, 1 and 2.
    let unit = Double(max(1, counts.unit))
    let trigrams = counts.trigrams().map { NGramCounts.Sequence(key: $0.key, count: $0.count / unit) }
    // For shorter sequences Kneser–Ney counts the number of different words before them.
    let distinct = wanted == .wittenBell ? [] : Self.allOrders(of: trigrams) { _ in 1 }
    let discounts = distinct.map(Discounts.init(of:))
    let isKneserNey = wanted.map { $0 == .modifiedKneserNey } ?? !discounts.contains { $0 == nil }
    smoothing = isKneserNey ? .modifiedKneserNey : .wittenBell

    var uniform = 1 / Double(words.count - 1)
    entries = [words.indices.map { Entry(key: UInt64($0), probability: 0) }, [], []]
    if isKneserNey {
      estimate(distinct, discounts: discounts.map { $0 ?? .standard }, uniform: &uniform)
    } else {
      estimate(Self.allOrders(of: trigrams) { $0 }, discounts: nil, uniform: &uniform)
    }
    for word in entries[0].indices where entries[0][word].probability == 0 && word != NGramCounts.begin {
      entries[0][word].probability = uniform
    }
  }

  /// The sequences of one, two and three words.
  /// - Parameter weight: the amount that a sequence adds to the count of the sequence without its first word.
  private static func allOrders(
    of trigrams: [NGramCounts.Sequence], weight: (Double) -> Double
  ) -> [[NGramCounts.Sequence]] {
    let pairs = shortened(trigrams, weight: weight)
    return [shortened(pairs, weight: weight), pairs, trigrams]
  }

  /// The sequences without their first words, and the starts of phrases.
  /// - Parameter weight: the amount that a sequence adds to the count of the sequence without its first word.
  private static func shortened(
    _ sequences: [NGramCounts.Sequence], weight: (Double) -> Double
  ) -> [NGramCounts.Sequence] {
    let isOfPairs = (sequences.last?.key ?? 0) >> (2 * NGramCounts.bits) == 0
    let bits = isOfPairs ? NGramCounts.bits : 2 * NGramCounts.bits
    var shorter: [NGramCounts.Sequence] = []
    shorter.reserveCapacity(sequences.count * 5 / 4)
    for sequence in sequences {
      let rest = sequence.key & (1 << bits - 1)
      shorter.append(.init(key: rest, count: weight(sequence.count)))
      // There is no word before the start of a phrase, so its own count is used.
      guard !isOfPairs, sequence.key >> bits == NGramCounts.begin else { continue }
      shorter.append(.init(key: sequence.key >> NGramCounts.bits, count: sequence.count))
    }
    return NGramCounts.merged(shorter)
  }

  /// Fills `entries`, starting with the single words.
  /// - Parameter uniform: the probability of any word; returns the probability of an unseen word.
  private mutating func estimate(
    _ sequences: [[NGramCounts.Sequence]], discounts: [Discounts]?, uniform: inout Double
  ) {
    for (order, seen) in sequences.enumerated() {
      var start = 0
      while start < seen.count {
        let context = order == 0 ? 0 : seen[start].key >> NGramCounts.bits
        var end = start
        while end < seen.count, order == 0 || seen[end].key >> NGramCounts.bits == context { end += 1 }
        let group = seen[start..<end]
        start = end
        let total = group.reduce(0) { $0 + $1.count }
        let withheld =
          discounts.map { all in group.reduce(0) { $0 + all[order].of($1.count) } } ?? Double(group.count)
        let whole = discounts == nil ? total + withheld : total
        let backOff = withheld / whole
        for sequence in group {
          let own = (sequence.count - (discounts?[order].of(sequence.count) ?? 0)) / whole
          switch order {
          case 0: entries[0][Int(sequence.key)].probability = own + backOff * uniform
          case 1:
            let lower = entries[0][Int(sequence.key & NGramCounts.mask)].probability
            entries[1].append(Entry(key: sequence.key, probability: own + backOff * lower))
          default:
            let rest = sequence.key & (1 << (2 * NGramCounts.bits) - 1)
            let lower = index(ofPair: rest).map { entries[1][$0].probability } ?? 0
            entries[2].append(Entry(key: sequence.key, probability: own + backOff * lower))
          }
        }
        switch order {
        case 0: uniform *= backOff
        case 1: entries[0][Int(context)].backOff = backOff
        default: if let pair = index(ofPair: context) { entries[1][pair].backOff = backOff }
        }
      }
    }
  }

  private func index(ofPair key: UInt64) -> Int? {
    var (low, high) = (0, entries[1].count)
    while low < high {
      let middle = (low + high) / 2
      if entries[1][middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < entries[1].count && entries[1][low].key == key ? low : nil
  }

  /// The amounts that Kneser–Ney subtracts from counts of one, of two, and of three or more.
  private struct Discounts {
    private let values: [Double]

    /// The discounts for counts from which none can be computed.
    static let standard = Discounts(values: [0.5, 1, 1.5])

    private init(values: [Double]) { self.values = values }

    /// Computes the discounts; nil if the counts of counts do not allow it.
    init?(of sequences: [NGramCounts.Sequence]) {
      var counts = [0.0, 0, 0, 0, 0]
      for sequence in sequences where sequence.count < 5 { counts[Int(sequence.count)] += 1 }
      guard counts[1] > 0, counts[2] > 0, counts[3] > 0 else { return nil }
      let share = counts[1] / (counts[1] + 2 * counts[2])
      let values = (1...3).map { Double($0) - Double($0 + 1) * share * counts[$0 + 1] / counts[$0] }
      guard zip(values, 1...).allSatisfy({ $0 >= 0 && $0 <= Double($1) }) else { return nil }
      self.init(values: values)
    }

    func of(_ count: Double) -> Double {
      // A count may be too large for an integer.
      values[count < 3 ? Int(count) - 1 : 2]
    }
  }
}
