import Foundation

/// The choice among the texts of a search by a second network.
package struct TextElection {
  /// How much less likely than the first text the second one is, as a logarithm, where the choice is in doubt.
  private static let doubt: Float = 1
  /// How much less likely than the first text a text may be that is compared.
  private static let reach: Float = 1.5

  private let texts: [(text: String, logProbability: Float)]
  /// The texts that are compared. One that leaves out what another one has is likely, however it sounds: only texts of nearly as
  /// many words as the first one are.
  private let places: [Int]

  /// - Parameter texts: the texts with the logarithms of their probabilities, in the order of the search.
  package init(_ texts: [(text: String, logProbability: Float)]) {
    self.texts = texts
    let words = texts.map { $0.text.split(separator: " ").count }
    places = texts.indices.filter {
      abs(words[$0] - words[0]) <= 1 && texts[0].logProbability - texts[$0].logProbability < Self.reach
    }
  }

  /// The texts that the second network is asked about, the first one first; empty if the choice is not in doubt.
  package var candidates: [String] {
    guard places.count > 1,
      texts[places[0]].logProbability - texts[places[1]].logProbability < Self.doubt
    else { return [] }
    return places.map { texts[$0].text }
  }

  /// The place of the text that both networks find likeliest together, and how much likelier than the first one they find it, as a
  /// logarithm.
  /// - Parameter evidence: how much likelier than the first one the second network finds each candidate, as a logarithm.
  package func elected(_ evidence: [Double]) -> (place: Int, lead: Double) {
    let scores = scores(evidence)
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[best].isFinite else {
      return (0, 0)
    }
    return (places[best], scores[best] - scores[0])
  }

  /// How likely each text is among those that were compared, by both networks, 0 to 1; nil for one that was not.
  /// - Parameter evidence: how much likelier than the first one the second network finds each candidate, as a logarithm.
  package func shares(_ evidence: [Double]) -> [Double?] {
    var shares = [Double?](repeating: nil, count: texts.count)
    let scores = scores(evidence)
    guard let best = scores.max(), best.isFinite else { return shares }
    let likelihoods = scores.map { exp($0 - best) }
    let sum = likelihoods.reduce(0, +)
    for (place, likelihood) in zip(places, likelihoods) { shares[place] = likelihood / sum }
    return shares
  }

  /// How likely both networks find each candidate, as a logarithm that is only good for comparing them.
  private func scores(_ evidence: [Double]) -> [Double] {
    zip(places, evidence).map { place, evidence in
      let score = Double(texts[place].logProbability) + evidence
      return score.isNaN ? -.infinity : score
    }
  }
}
