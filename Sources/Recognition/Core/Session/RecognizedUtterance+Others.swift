import RecognitionProtocol
import SentenceFormatting

extension RecognizedUtterance {
  /// The utterance with what other recognizers add: the words of the domain, and the words that are missing.
  /// - Parameters:
  ///   - configuration: the one by which it was recognized.
  ///   - ask: asks another recognizer.
  func completed(
    of configuration: ServiceConfiguration,
    _ ask: (UtteranceAudio, ServiceRequest, ServiceConfiguration) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    var result = self
    if let reader = configuration.forDomain {
      result = result.withDomain(by: reader.model.recognizer, spelling: DomainSpelling(reader)) {
        try ask(audio, .terms(in: $0), reader)
      }
    }
    if let second = configuration.forSecondTry {
      result = result.withSecondTry(by: second.model.recognizer) { try ask($0, .end, second) }
    }
    result = result.withSpeech(by: configuration.model.recognizer.words)
    let rate = Double(SpeechSegmenter.sampleRate)
    let range = Double(audio.start) / rate...Double(audio.range.upperBound) / rate
    for index in result.candidates.indices { result.candidates[index].words.giveLengths(within: range) }
    return result
  }

  /// The utterance with the words of the domain that another recognizer finds; this utterance if it finds none.
  /// - Parameters:
  ///   - recognizer: the other recognizer.
  ///   - spelling: how the words of the domain are written.
  ///   - find: asks it which of these words may be words of the domain.
  func withDomain(
    by recognizer: Recognizer, spelling: @autoclosure () -> DomainSpelling = DomainSpelling(),
    _ find: ([ServiceHypothesis.Word]) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    guard hasSpeech, let own = candidates.first, own.source != .domain,
      let hypotheses = try? find(serviceWords), hypotheses.first?.source == .domain
    else { return self }
    let found = RecognizedUtterance(
      audio: audio, hypotheses: hypotheses, nonspeech: nonspeech, of: recognizer.words, source: .domain)
    guard let joined = found.candidates.first.map({ own.withWordsOfDomain($0, spelling()) }) else {
      return self
    }
    // The same words stay as the recognizer writes them.
    guard joined.letters != own.letters else { return self }
    var result = self
    result.candidates.removeAll { $0.letters == joined.letters }
    result.candidates.insert(joined, at: 0)
    return result
  }

  /// The words of the best candidate, as a service knows them. Those of phrases that a biased search found are of the domain.
  private var serviceWords: [ServiceHypothesis.Word] {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    guard let best = candidates.first else { return [] }
    let plain = best.source == .biased ? candidates.first { $0.source != .biased } : nil
    let phrases = plain.map { WordDifference.all(of: best.texts, and: $0.texts).map(\.words) } ?? []
    return best.words.enumerated().map { index, word in
      var found = ServiceHypothesis.Word(
        text: word.text, start: word.start - offset, end: word.end - offset, confidence: word.confidence)
      found.isOfDomain = phrases.contains { $0.contains(index) }
      return found
    }
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
    result.rejected = rejected + result.rejected
    return result
  }
}

extension RecognizedCandidate {
  /// The words with those of another recognizer in their place where it has words of the domain.
  fileprivate func withWordsOfDomain(
    _ found: RecognizedCandidate, _ spelling: DomainSpelling
  ) -> RecognizedCandidate {
    var joined = self
    for difference in WordDifference.all(of: texts, and: found.texts).reversed() {
      let (former, new) = (words[difference.words], found.words[difference.others])
      guard new.contains(where: \.isOfDomain) else { continue }
      let spelled = new.map { word in
        var word = word
        if word.isOfDomain { word.text = spelling.written(word.text) }
        return word
      }
      joined.words.replaceSubrange(difference.words, with: Self.written(spelled, like: former))
      joined.source = found.source
      joined.confidence = found.confidence
    }
    // The times of the two recognizers differ a little.
    var reached = 0.0
    for index in joined.words.indices {
      joined.words[index].start = max(reached, joined.words[index].start)
      joined.words[index].end = max(joined.words[index].start, joined.words[index].end)
      reached = joined.words[index].end
    }
    return joined
  }

  /// The words with the mark that ended the former ones, and with a capital if they begin the text with one.
  private static func written(
    _ words: [RecognizedWord], like former: ArraySlice<RecognizedWord>
  ) -> [RecognizedWord] {
    var written = words
    guard let first = former.first, let last = former.last else { return written }
    if former.startIndex == 0, first.text.first?.isUppercase == true {
      written[0].text = written[0].text.withFirstCapital
    }
    let mark = last.text.reversed().prefix(while: \.isMark).reversed()
    written[written.count - 1].text += String(mark)
    return written
  }

  fileprivate var texts: [String] { words.map(\.text) }

  /// The words without marks and capitals.
  fileprivate var letters: [String] { texts.map(\.letters) }
}
