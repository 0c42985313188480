import SpeechServiceProtocol

extension RecognizedUtterance {
  /// A word with less confidence may stand for one of a long list.
  private static let unsure = 0.4

  /// The utterance with what other recognizers add: the reading of the domain, and the words that are missing.
  /// - Parameters:
  ///   - configuration: the one by which it was recognized.
  ///   - decode: asks another recognizer.
  func completed(
    of configuration: ServiceConfiguration,
    _ decode: (UtteranceAudio, ServiceConfiguration) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    var result = self
    // Reading an utterance takes several times as long as recognizing it, and a term of a long list is seldom what was said.
    if let reader = configuration.forDomain, isUnsure || !configuration.expectsLongList {
      result = result.withDomainReading(by: reader.model.recognizer) { try decode($0, reader) }
    }
    if let second = configuration.forSecondTry {
      result = result.withSecondTry(by: second.model.recognizer) { try decode($0, second) }
    }
    return result
  }

  /// The reading of the domain first, where the other recognizer finds that the domain explains the speech better than
  /// everyday language by as much as the domain is unlikely; otherwise this utterance. It is not asked if this one's recognizer
  /// finds phrases of the domain itself.
  /// - Parameters:
  ///   - recognizer: the other recognizer.
  ///   - decode: asks it.
  func withDomainReading(
    by recognizer: Recognizer, _ decode: (UtteranceAudio) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    guard hasSpeech, candidates.first.map({ ![.biased, .domain].contains($0.source) }) ?? true,
      let hypotheses = try? decode(audio), hypotheses.first?.source == .domain
    else { return self }
    let reading = RecognizedUtterance(
      audio: audio, hypotheses: hypotheses, nonspeech: nonspeech, of: recognizer.words, source: .domain)
    // The same words stay as the recognizer writes them.
    guard let best = reading.candidates.first, best.letters != candidates.first?.letters else { return self }
    var result = self
    result.candidates.removeAll { own in reading.candidates.contains { $0.letters == own.letters } }
    result.candidates.insert(contentsOf: reading.candidates, at: 0)
    result.rejected = []
    return result
  }

  private var isUnsure: Bool {
    candidates.first.map { $0.words.contains { ($0.confidence ?? 0) < Self.unsure } } ?? true
  }

  /// The words that another recognizer finds, if words are missing and it is sure of its own; otherwise this utterance.
  /// - Parameters:
  ///   - recognizer: the other recognizer.
  ///   - decode: asks it.
  func withSecondTry(
    by recognizer: Recognizer, _ decode: (UtteranceAudio) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    guard isWithoutWords, let hypotheses = try? decode(audio) else { return self }
    var result = RecognizedUtterance(
      audio: audio, hypotheses: hypotheses, nonspeech: nonspeech, of: recognizer.words.forSecondTry,
      source: .embedded)
    if result.candidates.isEmpty { result.rejected = rejected + result.rejected }
    return result
  }
}

extension RecognizedCandidate {
  /// The words without marks and capitals.
  fileprivate var letters: [String] {
    words.map { $0.text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "'" } }
  }
}
