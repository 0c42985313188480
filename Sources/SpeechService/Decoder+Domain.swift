import CPocketSphinx
import Foundation
import SpeechServiceProtocol

extension Decoder {
  /// The readings of the utterance that has just been decoded; with models beside the general one, those of the
  /// model that explains it.
  ///
  /// Most speech is none of a domain's, even where a domain is expected, and a domain's model puts its words
  /// where others were said. So the weight is taken for what it is, the probability that an utterance is of the
  /// domain: the general model alone decodes the utterance again, and the domain must have explained it better
  /// by as much as that probability lacks. What it adds to the score of its own reading must be as much, too,
  /// since a better reading that owes it nothing is no evidence of the domain. From 0.5 on there is nothing to
  /// show, and no second decoding.
  /// - Parameter decodeAgain: decodes the utterance by the search that is chosen then.
  func readings(
    decodeAgain: () throws(DecoderError) -> Void
  ) throws(DecoderError) -> [ServiceHypothesis] {
    let ofDomain = hypotheses(most: configuration.alternatives)
    guard domainWeight > 0, domainWeight < 0.5 else { return ofDomain }
    let scoreOfDomain = score
    let gain = gain(of: ofDomain.first?.words.map(\.text) ?? [])
    try searchByGeneralModel()
    let decoded = Result { () throws(DecoderError) in try decodeAgain() }
    let general = hypotheses(most: configuration.alternatives)
    let advantage = scoreOfDomain - score
    try searchByAllModels()
    try decoded.get()
    let evidence = natural(min(gain, advantage)) * Self.acousticScale
    return evidence > log((1 - domainWeight) / domainWeight) ? ofDomain : general
  }

  /// The score of the best path; the least if there is none.
  private var score: Int {
    var score: Int32 = 0
    return ps_get_hyp(handle, &score) == nil ? Int(Int32.min) : Int(score)
  }
}
