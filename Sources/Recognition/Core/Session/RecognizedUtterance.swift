import Foundation
import SentenceFormatting
import RecognitionProtocol

/// Why a word is removed.
package enum Rejection: String, Sendable {
  case noSpeech = "no-speech"
  case loneWord = "lone-word"
  case fewWords = "few-words"
  case unsure, loop, repetition
}

/// A recognized word, on the clock of the audio.
package struct RecognizedWord: Sendable, Hashable, TimedWord {
  package var text: String
  /// Seconds from the start of the audio.
  package var start: TimeInterval
  /// Seconds from the start of the audio.
  package var end: TimeInterval
  /// 0 to 1; 0 in a hypothesis that may still change, and nil if the recognizer has none.
  package var confidence: Double?
  /// The probability that the word is right, 0 to 1; nil if the recognizer is not calibrated.
  var probability: Double?
  /// Whether it is known as a word of the domain.
  var isOfDomain = false
  /// Whether a space is before it, in writing that has none between words.
  package var isSpaced = false
  /// Why it was removed; nil for a word that stands.
  package var rejection: Rejection?

  package init(
    text: String, start: TimeInterval, end: TimeInterval, confidence: Double?, probability: Double? = nil,
    isOfDomain: Bool = false
  ) {
    (self.text, self.start, self.end) = (text, start, end)
    (self.confidence, self.probability, self.isOfDomain) = (confidence, probability, isOfDomain)
  }

  /// A service's words, `offset` seconds later.
  static func words(of hypothesis: ServiceHypothesis, offset: Double) -> [RecognizedWord] {
    hypothesis.words.map { word in
      var recognized = RecognizedWord(
        text: word.text, start: offset + word.start, end: offset + word.end, confidence: word.confidence,
        probability: word.probability, isOfDomain: word.isOfDomain == true)
      recognized.isSpaced = word.isSpaced == true
      return recognized
    }
  }
}

/// One hypothesis of an utterance.
package struct RecognizedCandidate: Sendable, Hashable {
  package var words: [RecognizedWord]
  /// 0 to 1; nil if the recognizer has none.
  package var confidence: Double?
  /// How the recognizer came to it.
  package var source = ServiceHypothesis.Source.best
  /// How much likelier than the outvoted text an elected one is, as a logarithm.
  package var election: Double?
  /// The text as a transcriber writes it; empty before.
  package var text = ""
}

extension RecognizedCandidate {
  /// The number of words, each weighted with its confidence; nil if a word has none.
  fileprivate var support: Double? {
    words.reduce(0) { sum, word in sum.flatMap { sum in word.confidence.map { sum + $0 } } }
  }
}

