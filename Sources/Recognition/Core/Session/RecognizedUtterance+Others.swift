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
      result = result.withDomain(
        by: reader.model.recognizer, spelling: DomainSpelling(reader),
        { try ask(audio, .terms(in: $0), reader) },
        // Another service for live speech would load the model once more.
        hear: { configuration.mode == .stream ? [] : try ask(audio, .align($0), configuration) })
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
  ///   - hear: asks the recognizer that wrote the words how likely texts are.
  func withDomain(
    by recognizer: Recognizer, spelling: @autoclosure () -> DomainSpelling = DomainSpelling(),
    _ find: ([ServiceHypothesis.Word]) throws -> [ServiceHypothesis],
    hear: ([[String]]) throws -> [ServiceHypothesis] = { _ in [] }
  ) -> RecognizedUtterance {
    guard hasSpeech, let own = candidates.first, own.source != .domain,
      let hypotheses = try? find(serviceWords), !hypotheses.isEmpty
    else { return self }
    let spelling = spelling()
    let found = hypotheses.compactMap { hypothesis in
      RecognizedUtterance(
        audio: audio, hypotheses: [hypothesis], nonspeech: nonspeech, of: recognizer.words, source: .domain
      ).candidates.first.map { (candidate: $0, isSure: hypothesis.source == .domain) }
    }
    let possible = found.filter { !$0.isSure }.map(\.candidate)
    let joined = own.withWordsOfDomain(
      found.filter(\.isSure).map(\.candidate) + heard(possible, spelling, hear), spelling)
    // The same words stay as the recognizer writes them.
    guard joined.letters != own.letters else { return self }
    var result = self
    result.candidates.removeAll { $0.letters == joined.letters }
    result.candidates.insert(joined, at: 0)
    return result
  }

  /// Those of some candidates with words of the domain that the recognizer that wrote the best one finds likely enough, the likeliest
  /// first.
  private func heard(
    _ possible: [RecognizedCandidate], _ spelling: DomainSpelling,
    _ hear: ([[String]]) throws -> [ServiceHypothesis]
  ) -> [RecognizedCandidate] {
    guard let own = candidates.first, !possible.isEmpty else { return [] }
    // A name that a vocabulary writes small is unlikely to the recognizer, however it sounds.
    let texts =
      [own.texts] + possible.map { own.withWordsOfDomain([$0], spelling, keepsCapitals: true).texts }
    guard let heard = try? hear(texts), heard.count == texts.count, let former = heard[0].score else {
      return []
    }
    return zip(possible, heard.dropFirst())
      .compactMap { candidate, heard in heard.score.map { (candidate: candidate, score: $0 - former) } }
      .filter { ReplacementEvidence.isEnough(heard: $0.score) }
      .sorted { $0.score > $1.score }.map(\.candidate)
  }

  /// The words of the best candidate, as a service knows them.
  private var serviceWords: [ServiceHypothesis.Word] {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    return candidates.first?.words.map { word in
      var found = ServiceHypothesis.Word(
        text: word.text, start: word.start - offset, end: word.end - offset, confidence: word.confidence)
      found.isOfDomain = word.isOfDomain
      return found
    } ?? []
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
  /// The words with those of other candidates in their place where these have words of the domain; the first ones' go first.
  fileprivate func withWordsOfDomain(
    _ found: [RecognizedCandidate], _ spelling: DomainSpelling, keepsCapitals: Bool = false
  ) -> RecognizedCandidate {
    var joined = self
    var places: [(range: Range<Int>, words: [RecognizedWord])] = []
    for candidate in found {
      for difference in WordDifference.all(of: texts, and: candidate.texts) {
        let new = candidate.words[difference.others]
        guard new.contains(where: \.isOfDomain),
          !places.contains(where: { $0.range.overlaps(difference.words) })
        else { continue }
        let spelled = new.map { word in
          var word = word
          if word.isOfDomain { word.text = spelling.written(word.text) }
          return word
        }
        places.append(
          (difference.words, Self.written(spelled, like: words[difference.words], keepsCapitals)))
        (joined.source, joined.confidence, joined.election) = (candidate.source, candidate.confidence, nil)
      }
    }
    for place in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      joined.words.replaceSubrange(place.range, with: place.words)
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

  /// The words with the mark that ended the former ones, and with a capital if they begin the text with one, or anywhere.
  private static func written(
    _ words: [RecognizedWord], like former: ArraySlice<RecognizedWord>, _ keepsCapitals: Bool
  ) -> [RecognizedWord] {
    var written = words
    guard let first = former.first, let last = former.last else { return written }
    if former.startIndex == 0 || keepsCapitals, first.text.first?.isUppercase == true {
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
