import Foundation

/// A trigram language model with interpolated smoothing: what was seen gives some of its share to what was not, by how
/// likely that is after fewer words.
///
/// Where counts look counted, smoothing is modified Kneser–Ney (Chen and Goodman 1998), as Heafield et al. 2013 estimate
/// it; where they are made up, and the counts of counts say nothing, it is Witten–Bell (Bell, Cleary and Witten 1990).
public struct NGramModel: Sendable {
  /// How unseen sequences get their share.
  public enum Smoothing: Sendable {
    case modifiedKneserNey
    case wittenBell
  }

  /// One to three words.
  struct Entry: Sendable {
    var key: UInt64
    /// Of the last word after the others.
    var probability: Double
    /// What is left after all of them for words that were not seen there.
    var left = 1.0
  }

  /// How the model was smoothed.
  public let smoothing: Smoothing
  let words: [String]
  /// By order; each sorted by key, the single words without a gap.
  private(set) var entries: [[Entry]]

  /// A model of what was counted.
  /// - Parameter smoothing: nil chooses by the counts.
  public init(_ counts: NGramCounts, smoothing wanted: Smoothing? = nil) {
    var counts = counts
    words = counts.words
    // Counts are relative to each other: 10, 10 and 20 say what 1, 1 and 2 say.
    let unit = Double(max(1, counts.unit))
    let trigrams = counts.trigrams().map { NGramCounts.Sequence(key: $0.key, count: $0.count / unit) }
    // Kneser–Ney asks of shorter sequences after how many different words they were seen.
    let distinct = wanted == .wittenBell ? [] : Self.allOrders(of: trigrams) { _ in 1 }
    let discounts = distinct.map(Discounts.init(of:))
    let isKneserNey = wanted.map { $0 == .modifiedKneserNey } ?? !discounts.contains { $0 == nil }
    smoothing = isKneserNey ? .modifiedKneserNey : .wittenBell

    var uniform = 1 / Double(words.count - 1)
    entries = [words.indices.map { Entry(key: UInt64($0), probability: 0) }, [], []]
    if isKneserNey {
      estimate(distinct, discounts: discounts.map { $0 ?? .usual }, uniform: &uniform)
    } else {
      estimate(Self.allOrders(of: trigrams) { $0 }, discounts: nil, uniform: &uniform)
    }
    for word in entries[0].indices where entries[0][word].probability == 0 && word != NGramCounts.begin {
      entries[0][word].probability = uniform
    }
  }

  /// Sequences of one word, of two and of three.
  /// - Parameter weight: what a sequence adds to the count of its rest.
  private static func allOrders(
    of trigrams: [NGramCounts.Sequence], weight: (Double) -> Double
  ) -> [[NGramCounts.Sequence]] {
    let pairs = shortened(trigrams, weight: weight)
    return [shortened(pairs, weight: weight), pairs, trigrams]
  }

  /// The sequences without their first words, and those that begin a phrase.
  /// - Parameter weight: what a sequence adds to the count of its rest.
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
      // Nothing stands before the beginning of a phrase: its own count is all there is to know.
      guard !isOfPairs, sequence.key >> bits == NGramCounts.begin else { continue }
      shorter.append(.init(key: sequence.key >> NGramCounts.bits, count: sequence.count))
    }
    return NGramCounts.merged(shorter)
  }

  /// Fills `entries`, the single words first.
  /// - Parameter uniform: the probability of any word; what is left of it for words that were not seen comes back.
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
        let left = withheld / whole
        for sequence in group {
          let own = (sequence.count - (discounts?[order].of(sequence.count) ?? 0)) / whole
          switch order {
          case 0: entries[0][Int(sequence.key)].probability = own + left * uniform
          case 1:
            let lower = entries[0][Int(sequence.key & NGramCounts.mask)].probability
            entries[1].append(Entry(key: sequence.key, probability: own + left * lower))
          default:
            let rest = sequence.key & (1 << (2 * NGramCounts.bits) - 1)
            let lower = place(ofPair: rest).map { entries[1][$0].probability } ?? 0
            entries[2].append(Entry(key: sequence.key, probability: own + left * lower))
          }
        }
        switch order {
        case 0: uniform *= left
        case 1: entries[0][Int(context)].left = left
        default: if let place = place(ofPair: context) { entries[1][place].left = left }
        }
      }
    }
  }

  private func place(ofPair key: UInt64) -> Int? {
    var (low, high) = (0, entries[1].count)
    while low < high {
      let middle = (low + high) / 2
      if entries[1][middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < entries[1].count && entries[1][low].key == key ? low : nil
  }

  /// What Kneser–Ney takes off counts of one, of two, and of three and more.
  private struct Discounts {
    private let values: [Double]

    /// What is taken when the counts do not tell.
    static let usual = Discounts(values: [0.5, 1, 1.5])

    private init(values: [Double]) { self.values = values }

    /// Nil if the counts of counts give no discounts.
    init?(of sequences: [NGramCounts.Sequence]) {
      var counts = [0.0, 0, 0, 0, 0]
      for sequence in sequences where sequence.count < 5 { counts[Int(sequence.count)] += 1 }
      guard counts[1] > 0, counts[2] > 0, counts[3] > 0 else { return nil }
      let share = counts[1] / (counts[1] + 2 * counts[2])
      let values = (1...3).map { Double($0) - Double($0 + 1) * share * counts[$0 + 1] / counts[$0] }
      guard zip(values, 1...).allSatisfy({ $0 >= 0 && $0 <= Double($1) }) else { return nil }
      self.init(values: values)
    }

    func of(_ count: Double) -> Double { values[min(3, Int(count)) - 1] }
  }
}