/// An utterance and its hypotheses. A transcriber's results carry it as the transcriber writes it, for programs of this
/// package; Apple's framework has no such thing.
package struct RecognizedUtterance: Sendable, Hashable {
  /// Samples of speech that may have no words, before another recognizer is asked.
  private static let maxWordlessSpeech = SpeechSegmenter.sampleRate
  /// Seconds. Shorter utterances count as this long.
  private static let minDuration = 0.3
  /// Letters per second.
  private static let fewLetters = 8.0
  /// The share of the letters of two texts that differ, where they are of the same words.
  private static let maxDifference = 0.3

  package var audio: UtteranceAudio
  /// The best first; empty if no word was recognized.
  package var candidates: [RecognizedCandidate]
  /// The ranges that hold no speech; nil if this is not known.
  var nonspeech: [Range<Int>]?
  /// The words of the best hypothesis that were removed.
  package var rejected: [RecognizedWord] = []
  /// The seconds of the audio in which somebody speaks; empty before the utterance is complete.
  package var speech: [ClosedRange<TimeInterval>] = []
  /// The language (BCP 47), where it may change in a recording; else nil.
  package var language: String?
  /// The probability of the language, 0 to 1, in the first words of a recording whose language was detected; else nil.
  package var languageProbability: Double?
  /// Another language (BCP 47) that the utterance clearly sounds like; nil if there is none.
  package var otherLanguage: String?

  /// Samples of speech.
  private var speechLength: Int { audio.speechLength(without: nonspeech) }

  var hasSpeech: Bool { speechLength > 0 }

  /// Whether words are missing. Neural models sometimes leave out whole sentences.
  var isWithoutWords: Bool { candidates.isEmpty && speechLength > Self.maxWordlessSpeech }

  /// Whether its text is much too short for the time in which somebody speaks. Letters as an alphabet has them: usual speech has
  /// twelve to fifteen in a second.
  var hasLittleText: Bool {
    let seconds = Double(speechLength) / Double(SpeechSegmenter.sampleRate)
    return seconds >= Self.minDuration
      && Double(letters.reduce(0) { $0 + $1.weight }) < Self.fewLetters * seconds
  }

  /// Whether another utterance has nearly the same text.
  func saysAlmost(_ other: RecognizedUtterance) -> Bool {
    let (one, two) = (letters, other.letters)
    let differences = one.difference(from: two).count
    return !one.isEmpty && !two.isEmpty
      && Double(differences) <= Self.maxDifference * Double(one.count + two.count)
  }

  /// The letters and numbers of the best text.
  var letters: [Unicode.Scalar] {
    (candidates.first?.words ?? []).flatMap { $0.text.letters.unicodeScalars }
  }

  /// The samples with speech. If no word was recognized, the audio is judged once more, without the margins that
  /// the edges of words need: a breath is no speech.
  private func spoken(by policy: WordPolicy) -> [Range<Int>] {
    guard hasSpeech else { return [] }
    if nonspeech != nil, candidates.isEmpty, let voice = policy.voice,
      var classifier = VoiceClassifier.installed(threshold: voice)
    {
      return classifier.voices(in: audio)
    }
    return Array(RangeSet(audio.range).subtracting(RangeSet(nonspeech ?? [])).ranges)
  }

  /// Where the utterance ends, in seconds.
  package var end: TimeInterval { Double(audio.range.upperBound) / Double(SpeechSegmenter.sampleRate) }

  /// What other candidates have at the time of a word of the candidate at `index`: words whose middle lies
  /// within it, the likeliest candidate's first, without repetitions.
  package func alternatives(toWord wordIndex: Int, ofCandidate index: Int) -> [String] {
    let word = candidates[index].words[wordIndex]
    var found: [String] = []
    for (other, candidate) in candidates.enumerated() where other != index {
      let text = candidate.words
        .filter { (word.start..<word.end).contains(($0.start + $0.end) / 2) }
        .map(\.text).joined(separator: " ")
      // Other marks and capitals are no other word.
      if !text.isEmpty, !(found + [word.text]).contains(where: { $0.letters == text.letters }) {
        found.append(text)
      }
    }
    return found
  }

  /// The samples with a voice, without the margins that the edges of words need; those of speech if no network is installed.
  private func voicedLength(by policy: WordPolicy) -> Int {
    guard let voice = policy.voice, var classifier = VoiceClassifier.installed(threshold: voice) else {
      return speechLength
    }
    return classifier.steps(in: audio).reduce(0) { $0 + $1.count }
  }

  /// The utterance, which says where somebody speaks.
  func withSpeech(by policy: WordPolicy) -> RecognizedUtterance {
    let rate = Double(SpeechSegmenter.sampleRate)
    var result = self
    result.speech = spoken(by: policy).map { Double($0.lowerBound) / rate...Double($0.upperBound) / rate }
    for (index, word) in rejected.enumerated() where candidates.isEmpty {
      let middle = (word.start + word.end) / 2
      if !result.speech.contains(where: { $0.contains(middle) }) {
        result.rejected[index].rejection = .noSpeech
      }
    }
    return result
  }

  /// Whether somebody surely speaks at the time of the words; false if no network is installed.
  private func isSpoken(_ words: [RecognizedWord], by policy: WordPolicy) -> Bool {
    guard policy.voice != nil, let first = words.first, let last = words.last else { return false }
    let rate = Double(SpeechSegmenter.sampleRate)
    return VoiceClassifier.isSure(of: Int(first.start * rate)..<Int(last.end * rate), in: audio)
  }

  /// Without false words: those in `nonspeech`, unless the recognizer is sure of the utterance, and all of them if it is
  /// sure of hardly any, or if there are hardly any.
  func withoutFalseWords(by policy: WordPolicy = .byConfidence) -> RecognizedUtterance {
    guard let best = candidates.first, let nonspeech else { return self }
    let rate = Double(SpeechSegmenter.sampleRate)
    let seconds = max(Self.minDuration, Double(audio.samples.count) / rate)
    var isUnsupported = false
    if let bounds = policy.support, let support = best.support.map({ $0 / seconds }) {
      let isFast = Double(best.words.count) >= bounds.fastRate * seconds
      if support >= (isFast ? bounds.sureIfFast : bounds.sure) { return self }
      let isSlow = !isFast && seconds > bounds.slowSeconds
      isUnsupported = support < (isSlow ? bounds.minIfSlow : bounds.min)
    }
    var result = self
    for index in candidates.indices {
      result.candidates[index].words.removeAll { word in
        let middle = Int((word.start + word.end) / 2 * rate)
        return isUnsupported || nonspeech.contains { $0.contains(middle) }
      }
    }
    let left = result.candidates.first?.words ?? []
    let unbiased = result.candidates.first { $0.source != .biased }?.words ?? left
    let count = left.reduce(0) { $0 + $1.spokenCount }
    func isTooFew(in samples: Int) -> Bool {
      Double(count) < policy.minRate * max(Self.minDuration, Double(samples) / rate)
    }
    let isUnsure = count == 1 && unbiased.allSatisfy { ($0.confidence ?? 1) < policy.minLoneConfidence }
    let rejection: Rejection? =
      if left.isEmpty {
        isUnsupported && hasSpeech ? .unsure : .noSpeech
      } else if !isUnsure, !isTooFew(in: speechLength) {
        nil
      } else if !isSpoken(left, by: policy) {
        // The audio decides first: where somebody surely speaks, unsure words stay.
        isUnsure ? .loneWord : .fewWords
      } else {
        isTooFew(in: voicedLength(by: policy)) ? .fewWords : nil
      }
    result.candidates = rejection == nil ? result.candidates.filter { !$0.words.isEmpty } : []
    let removed = rejection == nil ? best.words.filter { !left.contains($0) } : best.words
    result.rejected += removed.rejected(by: rejection ?? .noSpeech)
    return result
  }
}

