import CPocketSphinx
import Foundation
import RecognitionProtocol

extension Decoder {
  /// The hypotheses of the utterance that was just decoded. With domain models, these are the hypotheses of the domain
  /// or of the general model, whichever explains the utterance better.
  ///
  /// Most utterances do not belong to the domain, and a domain model tends to recognize its own words in them. Therefore
  /// the weight is used as the probability that an utterance belongs to the domain. The general model decodes the
  /// utterance again, and the score of the domain must be higher by a margin that grows as this probability gets smaller.
  /// The domain models must also contribute at least this margin to the score of their own hypothesis. With a weight of
  /// 0.5 or more no margin is needed, and there is no second decoding.
  /// - Parameters:
  ///   - width: how much the searches look at.
  ///   - isReading: whether those of the general model are not wanted: then there are none.
  ///   - decodeAgain: decodes the utterance with the search that is active when it is called.
  func rankedHypotheses(
    _ width: Width = .wide, ofDomainOnly isReading: Bool, decodeAgain: () throws(DecoderError) -> Void
  ) throws(DecoderError) -> [ServiceHypothesis] {
    var ofDomain = hypotheses(maxCount: configuration.alternatives)
    guard domainWeight > 0 else { return ofDomain }
    for index in ofDomain.indices {
      ofDomain[index].source = .domain
      for place in ofDomain[index].words.indices {
        ofDomain[index].words[place].isOfDomain = isOfDomain(ofDomain[index].words[place].text)
      }
    }
    guard domainWeight < 0.5 else { return ofDomain }
    let scoreOfDomain = score ?? Self.worstScore
    let gain = gain(of: ofDomain.first?.words.map(\.text) ?? [])
    let needed = log((1 - domainWeight) / domainWeight)
    if isReading, natural(gain) * Self.acousticScale <= needed { return [] }
    try searchByGeneralModel(width)
    let decoded = Result { () throws(DecoderError) in try decodeAgain() }
    let general = isReading ? [] : hypotheses(maxCount: configuration.alternatives)
    let advantage = scoreOfDomain - (score ?? Self.worstScore)
    try searchByAllModels(width)
    try decoded.get()
    let evidence = natural(min(gain, advantage)) * Self.acousticScale
    return evidence > needed ? ofDomain : general
  }

  private static let worstScore = Int(Int32.min)

  /// The score of the best path; nil if there is no path.
  var score: Int? {
    var score: Int32 = 0
    return ps_get_hyp(handle, &score) == nil ? nil : Int(score)
  }
}
