import Foundation
import SpeechServiceProtocol

/// A recognized word, on the clock of the audio.
struct RecognizedWord: Sendable, Equatable {
  var text: String
  /// Seconds from the start of the audio.
  var start: TimeInterval
  /// Seconds from the start of the audio.
  var end: TimeInterval
  /// 0 to 1; 0 in a hypothesis that may still change, and nil if the recognizer has none.
  var confidence: Double?
  /// The probability that the word is right, 0 to 1; nil if the recognizer is not calibrated.
  var probability: Double?

  /// A service's words, `offset` seconds later.
  static func words(of hypothesis: ServiceHypothesis, offset: Double) -> [RecognizedWord] {
    hypothesis.words.map { word in
      RecognizedWord(
        text: word.text, start: offset + word.start, end: offset + word.end, confidence: word.confidence,
        probability: word.probability)
    }
  }
}

/// One hypothesis of an utterance.
struct RecognizedCandidate: Sendable, Equatable {
  var words: [RecognizedWord]
  /// 0 to 1; nil if the recognizer has none.
  var confidence: Double?
  /// How the recognizer came to it.
  var source = ServiceHypothesis.Source.best
}

extension RecognizedCandidate {
  /// The number of words, each weighted with its confidence; nil if a word has none.
  fileprivate var support: Double? {
    words.reduce(0) { sum, word in sum.flatMap { sum in word.confidence.map { sum + $0 } } }
  }
}

/// An utterance and its hypotheses.
struct RecognizedUtterance: Sendable {
  /// Words per second, weighted by confidence, that an utterance of speech has at least. Measured: utterances
  /// with one right word have 0.7 and more in quiet; what a recognizer finds in music has 0.5 and less.
  private static let minSupport = 0.4
  /// Above this, words stay whatever the audio sounds like. Measured: 97 % of the embedded recognizer's words in 15 minutes
  /// of readers, prompts and orders are in such utterances.
  private static let sureSupport = 1.0
  /// As `sureSupport`, where words follow each other as fast as people speak. Noise makes speech sound less like speech, and
  /// the recognizer less sure, but its words keep their pace. Measured: speech with fans, animals and music 10 dB
  /// below it has 2.0 words per second and more; what the recognizer finds in music with this support has 1.5 and less.
  private static let fastSupport = 0.6
  /// Words per second.
  private static let fastRate = 1.9
  /// As `minSupport`, in utterances of more than `slowSeconds` whose words come slower than that. Measured: among clips of
  /// speech with fans, animals and music 10 dB below it none has less; what hens said had 0.65.
  private static let slowSupport = 0.7
  private static let slowSeconds = 3.0
  /// Words per second of speech that a neural model finds at least. Measured: none of 260 utterances of the same recordings
  /// has fewer than 0.8; what toy models find in music and animals has 0.5 and less.
  private static let minRate = 0.6
  /// The least confidence that a neural model, if it tells one, has in the only word of an utterance. If that word is a
  /// phrase of a vocabulary, the confidence is that of the word it replaced.
  private static let minLoneConfidence = 0.5
  /// Samples of speech that may have no words, before another recognizer is asked.
  private static let maxWordlessSpeech = SpeechSegmenter.sampleRate
  /// Seconds. Shorter utterances count as this long.
  private static let minDuration = 0.3

  var audio: UtteranceAudio
  /// The best first; empty if no word was recognized.
  var candidates: [RecognizedCandidate]
  /// The ranges that hold no speech; nil if this is not known.
  var nonspeech: [Range<Int>]?
  /// The words that were recognized and rejected, if there are no candidates.
  var rejected: [RecognizedWord] = []

  /// Whose words they are. It decides what they need to stand.
  enum Origin {
    /// The embedded recognizer, which is less sure of words that were not said.
    case embedded
    /// A model of the user, which can be sure of them: the sound decides.
    case neural
    /// The embedded recognizer, for speech in which a model of the user found no words.
    case secondTry
  }

  /// Samples of speech.
  private var speechLength: Int { audio.samples.count - (nonspeech ?? []).reduce(0) { $0 + $1.count } }

  /// Whether words are missing. Neural models sometimes leave out whole sentences.
  var isWithoutWords: Bool { candidates.isEmpty && speechLength > Self.maxWordlessSpeech }

  /// Where the utterance ends, in seconds.
  var end: TimeInterval { Double(audio.range.upperBound) / Double(SpeechSegmenter.sampleRate) }

