import RecognitionProtocol

/// A word below this confidence is decoded again in another window.
private let unsure = 0.5
/// An utterance whose words are all above this confidence needs no second search.
private let sure = 0.9
/// Seconds of speech without words that are decoded again.
private let maxWordless = 1.0
/// Stretches of an utterance that are decoded again at most.
private let maxStretches = 3
/// Seconds before an onset that belong to it.
private let lead = 0.15
/// Seconds of quiet that are put before speech that has none.
private let shift = 0.2
/// Seconds of quiet before an utterance in which a phrase is looked for again. No multiple of a network's frame, which lasts
/// 0.04 or 0.08 s, so that the frames begin elsewhere in the speech.
private let frameShift = 0.22

extension NeuralRecognizer {
  /// The hypotheses of an utterance, the best first.
  /// - Parameter decoded: those of the first search; where it follows one path, the greedy one.
  func candidates(_ decoded: [ServiceHypothesis], samples: [Float]) throws(NeuralError) -> [ServiceHypothesis]
  {
    var found = decoded
    if let best = decoded.first {
      let missing = try missingWords(of: best, samples: samples)
      var complete: [ServiceHypothesis] = []
      if !missing.isEmpty { complete.append(best.completed(with: missing)) }
      // A client compares phrases with what was found without them, which has no other words missing then.
      if !missing.isEmpty, best.source == .biased, let plain = decoded.first(where: { $0.source != .biased })
      {
        complete.append(plain.completed(with: missing))
      }
      found = complete + found
    }
    found.removeAll(where: \.words.isEmpty)
    // Further searches of an utterance without words could only invent some.
    guard let first = found.first else { return [] }
    return capabilities.listsHypotheses
      ? listed(found, first) : try guessed(found, first, samples: samples)
  }

  private var count: Int { max(1, configuration.alternatives) }

  /// Of an engine whose search lists hypotheses: these are the candidates, except a loop as the first.
  private func listed(_ found: [ServiceHypothesis], _ first: ServiceHypothesis) -> [ServiceHypothesis] {
    var found = found
    if RepetitionCheck.hasLoop(first.words), let other = found.first(where: isSound) {
      found.insert(other, at: 0)
    }
    // With the words that the phrases replace.
    return limited(found, to: found.first?.source == .biased ? max(2, count) : count)
  }

  /// Of an engine that follows one path: where that is in doubt, it searches again, with beams, in another window, and for
  /// phrases.
  private func guessed(
    _ found: [ServiceHypothesis], _ first: ServiceHypothesis, samples: [Float]
  ) throws(NeuralError) -> [ServiceHypothesis] {
    var found = found
    let doubt = first.words.map { $0.confidence ?? 0 }.min() ?? 0
    let isLoop = RepetitionCheck.hasLoop(first.words)
    var beam: ServiceHypothesis?
    if capabilities.beams > 1, isLoop || count > 1 && doubt < sure {
      let words = try decode(samples, DecodingRequest(beams: capabilities.beams))
      let hypothesis = ServiceHypothesis(words: words, source: .beam)
      beam = isClean(words) ? hypothesis : hypothesis.unsure(.beam)
    }
    var shifted: ServiceHypothesis?
    let isUnsure = capabilities.service.hasConfidence && count > 1 && doubt < unsure
    if isUnsure || isLoop && beam.map({ RepetitionCheck.hasLoop($0.words) }) ?? true {
      shifted = try self.shifted(samples)
    }
    if isLoop, let other = [beam, shifted].compactMap(\.self).first(where: { isSound($0) }) {
      found.insert(other, at: 0)
    }
    found += [beam, shifted].compactMap(\.self)
    let biased = try biasedRequest.map { request throws(NeuralError) in try decode(samples, request) }
    if let biased, let words = try confirmed(biased, in: found[0].words, samples: samples, shifted) {
      found.insert(ServiceHypothesis(words: words, source: .biased), at: 0)
      // With the words that the phrases replace: their confidence is that of the speech.
      return limited(found, to: max(2, count))
    }
    return limited(found, to: count, biased: biased.map { ServiceHypothesis(words: $0, source: .biased) })
  }

  /// The words of stretches of speech that have none: networks skip sentences silently.
  private func missingWords(
    of best: ServiceHypothesis, samples: [Float]
  ) throws(NeuralError) -> [ServiceHypothesis.Word] {
    let duration = Double(samples.count) / Double(RecognitionLimits.sampleRate)
    let starts = [0] + best.words.map(\.end)
    let ends = best.words.map(\.start) + [duration]
    var added: [ServiceHypothesis.Word] = []
    let gaps = zip(starts, ends).filter { $1 - $0 > maxWordless }
    guard !gaps.isEmpty else { return [] }
    let energy = SpeechEnergy(samples)
    var tries = 0
    for (start, end) in gaps where tries < maxStretches {
      guard let run = energy.longestRun(in: start...end), run.upperBound - run.lowerBound > maxWordless
      else {
        continue
      }
      tries += 1
      let onset = max(start, run.lowerBound - lead)
      let part = Array(
        samples[
          Int(onset * Double(RecognitionLimits.sampleRate))..<Int(end * Double(RecognitionLimits.sampleRate))]
      )
      let isWhole = part.count > samples.count - RecognitionLimits.sampleRate / 10
      let words = isWhole ? try delayed(part) : try decode(part, .greedy)
      added += words.map { $0.moved(by: onset) }.filter { $0.start >= start && $0.start < end }
        .map { word in
          var word = word
          word.end = min(word.end, end)
          return word
        }
    }
    return added
  }

