import NeuralRecognition
import RecognitionProtocol

/// A window as Whisper decoded it.
struct WhisperWindow {
  var prompt: [Int]
  /// The best text of the search without phrases. It has the bonus of its phrases.
  var best: TokenSequence
  /// The best text of the search that prefers phrases, if it is another one.
  var biased: TokenSequence?
  var others: [TokenSequence]
  /// How much likelier than the first of the others both networks find the best text, where the second one elected it.
  var election: Double?
  /// How likely the best text and each of the others are among those that the second network compared, by both networks, 0 to 1;
  /// nil for one that it did not, and if it was not asked.
  var shares: [Double?]?
  /// The logarithms of the probabilities that the second network gives the tokens of the best text, if it was asked.
  var second: [Double?]?
  var check: WindowCheck
  var language: ServiceHypothesis.Language?
}

/// Where Whisper is in doubt about English, a second network chooses among its texts, and says how likely their words are.
struct WhisperJudge {
  let model: WhisperModel
  let witness: WhisperWitness

  /// The window whose best text is the one that both networks find likeliest together, with what the second one says of its words,
  /// if the first one is in doubt.
  /// - Parameter phrases: how many words of a text are of phrases that are expected. A text with fewer than the best one has is not
  ///   elected.
  func judged(
    _ window: WhisperWindow, _ samples: [Float], _ context: Int, phrases: (String) -> Int
  ) throws(NeuralError) -> WhisperWindow {
    guard !window.check.hasFailed else { return window }
    let count = phrases(model.text(window.best))
    let others = window.others.filter { count == 0 || phrases(model.text($0)) >= count }
    let texts = [window.best] + others
    let election = TextElection(texts.map { (model.text($0), $0.logProbability) })
    let candidates = election.candidates
    guard !candidates.isEmpty || opinion(of: window.best).isWanted,
      try witness.hear(samples, frames: context)
    else { return window }
    var window = window
    if let evidence = try witness.evidence(for: candidates) {
      let (best, lead) = election.elected(evidence)
      var order = Array(texts.indices)
      if best > 0, lead.isFinite {
        order = [best] + order.filter { $0 != best }
        window.election = lead
      }
      window.best = texts[order[0]]
      window.others = order.dropFirst().map { texts[$0] } + window.others.filter { !others.contains($0) }
      let shares = election.shares(evidence)
      window.shares = order.map { shares[$0] }
    }
    let opinion = opinion(of: window.best)
    window.second = try witness.logProbabilities(of: model.text(window.best), where: opinion.isAsked)
      .map(opinion.logProbabilities)
    return window
  }

  private func opinion(of text: TokenSequence) -> SecondOpinion {
    SecondOpinion(
      zip(text.tokens.map(model.bytes), text.logProbabilities)
        .map { ($0, $0.isMark ? 0 : Double($1)) })
  }
}