  /// What other candidates have at the time of a word of the candidate at `index`: words whose middle lies
  /// within it, the likeliest candidate's first, without repetitions.
  func alternatives(toWord wordIndex: Int, ofCandidate index: Int) -> [String] {
    let word = candidates[index].words[wordIndex]
    var found: [String] = []
    for (other, candidate) in candidates.enumerated() where other != index {
      let text = candidate.words
        .filter { (word.start..<word.end).contains(($0.start + $0.end) / 2) }
        .map(\.text).joined(separator: " ")
      if !text.isEmpty, text != word.text, !found.contains(text) { found.append(text) }
    }
    return found
  }

  /// Without false words: those in `nonspeech`, unless the recognizer is sure of the utterance, and all of them if it is
  /// sure of hardly any, or if there are hardly any.
  func withoutFalseWords(of origin: Origin = .embedded) -> RecognizedUtterance {
    guard let best = candidates.first, let nonspeech else { return self }
    let rate = Double(SpeechSegmenter.sampleRate)
    let seconds = max(Self.minDuration, Double(audio.samples.count) / rate)
    let support = origin == .neural ? nil : best.support.map { $0 / seconds }
    let isFast = origin == .embedded && Double(best.words.count) >= Self.fastRate * seconds
    if let support, support >= (isFast ? Self.fastSupport : Self.sureSupport) { return self }
    let isSlow = origin == .embedded && !isFast && seconds > Self.slowSeconds
    let minSupport =
      origin == .secondTry ? Self.sureSupport : isSlow ? Self.slowSupport : Self.minSupport
    let isUnsupported = support.map { $0 < minSupport } ?? false
    var result = self
    for index in candidates.indices {
      result.candidates[index].words.removeAll { word in
        let middle = Int((word.start + word.end) / 2 * rate)
        return isUnsupported || nonspeech.contains { $0.contains(middle) }
      }
    }
    let left = result.candidates.first?.words ?? []
    let unbiased = result.candidates.first { $0.source != .biased }?.words ?? left
    let isGuess =
      origin == .neural && left.count == 1
      && unbiased.allSatisfy { ($0.confidence ?? 1) < Self.minLoneConfidence }
    let count = isGuess ? 0 : left.count
    let minCount = origin == .neural ? Self.minRate * max(Self.minDuration, Double(speechLength) / rate) : 1
    result.candidates =
      count > 0 && Double(count) >= minCount ? result.candidates.filter { !$0.words.isEmpty } : []
    if result.candidates.isEmpty { result.rejected = best.words }
    return result
  }
}

extension RecognizedUtterance {
  /// A service's hypotheses for an utterance, on the clock of the whole audio.
  /// - Parameters:
  ///   - audio: the utterance.
  ///   - hypotheses: the best first.
  ///   - nonspeech: ranges that hold no speech; nil if this is not known.
  ///   - origin: whose hypotheses they are.
  init(
    audio: UtteranceAudio, hypotheses: [ServiceHypothesis], nonspeech: [Range<Int>]?, of origin: Origin
  ) {
    let offset = Double(audio.start) / Double(SpeechSegmenter.sampleRate)
    // A network whose decoder is stuck writes the same words again and again; its service has tried to do better.
    let possible = hypotheses.filter { origin != .neural || !RepetitionCheck.hasLoop($0.words) }
    self.init(
      audio: audio,
      candidates: possible.filter { !$0.words.isEmpty }.map { hypothesis in
        RecognizedCandidate(
          words: RecognizedWord.words(of: hypothesis, offset: offset), confidence: hypothesis.confidence,
          source: origin == .secondTry ? .embedded : hypothesis.source)
      }, nonspeech: nonspeech)
    if possible.isEmpty, let loop = hypotheses.first {
      rejected = RecognizedWord.words(of: loop, offset: offset)
    }
    self = withoutFalseWords(of: origin)
    for index in candidates.indices { candidates[index].words.calibrate() }
  }

  /// The words that another recognizer finds, if words are missing and it is sure of its own; otherwise this utterance.
  /// - Parameter decode: asks the other recognizer.
  func withSecondTry(_ decode: (UtteranceAudio) throws -> [ServiceHypothesis]) -> RecognizedUtterance {
    guard isWithoutWords, let hypotheses = try? decode(audio) else { return self }
    var result = RecognizedUtterance(
      audio: audio, hypotheses: hypotheses, nonspeech: nonspeech, of: .secondTry)
    if result.candidates.isEmpty { result.rejected = rejected + result.rejected }
    return result
  }
}

extension [RecognizedWord] {
  /// The probability of a word becomes its confidence.
  fileprivate mutating func calibrate() {
    for index in indices { self[index].confidence = self[index].probability ?? self[index].confidence }
  }
}

extension ServiceConfiguration {
  /// Whose words a service with this configuration finds.
  var origin: RecognizedUtterance.Origin { model == nil ? .embedded : .neural }
}
