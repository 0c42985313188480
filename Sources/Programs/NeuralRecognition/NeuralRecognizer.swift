import Foundation
import ServiceSupport
import RecognitionProtocol

/// The audio that a neural recognizer takes.
package enum RecognitionLimits {
  /// The longest utterance, in seconds. The memory of some networks grows with the square of it.
  package static let maxSeconds = 30
  package static let sampleRate = 16_000
  /// The shortest utterance that can hold a word, in samples.
  static let shortest = sampleRate / 10
}

/// A recognizer whose words come from the tokens of a neural network. Use it from one thread at a time.
package final class NeuralRecognizer<Engine: NeuralEngine>: ServiceRecognizer {
  let engine: Engine
  private let assembly: WordAssembly
  private let memory: MemoryLimit
  private(set) var configuration: ServiceConfiguration
  private var utterance: [Int16] = []
  /// What so many samples of the utterance are, decoded in a pause.
  private var ahead: (samples: Int, hypotheses: [ServiceHypothesis])?
  private var live: (any LiveDecoding)?
  private var pace: PartialPace
  private var lastPartial = ""
  /// The language of what was decoded last, if the engine found it.
  private var language: ServiceHypothesis.Language?

  package init(configuration: ServiceConfiguration) throws(NeuralError) {
    engine = try Engine(configuration: configuration)
    self.configuration = configuration
    assembly = WordAssembly(hasMarks: engine.capabilities.hasMarks)
    pace = PartialPace(engine.capabilities.pace)
    if configuration.mode == .stream { try Self.warm(engine) }
    memory = MemoryLimit()
  }

  var capabilities: NeuralCapabilities { engine.capabilities }

  package var description: ServiceReply.Description {
    .init(
      engine: Engine.recognizer.id, version: Engine.version, model: configuration.model.folder,
      locale: configuration.locale, capabilities: capabilities.service, missing: Engine.missing)
  }

  package var isExhausted: Bool { memory.isExceeded }

  package func reconfigure(_ wanted: ServiceConfiguration) throws(NeuralError) -> Bool {
    guard wanted.model == configuration.model, engine.reconfigure(wanted, from: configuration) else {
      return false
    }
    configuration = wanted
    return true
  }

  package func begin() {
    abandon()
    lastPartial = ""
    pace = PartialPace(capabilities.pace, cost: pace.measuredCost)
    if configuration.mode == .stream { live = engine.live() }
  }

  package func append(_ samples: [Int16]) -> ServiceHypothesis? {
    // More than the limit fails at the end.
    guard utterance.count <= RecognitionLimits.maxSeconds * RecognitionLimits.sampleRate else { return nil }
    utterance += samples
    guard configuration.mode == .stream, utterance.count >= RecognitionLimits.shortest else { return nil }
    if let live {
      live.append(
        utterance.count - samples.count < RecognitionLimits.shortest
          ? Self.floats(utterance) : Self.floats(samples))
      return partial(words(live.tokens, samples: utterance.count))
    }
    guard pace.isDue(at: utterance.count) else { return nil }
    let start = DispatchTime.now().uptimeNanoseconds
    let window = Self.floats(utterance[pace.anchor...])
    guard let found = try? decode(window, .unfinished) else { return nil }
    let offset = Double(pace.anchor) / Double(RecognitionLimits.sampleRate)
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    return partial(pace.add(found.map { $0.moved(by: offset) }, length: utterance.count, seconds: seconds))
  }

  /// Whether the utterance is neither too short for a word nor too long for the networks.
  private var canBeDecoded: Bool {
    let longest = RecognitionLimits.maxSeconds * RecognitionLimits.sampleRate
    return (RecognitionLimits.shortest...longest).contains(utterance.count)
  }

  package func pause() {
    guard live == nil, canBeDecoded, ahead?.samples != utterance.count else { return }
    // What fails now may not be asked for, or fails again.
    ahead = (try? hypotheses(Self.floats(utterance), request)).map { (utterance.count, $0) }
  }

  package func finish() throws(NeuralError) -> [ServiceHypothesis] {
    defer { abandon() }
    guard utterance.count >= RecognitionLimits.shortest else { return [] }
    guard utterance.count <= RecognitionLimits.maxSeconds * RecognitionLimits.sampleRate else {
      throw .tooLong(seconds: RecognitionLimits.maxSeconds)
    }
    let samples = Self.floats(utterance)
    let found: [ServiceHypothesis]
    if let live {
      found = [ServiceHypothesis(words: words(live.finish(), samples: utterance.count), source: .best)]
    } else if let ahead, ahead.samples == utterance.count {
      found = ahead.hypotheses
    } else {
      found = try hypotheses(samples, request)
    }
    let language = language
    var candidates = try candidates(found, samples: samples)
    if candidates.isEmpty, language != nil {
      candidates = [ServiceHypothesis(words: [], confidence: nil)]
    }
    return candidates.map { candidate in
      var hypothesis = candidate
      hypothesis.language = language
      if let calibration = engine.calibration(of: candidate.words, detected: language) {
        hypothesis.words = calibration.calibrated(
          candidate.words, beside: found, isWhole: engine.isWhole)
      }
      return hypothesis
    }
  }

  package func align(_ texts: [[String]]) throws(NeuralError) -> [ServiceHypothesis] {
    defer { abandon() }
    let none = ServiceHypothesis(words: [], confidence: nil)
    guard canBeDecoded,
      let scores = try engine.scores(
        of: texts.map { " " + $0.joined(separator: " ") }, in: Self.floats(utterance)),
      scores.count == texts.count
    else { return texts.map { _ in none } }
    return scores.map { score in
      var hypothesis = none
      hypothesis.score = score.isFinite ? score : nil
      return hypothesis
    }
  }

  /// What is wanted of the first decoding of an utterance.
  private var request: DecodingRequest {
    guard capabilities.listsHypotheses else { return .greedy }
    // Confidence depends on all of them, however few are wanted.
    return DecodingRequest(
      beams: capabilities.beams, count: max(capabilities.beams, configuration.alternatives),
      phrases: configuration.contextualStrings)
  }

  package func abandon() {
    utterance = []
    ahead = nil
    live = nil
  }

  /// Decodes audio, which may be a part of the utterance.
  /// - Returns: the words, with times in the audio.
  func decode(_ samples: [Float], _ request: DecodingRequest) throws(NeuralError) -> [ServiceHypothesis.Word]
  {
    try hypotheses(samples, request).first?.words ?? []
  }

  /// Decodes audio.
  /// - Returns: the hypotheses, with times in the audio.
  private func hypotheses(
    _ samples: [Float], _ request: DecodingRequest
  ) throws(NeuralError) -> [ServiceHypothesis] {
    // Convolutions need some frames.
    let missing = RecognitionLimits.sampleRate / 2 - samples.count
    let padded = missing > 0 ? samples + [Float](repeating: 0, count: missing) : samples
    let found = try engine.decode(padded, request)
    language = found.first?.language
    let needsSpeech =
      capabilities.tokensLastThroughPauses || found.contains { $0.tokens.contains { $0.start == nil } }
    let speech = needsSpeech ? SpeechEnergy(samples) : nil
    return found.map { tokens in
      var hypothesis = ServiceHypothesis(
        words: words(tokens, samples: samples.count, speech: speech), source: tokens.source)
      (hypothesis.election, hypothesis.share) = (tokens.election, tokens.share)
      if tokens.source == .biased,
        let areOfPhrases = engine.areOfPhrases(hypothesis.words.map(\.text), request.phrases)
      {
        for (index, isOfPhrase) in areOfPhrases.enumerated() {
          hypothesis.words[index].isOfDomain = isOfPhrase
        }
      }
      return hypothesis
    }
  }

  private func words(
    _ tokens: RecognizedTokens, samples: Int, speech: SpeechEnergy? = nil
  ) -> [ServiceHypothesis.Word] {
    let duration = Double(samples) / Double(RecognitionLimits.sampleRate)
    let words = assembly.words(tokens, duration: duration, speech: speech?.extent)
    guard capabilities.tokensLastThroughPauses, let speech else { return words }
    let spoken = words.filter(\.isSpoken)
    return tokens.hasPauses ? spoken : WordTiming.words(spoken, within: speech)
  }

  /// A partial result, if its text is new.
  private func partial(_ words: [ServiceHypothesis.Word]) -> ServiceHypothesis? {
    let confidence: Double? = capabilities.service.hasConfidence ? 0 : nil
    var hypothesis = ServiceHypothesis(words: words, confidence: confidence)
    // Windows overlap a little.
    hypothesis.putInOrder()
    for index in words.indices { hypothesis.words[index].confidence = confidence }
    guard !words.isEmpty, hypothesis.text != lastPartial else { return nil }
    lastPartial = hypothesis.text
    return hypothesis
  }

  /// Decodes a second without speech. An engine for live speech has several threads, which start here: later, the sandbox
  /// refuses it.
  private static func warm(_ engine: Engine) throws(NeuralError) {
    _ = try engine.decode(floats(FaintNoise.trial), .greedy)
  }

  private static func floats(_ samples: some Collection<Int16>) -> [Float] {
    samples.map { Float($0) / 32768 }
  }
}

extension ServiceHypothesis.Word {
  /// Whether it is more than marks: it has letters, or signs that are said.
  var isSpoken: Bool {
    text.contains { $0.isLetter || $0.isNumber || $0.isCurrencySymbol || "&@%+=#°×÷±≈≠≤≥√‰".contains($0) }
  }

  /// The word at another time.
  func moved(by seconds: Double) -> Self {
    var word = self
    word.start = max(0, start + seconds)
    word.end = max(word.start, end + seconds)
    return word
  }
}