extension RecognizedUtterance {
  /// A service's hypotheses for an utterance, on the clock of the whole audio.
  /// - Parameters:
  ///   - audio: the utterance.
  ///   - hypotheses: the best first.
  ///   - nonspeech: ranges that hold no speech; nil if this is not known.
  ///   - policy: what words need to be kept.
  ///   - source: how the words were found; nil for what each hypothesis says.
  init(
    audio: UtteranceAudio, hypotheses: [ServiceHypothesis], nonspeech: [Range<Int>]?, of policy: WordPolicy,
    source: ServiceHypothesis.Source? = nil
  ) {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    // A network whose decoder is stuck writes the same words again and again; its service has tried to do better.
    let possible = hypotheses.filter { !policy.rejectsLoops || !RepetitionCheck.hasLoop($0.words) }
    var echoes: [ServiceHypothesis.Word] = []
    self.init(
      audio: audio,
      candidates: possible.filter { !$0.words.isEmpty }.map { hypothesis in
        var hypothesis = hypothesis
        if policy.rejectsLoops {
          let (kept, removed) = RepetitionCheck.withoutEchoes(hypothesis.words)
          if hypothesis == possible.first { echoes = removed }
          hypothesis.words = kept
        }
        return RecognizedCandidate(
          words: RecognizedWord.words(of: hypothesis, offset: offset), confidence: hypothesis.confidence,
          source: source ?? hypothesis.source, election: hypothesis.election)
      }, nonspeech: nonspeech)
    let removed = possible.isEmpty ? hypotheses.first : ServiceHypothesis(words: echoes, confidence: nil)
    if let removed {
      rejected = RecognizedWord.words(of: removed, offset: offset)
        .rejected(by: possible.isEmpty ? .loop : .repetition)
    }
    self = withoutFalseWords(by: policy)
    for index in candidates.indices { candidates[index].words.calibrate() }
  }
}

extension RecognizedWord {
  /// The number of words as which it was said: "7399" is four, and so is a word that is spelled, such as "M-E-S-A" or "U.S.A.F.".
  var spokenCount: Int {
    let parts = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
    return max(1, parts.reduce(0) { $0 + max(1, $1.count(where: \.isNumber)) })
  }
}

extension [RecognizedWord] {
  /// The words, removed by a rule.
  fileprivate func rejected(by rejection: Rejection) -> [RecognizedWord] {
    map { word in
      var word = word
      word.rejection = rejection
      return word
    }
  }

  /// The probability of a word becomes its confidence.
  fileprivate mutating func calibrate() {
    for index in indices { self[index].confidence = self[index].probability ?? self[index].confidence }
  }
}

extension Unicode.Scalar {
  /// The letters of an alphabet that take as long to say; a figure is a word. Some ideographs are numbers, too.
  fileprivate var weight: Int { letterCount == 1 && properties.numericType != nil ? 4 : letterCount }
}
