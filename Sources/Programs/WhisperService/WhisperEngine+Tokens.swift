import NeuralRecognition
import RecognitionProtocol

extension WhisperEngine {
  /// When the tokens of a window's best text begin, the last one ends, and pauses are between them, in seconds.
  private typealias Times = (starts: [Double], pauses: [Range<Double>]?)

  private func times(of window: WhisperWindow, loudness: [Float], lead: Double) -> Times? {
    func seconds(_ frame: Int) -> Double { max(0, Double(frame) / Self.framesPerSecond - lead) }
    let best = window.best.tokens
    // English words get their times from another recognizer.
    if isEnglish(window.language) {
      let starts = model.starts(of: best, after: window.prompt, frames: loudness.count)
      return starts.map { ($0.map(seconds), nil) }
    }
    return model.alignment(of: best, after: window.prompt, loudness: loudness).map { found in
      (found.starts.map(seconds), found.pauses.map { seconds($0.lowerBound)..<seconds($0.upperBound) })
    }
  }

  /// The spoken tokens of each text of a window, with their times.
  /// - Parameters:
  ///   - loudness: of each frame of the audio, below 0 for those of the silence that was put before it.
  ///   - lead: the seconds of that silence.
  func timed(_ window: WhisperWindow, loudness: [Float], lead: Double) -> [RecognizedTokens] {
    let times = times(of: window, loudness: loudness, lead: lead)
    let best = window.best.tokens
    var found: [RecognizedTokens] = []
    let isElected = window.election != nil
    for (text, source) in [
      (window.biased, .biased), (window.best, isElected ? .elected : source(of: window.best)),
    ]
      + window.others.enumerated().map({ ($1, isElected && $0 == 0 ? .outvoted : .best) })
      as [(TokenSequence?, ServiceHypothesis.Source)]
    {
      guard let text else { continue }
      let own = times.map { times in
        let starts = TokenTimes.times(times.starts, of: best, for: text.tokens) { [model] in
          model.bytes($0).count
        }
        return Times(starts, times.pauses)
      }
      var tokens = tokens(
        of: text, times: own, second: text == window.best ? window.second : nil,
        check: window.check)
      tokens.source = source
      if source == .elected { tokens.election = window.election }
      tokens.language = window.language
      found.append(tokens)
    }
    // The shares are of the texts without the biased one.
    for (index, share) in zip(found.indices.suffix(1 + window.others.count), window.shares ?? []) {
      found[index].share = share
    }
    return found
  }

  /// A text of a domain's words that has a phrase of the domain is explained by it.
  private func source(of text: TokenSequence) -> ServiceHypothesis.Source {
    guard text.bonus > 0 else { return .best }
    return domain.haveAllWords(of: model.text(text)) ? .domain : .best
  }

  private func tokens(
    of text: TokenSequence, times: Times?, second: [Double?]?, check: WindowCheck
  ) -> RecognizedTokens {
    var tokens: [RecognizedTokens.Token] = []
    for (index, token) in text.tokens.enumerated() {
      let duration = times.map { times in
        let (start, next) = (times.starts[index], times.starts[index + 1])
        let pause = times.pauses?.first { start < $0.lowerBound && $0.lowerBound < next }
        return (pause?.lowerBound ?? next) - start
      }
      var next = RecognizedTokens.Token(
        bytes: model.bytes(token), start: times?.starts[index], duration: duration,
        logProbability: Double(text.logProbabilities[index]))
      next.secondLogProbability = second?[index]
      if let last = tokens.last, next.bytes.isMark {
        // A mark is not said: it has the time of the word before it, and says nothing of how sure that is.
        next.start = last.start
        next.duration = last.duration
        next.logProbability = 0
        next.secondLogProbability = nil
      }
      tokens.append(next)
    }
    // A decoder that comes to no end is stuck.
    if check.isLoop { tokens = tokens.withoutLoops(canBeSaid: text.isComplete && check.hearsSpeech) }
    var found = RecognizedTokens(tokens: SoundTags.removed(from: tokens))
    found.hasPauses = times?.pauses != nil
    return found
  }
}
