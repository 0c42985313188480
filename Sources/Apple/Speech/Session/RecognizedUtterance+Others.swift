import SpeechServiceProtocol

extension RecognizedUtterance {
  /// The utterance with what other recognizers add: the reading of the domain, and the words that are missing.
  /// - Parameters:
  ///   - configuration: the one by which it was recognized.
  ///   - ask: asks another recognizer.
  func completed(
    of configuration: ServiceConfiguration,
    _ ask: (UtteranceAudio, ServiceRequest, ServiceConfiguration) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    var result = self
    if let reader = configuration.forDomain, candidates.first?.source != .domain {
      // Reading an utterance takes several times as long as recognizing it, and a term of a long list is seldom what was said.
      if !configuration.expectsLongList, candidates.first?.source != .biased {
        result = result.withDomain(by: reader.model.recognizer) { try ask($0, .read, reader) }
      }
      if result == self {
        result = result.withDomain(by: reader.model.recognizer) {
          try ask($0, .terms(in: serviceWords), reader)
        }
      }
    }
    if let second = configuration.forSecondTry {
      result = result.withSecondTry(by: second.model.recognizer) { try ask($0, .end, second) }
    }
    return result
  }

  /// The utterance with the words of the domain that another recognizer finds; this utterance if it finds none.
  /// - Parameters:
  ///   - recognizer: the other recognizer.
  ///   - find: asks it. It finds what the domain explains better than everyday language by as much as the domain is unlikely, or
  ///     terms that sound like words of which this one's recognizer is unsure.
  func withDomain(
    by recognizer: Recognizer, _ find: (UtteranceAudio) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    let own = candidates.first
    guard hasSpeech, let hypotheses = try? find(audio), hypotheses.first?.source == .domain else {
      return self
    }
    let reading = RecognizedUtterance(
      audio: audio, hypotheses: hypotheses, nonspeech: nonspeech, of: recognizer.words, source: .domain)
    guard let best = reading.candidates.first else { return self }
    let phrases = own?.source == .biased ? candidates.first { $0.source != .biased } : nil
    let joined = own?.withWordsOfDomain(of: best, keepingPhrasesNotIn: phrases) ?? best
    // The same words stay as the recognizer writes them.
    guard joined.letters != own?.letters else { return self }
    var result = self
    let found = [joined] + reading.candidates.filter { $0.letters != joined.letters }
    result.candidates.removeAll { own in found.contains { $0.letters == own.letters } }
    result.candidates.insert(contentsOf: found, at: 0)
    result.rejected = []
    return result
  }

  /// The words of the best candidate, as a service knows them.
  private var serviceWords: [ServiceHypothesis.Word] {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    return (candidates.first?.words ?? []).map {
      .init(text: $0.text, start: $0.start - offset, end: $0.end - offset, confidence: $0.confidence)
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
    if result.candidates.isEmpty { result.rejected = rejected + result.rejected }
    return result
  }
}

extension RecognizedCandidate {
  /// Letters that the words of the domain have together, at least. Shorter ones are in everyday language too.
  private static let minLetters = 4
  /// The words with those of a reading in their place where the reading has words of the domain.
  /// - Parameter plain: the words without the phrases of the domain that this one's recognizer found, which stay; nil if it found
  ///   none.
  fileprivate func withWordsOfDomain(
    of reading: RecognizedCandidate, keepingPhrasesNotIn plain: RecognizedCandidate?
  ) -> RecognizedCandidate {
    let phrases = plain.map { WordDifference.all(of: texts, and: $0.texts).map(\.words) }
    var joined = self
    for difference in WordDifference.all(of: texts, and: reading.texts).reversed() {
      let (former, new) = (words[difference.words], reading.words[difference.others])
      guard new.reduce(0, { $0 + ($1.isOfDomain ? $1.text.letters.count : 0) }) >= Self.minLetters,
        phrases?.contains(where: { $0.overlaps(difference.words) }) != true
      else { continue }
      joined.words.replaceSubrange(difference.words, with: Self.written(new, like: former))
      joined.source = reading.source
      joined.confidence = reading.confidence
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
    _ words: ArraySlice<RecognizedWord>, like former: ArraySlice<RecognizedWord>
  ) -> [RecognizedWord] {
    var written = Array(words)
    guard let first = former.first, let last = former.last else { return written }
    if former.startIndex == 0, first.text.first?.isUppercase == true {
      written[0].text = written[0].text.prefix(1).uppercased() + written[0].text.dropFirst()
    }
    let mark = last.text.reversed().prefix { ".,!?;:".contains($0) }.reversed()
    written[written.count - 1].text += String(mark)
    return written
  }

  private var texts: [String] { words.map(\.text) }

  /// The words without marks and capitals.
  fileprivate var letters: [String] { texts.map(\.letters) }
}
