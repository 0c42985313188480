import RecognitionProtocol

/// Better times for the words of a recognizer that knows them roughly. Words and their order stay as they are.
struct WordTimes {
  /// Seconds.
  typealias Span = (start: Double, end: Double)
  /// Texts, each a list of words, and the times of their words.
  typealias Texts = [[(text: String, span: Span)]]

  /// Seconds that hold no speech, in order.
  var nonspeech: [ClosedRange<Double>]

  /// The times that another recognizer finds for the words in the audio. Where it finds none, words keep their times outside
  /// of what is no speech.
  /// - Parameters:
  ///   - texts: the likeliest first. The times of the others move as the times of this one do.
  ///   - align: asks the other recognizer to align texts with the audio; nil if none knows the language.
  /// - Returns: for each text the times of its words, in order.
  func spans(
    of texts: Texts, _ align: (([[String]]) throws -> [ServiceHypothesis])?
  ) -> [[Span]] {
    // A false word would be moved to where something was said.
    guard let best = texts.first, let align,
      case let spoken = best.indices.filter({ !isOutsideSpeech(best[$0].span) }), !spoken.isEmpty,
      case let words = spoken.map({ best[$0].text }), let found = try? align([words]).first,
      // Another recognizer may say when words were said, but not which.
      found.words.map(\.text) == words
    else { return texts.map { Self.ordered($0.map { limited($0.span) }) } }
    var moves = TimeMap()
    for (index, word) in zip(spoken, found.words) {
      moves.add(best[index].span.start, word.start)
      moves.add(best[index].span.end, word.end)
    }
    var spans = texts.map { text in
      text.map { isOutsideSpeech($0.span) ? $0.span : Span(moves[$0.span.start], moves[$0.span.end]) }
    }
    for (index, word) in zip(spoken, found.words) { spans[0][index] = Span(word.start, word.end) }
    return spans.map(Self.ordered)
  }

  private func isOutsideSpeech(_ span: Span) -> Bool {
    nonspeech.contains { $0.contains((span.start + span.end) / 2) }
  }

  /// The part of a word around its middle that is not outside speech.
  private func limited(_ span: Span) -> Span {
    let middle = (span.start + span.end) / 2
    var limited = span
    for range in nonspeech {
      if range.upperBound <= middle { limited.start = max(limited.start, range.upperBound) }
      if range.lowerBound >= middle { limited.end = min(limited.end, range.lowerBound) }
    }
    return limited
  }

  /// Each word begins where the one before it ends, or later.
  private static func ordered(_ spans: [Span]) -> [Span] {
    var reached = 0.0
    return spans.map { span in
      let start = max(reached, span.start)
      reached = max(start, span.end)
      return (start, reached)
    }
  }
}

/// Moves times as other times were moved, and times between them by the same share.
private struct TimeMap {
  /// In order.
  private var moves: [(from: Double, to: Double)] = []

  /// A time that is not after the last one is left out.
  mutating func add(_ time: Double, _ moved: Double) {
    if let last = moves.last, time <= last.from { return }
    moves.append((time, moved))
  }

  subscript(time: Double) -> Double {
    guard let next = moves.firstIndex(where: { $0.from >= time }) else { return moves.last?.to ?? time }
    let (after, before) = (moves[next], next > 0 ? moves[next - 1] : moves[next])
    guard after.from > before.from else { return after.to }
    return before.to + (after.to - before.to) * (time - before.from) / (after.from - before.from)
  }
}

extension ServiceConfiguration {
  /// The hypotheses with better times for their words, and with the phrases of a biased search only where the sound supports
  /// them.
  /// - Parameters:
  ///   - nonspeech: ranges of the audio that hold no speech.
  ///   - align: asks another recognizer to align texts with the audio of the hypotheses.
  func timed(
    _ hypotheses: [ServiceHypothesis], nonspeech: [Range<Int>],
    _ align: @escaping ([[String]], ServiceConfiguration) throws -> [ServiceHypothesis]
  ) -> [ServiceHypothesis] {
    guard model.recognizer.assistant?.tasks.contains(.times) == true, hypotheses.first?.words.isEmpty == false
    else { return hypotheses }
    let align = forAlignment.map { aligner in { try align($0, aligner) } }
    let hypotheses = PhraseWitness.confirmed(hypotheses, ofLongList: expectsLongList, align)
    let spans = WordTimes(nonspeechSamples: nonspeech).spans(
      of: hypotheses.map { $0.words.map { ($0.text, ($0.start, $0.end)) } }, align)
    var timed = hypotheses
    for (index, spans) in spans.enumerated() {
      for (place, span) in spans.enumerated() {
        timed[index].words[place].start = span.start
        timed[index].words[place].end = span.end
      }
    }
    return timed
  }
}

extension WordTimes {
  /// - Parameter nonspeechSamples: ranges of samples that hold no speech.
  fileprivate init(nonspeechSamples: [Range<Int>]) {
    let rate = Double(SpeechSegmenter.sampleRate)
    nonspeech = nonspeechSamples.map { Double($0.lowerBound) / rate...Double($0.upperBound) / rate }
  }
}

extension RecognizedUtterance {
  /// The utterance with better times for its words, and with the phrases of a biased search only where the sound supports them.
  /// - Parameters:
  ///   - configuration: the one by which it was recognized.
  ///   - align: asks another recognizer to align texts with the audio.
  func timed(
    of configuration: ServiceConfiguration,
    _ align: @escaping (UtteranceAudio, [[String]], ServiceConfiguration) throws -> [ServiceHypothesis]
  ) -> RecognizedUtterance {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    let hypotheses = candidates.map { candidate in
      var hypothesis = ServiceHypothesis(
        words: candidate.words.map { word in
          var own = ServiceHypothesis.Word(
            text: word.text, start: word.start - offset, end: word.end - offset,
            confidence: word.confidence, probability: word.probability)
          if word.isSpaced { own.isSpaced = true }
          if word.isOfDomain { own.isOfDomain = true }
          return own
        }, confidence: candidate.confidence, source: candidate.source)
      hypothesis.election = candidate.election
      return hypothesis
    }
    let local = (nonspeech ?? []).map { $0.lowerBound - audio.start..<$0.upperBound - audio.start }
    var result = self
    result.candidates = configuration.timed(hypotheses, nonspeech: local) { try align(audio, $0, $1) }
      .map { timed in
        RecognizedCandidate(
          words: RecognizedWord.words(of: timed, offset: offset), confidence: timed.confidence,
          source: timed.source, election: timed.election)
      }
    return result
  }
}
