import Foundation

/// What speaks for words of a domain in place of other words, and whether it is enough. There is no other rule for it.
///
/// | found by | evidence | must exceed |
/// | --- | --- | --- |
/// | a search that prefers the phrases, with an alignment | odds + gain | 1.0; 1.6 if the list is long |
/// | a second search of a recognizer that follows one path | the probability of the phrase's least sure word | that of the other words, divided by six |
/// | a reading by a recognizer that knows the domain | odds + gain + likeness, and 1.0 where the others are not sure | 1.6 for each factor of ten by which the domain has more than 20 words |
/// | the same, where most other words are of the domain | gain | -1.2 |
/// | its sound alone, where the others have a probability of 0.5 at most | odds + gain + likeness | the greater of 1.45 and the bound of a reading |
/// | its sound, and the first recognizer, which is asked about the phrase | likeness; gain; its score | 4; -1.5; -10 |
///
/// What a search prefers in a language that nothing aligns is taken as it is.
///
/// The odds are the logarithm of those that the other words are wrong: where both sound the same, what the recognizer thinks
/// of its own words decides. The gain is the score of the alignment with the phrase, less that with the other words.
///
/// Fitted on the 167 clips of docs/research-log.md, "Terms by their sound", and on orders of real people; the least loss, with
/// the toy transducer (Tests/Models/README.md). The last row is fitted on places of docs/measurements.md, "Rare words", and on 1,000
/// words that were not said. `Benchmarks/Vocabularies/curve.py` measures the others again.
package struct ReplacementEvidence {
  package typealias Word = ServiceHypothesis.Word

  /// How the phrase was found.
  package enum Origin {
    /// By a search that prefers the phrases. Most phrases of a long list are not said.
    case search(isLongList: Bool)
    /// By a recognizer that knows a domain of so many words. It takes into account which words follow each other, so it may even
    /// replace words that the other recognizer is sure of, where most other words are of the domain.
    case reading(count: Int, isInDomain: Bool)
    /// By its sound, in a domain of so many words.
    case sound(count: Int)
  }

  private static let minOfSearch = (short: 1.0, long: 1.6)
  private static let minForEachTenfold = 1.6
  private static let smallDomain = 20.0
  private static let minOfSound = 1.45
  private static let maxOfSound = 0.5
  private static let worthHearing = (likeness: Float(4), gain: -1.5)
  /// The logarithm by which a phrase may be less likely than what was written in its place: it is rare, and expected.
  private static let minOfHearing = -10.0
  /// What a reading adds where the other recognizer is less sure of its words than `sure`.
  private static let ofReading = 1.0
  private static let sure = 0.9
  private static let minGainInDomain = -1.2
  /// The least evidence, before the audio is asked, if a reading may still be enough (docs/research-log.md, "Reading only where a term
  /// may be").
  private static let minToRead = -1.5
  /// What sounds like a long term is seldom anything else.
  private static let shareOfLikeness = 0.3
  /// No recognizer is surer than this.
  private static let bounds = 0.01...0.99
  /// How much less likely than the other words a phrase may be, as a logarithm: one that is expected counts six times.
  private static let maxLoss = 1.8
  /// The probability that a phrase and the other words have together at most. They exclude each other; what is more than 1
  /// allows for other words before them.
  private static let maxSum = 1.05

  /// The probability of the other words.
  private let probability: Double
  private let gain: Double
  private let likeness: Float
  /// The odds, the gain and the share of the likeness.
  package let total: Double

  /// - Parameters:
  ///   - words: the other words, with their confidences.
  ///   - gain: by how much the phrase fits the audio better.
  ///   - likeness: the phones of the phrase, less twice the difference from those of the other words; 0 if it does not count.
  package init(against words: ArraySlice<Word>, gain: Double, likeness: Float = 0) {
    probability = words.reduce(1) { $0 * ($1.confidence ?? 0) }
    (self.gain, self.likeness) = (gain, likeness)
    let bounded = min(max(probability, Self.bounds.lowerBound), Self.bounds.upperBound)
    total = log((1 - bounded) / bounded) + gain + Self.shareOfLikeness * Double(likeness)
  }

  /// The probability of the phrase if it replaces the other words; nil if the evidence is too little.
  package func probability(for origin: Origin) -> Double? {
    var evidence = total
    let isEnough: Bool
    switch origin {
    case .search(let isLongList):
      isEnough = evidence > (isLongList ? Self.minOfSearch.long : Self.minOfSearch.short)
    case .reading(let count, let isInDomain):
      if probability < Self.sure { evidence += Self.ofReading }
      isEnough = evidence > Self.bound(ofDomain: count) || isInDomain && gain > Self.minGainInDomain
    case .sound(let count):
      isEnough =
        probability <= Self.maxOfSound && evidence > max(Self.bound(ofDomain: count), Self.minOfSound)
    }
    return isEnough ? Self.probability(evidence) : nil
  }

  /// The evidence is the logarithm of the odds, and what is written is likelier than not.
  private static func probability(_ evidence: Double) -> Double { 1 / (1 + exp(-max(0, evidence))) }

  /// Whether a reading may find enough for the phrase, which the audio was not asked about.
  package var isWorthReading: Bool { total >= Self.minToRead }

  /// Whether any gain can be enough for what only sounds like the other words.
  package var canBeEnough: Bool {
    probability <= Self.maxOfSound || likeness >= Self.worthHearing.likeness
  }

  /// The probability of the phrase if the recognizer that wrote the other words says that it may be said in their place; nil if
  /// it does not sound so much like them that it should be asked.
  package var probabilityIfHeard: Double? {
    likeness >= Self.worthHearing.likeness && gain >= Self.worthHearing.gain
      ? Self.probability(total) : nil
  }

  /// Whether a phrase that is worth hearing replaces the other words.
  /// - Parameter score: the logarithm by which the recognizer that wrote the other words finds the phrase likelier.
  package static func isEnough(heard score: Double) -> Bool { score >= minOfHearing }

  private static func bound(ofDomain count: Int) -> Double {
    minForEachTenfold * log10(max(1, Double(count) / smallDomain))
  }

  /// Whether a phrase of a search replaces other words where nothing aligns them.
  /// - Parameter former: the other words; the phrase may be where there are none.
  package static func isEnough(for phrase: [Word], against former: [Word]) -> Bool {
    guard let likelihood = likelihood(phrase), !former.isEmpty else {
      return likelihood(phrase).map { $0 >= -maxLoss } ?? false
    }
    guard let other = self.likelihood(former) else { return false }
    return likelihood >= other - maxLoss && exp(likelihood) + exp(other) <= maxSum
  }

  /// The logarithm of the probability of the least sure word; nil if a word has none.
  private static func likelihood(_ words: [Word]) -> Double? {
    let known = words.compactMap(\.confidence)
    return known.count < words.count ? nil : known.min().map { log(max($0, .leastNormalMagnitude)) }
  }
}