  /// Decodes the utterance from its onset, or with some quiet before it if there is none.
  private func shifted(_ samples: [Float]) throws(NeuralError) -> ServiceHypothesis {
    let onset = max(0, (SpeechEnergy(samples).extent?.lowerBound ?? 0) - lead / 3)
    // Speech itself is never cut off.
    guard onset >= shift / 2 else {
      return ServiceHypothesis(words: try delayed(samples), source: .shifted)
    }
    let words = try decode(Array(samples[Int(onset * Double(RecognitionLimits.sampleRate))...]), .greedy)
    return ServiceHypothesis(words: words.map { $0.moved(by: onset) }, source: .shifted)
  }

  /// The search that prefers the phrases of the configuration; nil if there are none that the engine can prefer.
  private var biasedRequest: DecodingRequest? {
    let phrases = configuration.contextualStrings
    guard capabilities.beams > 1, engine.takes(phrases) else { return nil }
    return DecodingRequest(beams: capabilities.beams, phrases: phrases)
  }

  /// The words with the phrases of a biased search, except where other windows speak against them: one whose frames begin at
  /// other times, in which the phrase must be taken too, and the one from the onset. Measured with the toy transducer:
  /// Tests/Models/README.md.
  /// - Returns: nil if there are none.
  private func confirmed(
    _ biased: [ServiceHypothesis.Word], in words: [ServiceHypothesis.Word], samples: [Float],
    _ shifted: ServiceHypothesis?
  ) throws(NeuralError) -> [ServiceHypothesis.Word]? {
    let phrases = configuration.contextualStrings
    guard PhraseConfirmation.words(words, with: phrases, of: biased) != nil, let biasedRequest else {
      return nil
    }
    let delayed = try self.delayed(samples, by: frameShift)
    let biasedAgain = try self.delayed(samples, by: frameShift, biasedRequest)
    let again = PhraseConfirmation.words(delayed, with: phrases, of: biasedAgain)
    return PhraseConfirmation.words(
      words, with: phrases, of: biased, others: [delayed, shifted?.words].compactMap(\.self),
      again: again ?? delayed)
  }

  /// Decodes audio with some quiet before it.
  /// - Returns: the words, with times in the audio.
  private func delayed(
    _ samples: [Float], by seconds: Double = shift, _ request: DecodingRequest = .greedy
  ) throws(NeuralError) -> [ServiceHypothesis.Word] {
    let quiet = [Float](repeating: 0, count: Int(seconds * Double(RecognitionLimits.sampleRate)))
    return try decode(quiet + samples, request).map { $0.moved(by: -seconds) }
  }

  /// The first candidates, without two of one text, and the biased one as the last.
  private func limited(
    _ found: [ServiceHypothesis], to count: Int, biased: ServiceHypothesis? = nil
  ) -> [ServiceHypothesis] {
    var texts: Set<String> = []
    let distinct = found.filter { !$0.words.isEmpty && texts.insert($0.text).inserted }
    guard let biased, count > 1, !biased.words.isEmpty, !texts.contains(biased.text) else {
      return Array(distinct.prefix(count))
    }
    // The confidences of its words are not all without the bonus.
    return distinct.prefix(count - 1) + [biased.unsure(.biased)]
  }

  private func isSound(_ hypothesis: ServiceHypothesis) -> Bool {
    !hypothesis.words.isEmpty && !RepetitionCheck.hasLoop(hypothesis.words)
  }

  /// Whether the confidences can be probabilities. A bonus would make them larger than 1; `WordAssembly` cuts them.
  private func isClean(_ words: [ServiceHypothesis.Word]) -> Bool {
    words.allSatisfy { $0.confidence.map { $0 < 1 } ?? true }
  }
}

extension ServiceHypothesis {
  /// The hypothesis with words that were found where it has none. It stays what it is, if it is not simply the best one.
  func completed(with missing: [Word]) -> ServiceHypothesis {
    let added = missing.filter { word in words.allSatisfy { $0.end <= word.start || word.end <= $0.start } }
    guard !added.isEmpty else { return self }
    var complete = ServiceHypothesis(
      words: (words + added).sorted { $0.start < $1.start }, source: source == .best ? .shifted : source)
    (complete.election, complete.share, complete.language) = (election, share, language)
    return complete
  }
}
