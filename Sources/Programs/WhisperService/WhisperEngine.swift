import Foundation
import NeuralRecognition
import ServiceSupport
import RecognitionProtocol

/// A Whisper model in whisper.cpp.
final class WhisperEngine: NeuralEngine {
  static let recognizer = Recognizer.whisper
  static var version: String { WhisperModel.version }
  static var missing: String? { WhisperModel.hasKernels ? nil : "AVX2" }
  static let framesPerSecond = 50.0
  /// The lengths of the encoder's context. One that fits the audio tightly makes loops.
  private static let contexts = [512, 1024, 1500]
  /// A length for text that is soon replaced: it makes more errors, and takes half the time.
  private static let shortContext = 256
  /// Seconds of the context that stay free.
  private static let margin = 0.4
  /// Seconds of silence that are put before the audio. Where speech begins at once, the model writes the first word small.
  private static let lead = 0.2
  /// Texts that a search follows side by side. Each takes memory and, where the model is in doubt, time.
  private static let beams = 5
  /// The bonus of phrases, as a logarithm: what a phrase of a few letters may be less likely than other words. Where no other
  /// recognizer judges phrases afterwards, it is the whole evidence that they need (docs/measurements.md, "Vocabularies").
  private static let phraseWeight: (english: Float, others: Float) = (1, 2)

  let model: WhisperModel
  /// Asks another network where this one is in doubt.
  private let judge: WhisperJudge?
  /// This network, asked about texts that it did not find.
  private lazy var own = WhisperWitness(model)
  private let rules: TokenRules
  let domain: DomainPhrases
  private lazy var spellings = TokenSpellings((0..<rules.end).map { model.bytes($0) })
  private lazy var tokens = Set((0..<rules.end).map { model.bytes($0) })
  /// By the weight.
  private var tries: [Float: (phrases: [String], trie: PhraseTrie)] = [:]
  /// The code of the language; nil if the model knows English only.
  private var language: String?
  /// Whether each window's language is detected, and that one is the expected one.
  private var detectsLanguage: Bool
  private var translates: Bool
  let capabilities: NeuralCapabilities

  init(configuration: ServiceConfiguration) throws(NeuralError) {
    let folder = configuration.model.folder
    guard !folder.isEmpty else { throw .noModel }
    let file = try Self.file(in: folder)
    // The model works without a witness, too.
    let other = configuration.model.witness.flatMap { try? Self.file(in: $0) }
    // Read now: later the process opens nothing.
    domain = try Self.domain(of: configuration.languageModel)
    // Threads wait for each other by spinning: as many processes with one thread decode more of a file.
    let threads = configuration.mode == .stream ? min(2, ProcessInfo.processInfo.activeProcessorCount) : 1
    guard let model = WhisperModel(file, sequences: 2 * Self.beams, threads: threads) else {
      throw .notLoaded(folder)
    }
    self.model = model
    judge = other.flatMap { WhisperModel($0, sequences: 1, threads: threads) }
      .map { WhisperJudge(model: model, witness: WhisperWitness($0)) }
    let end = Int(model.facts.end_of_text)
    let space = (0..<end).first { model.bytes($0) == [UInt8(ascii: " ")] }
    rules = TokenRules(
      end: end, notFirst: Set([space].compactMap(\.self)), maxTokens: Int(model.facts.text_tokens) / 2)
    var capabilities = NeuralCapabilities(
      .init(
        prefersPhrases: true, hasConfidence: true, isPunctuated: true, isLive: false, bindsLanguage: false))
    capabilities.beams = Self.beams
    capabilities.listsHypotheses = true
    capabilities.tokensLastThroughPauses = true
    capabilities.pace.firstInterval = 0.5
    capabilities.pace.laterInterval = 0.3
    // With what is added until the next time, a window fits into the short context.
    capabilities.pace.window = 3.5
    capabilities.pace.overlap = 1.6
    capabilities.pace.hasFixedCost = true
    self.capabilities = capabilities
    language = try Self.code(configuration.locale, of: model)
    detectsLanguage = configuration.detectsLanguage
    translates = configuration.translates
  }

  private static func file(in folder: String) throws(NeuralError) -> FileHandle {
    guard let file = FileHandle(forReadingAtPath: try WhisperModel.path(in: folder)) else {
      throw .notLoaded(folder)
    }
    return file
  }

  /// The model's code of a language (BCP 47); nil for a model that knows English only.
  private static func code(_ language: String, of model: WhisperModel) throws(NeuralError) -> String? {
    var code = ModelLanguage.code(of: language)
    guard !model.languages.isEmpty else {
      guard code == "en" else {
        throw .model("The model knows English only. Choose a model for several languages.")
      }
      return nil
    }
    // Cantonese has a token in large-v3 only.
    if code == "yue", !model.languages.contains(code) { code = "zh" }
    guard model.languages.contains(code) else {
      throw .model("The model does not know the language \(language).")
    }
    return code
  }

  private static func domain(
    of languageModel: ServiceConfiguration.LanguageModel?
  ) throws(NeuralError) -> DomainPhrases {
    guard let path = languageModel?.model else { return DomainPhrases() }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .model("The language model \(path) cannot be read.")
    }
    return DomainPhrases(arpa: text)
  }

  /// The phrases that a search prefers; nil if there are none.
  private func trie(_ phrases: [String], weight: Float) -> PhraseTrie? {
    guard !phrases.isEmpty || !domain.phrases.isEmpty else { return nil }
    if let known = tries[weight], known.phrases == phrases { return known.trie }
    let trie = PhraseTrie(phrases + domain.phrases, weight: weight, tokens: spellings)
    tries[weight] = (phrases, trie)
    return trie
  }

  func reconfigure(_ wanted: ServiceConfiguration, from current: ServiceConfiguration) -> Bool {
    // Each way has its number of threads, and a language model is read before the sandbox is closed.
    guard wanted.mode == current.mode, wanted.languageModel == current.languageModel,
      let code = try? Self.code(wanted.locale, of: model)
    else {
      return false
    }
    language = code
    detectsLanguage = wanted.detectsLanguage
    translates = wanted.translates
    return true
  }

  func takes(_ phrases: [String]) -> Bool { true }

  func areOfPhrases(_ words: [String], _ phrases: [String]) -> [Bool]? {
    tries.values.first { $0.phrases == phrases }?.trie.areOfPhrases(words)
  }

  func calibration(
    of words: [ServiceHypothesis.Word], detected: ServiceHypothesis.Language?
  ) -> ConfidenceCalibration? {
    guard isEnglish(detected) else { return translates ? nil : .whisperInOtherLanguages }
    return words.contains { $0.second != nil } ? .whisperWithWitness : .whisper
  }

  /// Whether a text is English: a model without languages knows nothing else.
  func isEnglish(_ detected: ServiceHypothesis.Language?) -> Bool {
    model.languages.isEmpty || (detectsLanguage ? detected?.code : language) == "en"
  }

  func isWhole(_ word: String) -> Bool { tokens.contains(Array(" \(word)".utf8)) }

  func live() -> (any LiveDecoding)? { nil }

  func decode(_ samples: [Float], _ request: DecodingRequest) throws(NeuralError) -> [RecognizedTokens] {
    // Nothing is loud enough to be said.
    let energy = SpeechEnergy(samples)
    guard energy.extent != nil else { return [.none] }
    let quiet = quiet(before: samples)
    let samples = [Float](repeating: 0, count: quiet) + samples
    let most = Int(model.facts.audio_frames)
    var context = context(for: samples, (request.isUnfinished ? [Self.shortContext] : []) + Self.contexts)
    var window = try decode(samples, context: context, request)
    let heard = window.language
    // Speech without words, or with words that were not said, may have some in the whole context.
    let isEmpty = isEmpty(window)
    if window.check.hasFailed || isEmpty, context < most, !request.isUnfinished {
      let other = try decode(samples, context: most, request)
      if window.check.isReplaced(by: other.check, isEmpty: isEmpty, isOtherEmpty: self.isEmpty(other)) {
        (window, context) = (other, most)
      }
    }
    if !request.isUnfinished, isEnglish(window.language), !translates {
      window =
        try judge?.judged(window, samples, context) { text in
          let words = text.split(separator: " ").map(String.init)
          return areOfPhrases(words, request.phrases)?.count { $0 } ?? 0
        } ?? window
    }
    // Of the first decoding: whether there is a second one depends on the language in which it is written.
    if !detectsLanguage { window.language = heard }
    guard !self.isEmpty(window) else {
      return [RecognizedTokens(tokens: [], language: window.language)]
    }
    let frames = Int((Double(samples.count) / 16_000 * Self.framesPerSecond).rounded(.up))
    let silent = [Float](repeating: -1, count: max(0, frames - energy.loudness.count))
    return timed(window, loudness: silent + energy.loudness, lead: Double(quiet) / 16_000)
  }

  /// Whether nothing is written for a window.
  private func isEmpty(_ window: WhisperWindow) -> Bool {
    window.check.isInvented || spoken(window.best.tokens).isEmpty
  }

  /// Samples of silence before some audio.
  private func quiet(before samples: [Float]) -> Int {
    let limit = RecognitionLimits.maxSeconds * RecognitionLimits.sampleRate
    return min(Int(Self.lead * Double(RecognitionLimits.sampleRate)), max(0, limit - samples.count))
  }

  /// The shortest of some lengths of the encoder's context that fits audio.
  private func context(for samples: [Float], _ contexts: [Int]) -> Int {
    let needed = Int(((Double(samples.count) / 16_000 + Self.margin) * Self.framesPerSecond).rounded(.up))
    let most = Int(model.facts.audio_frames)
    return contexts.first { $0 >= needed && $0 <= most } ?? most
  }

  func scores(of texts: [String], in samples: [Float]) throws(NeuralError) -> [Double]? {
    guard (model.languages.isEmpty || language == "en") && !translates else { return nil }
    let samples = [Float](repeating: 0, count: quiet(before: samples)) + samples
    let context = context(for: samples, Self.contexts)
    guard try own.hear(samples, frames: context), let first = try own.evidence(for: texts) else {
      return nil
    }
    let witness = judge?.witness
    let isHeard = try witness?.hear(samples, frames: context) == true
    let second = isHeard ? try witness?.evidence(for: texts) : nil
    return zip(first, second ?? first).map { $0 + $1 }
  }

  /// The tokens without the names of sounds.
  private func spoken(_ tokens: [Int]) -> [RecognizedTokens.Token] {
    SoundTags.removed(from: tokens.map { .init(bytes: model.bytes($0), start: nil) })
  }

  private func decode(
    _ samples: [Float], context: Int, _ request: DecodingRequest
  ) throws(NeuralError) -> WhisperWindow {
    try model.encode(samples, frames: context)
    let own = language.flatMap { model.languages.firstIndex(of: $0) }
    var start = try begin(in: own)
    let most = Int(model.facts.audio_frames)
    if let own, detectsLanguage, !start.evidence.isClear, context < most, !request.isUnfinished {
      // The whole context hears languages better, but not words.
      try model.encode(samples, frames: most)
      start = try begin(in: own)
      if start.evidence.likeliest?.index == own {
        let evidence = start.evidence
        try model.encode(samples, frames: context)
        start = try begin(in: own)
        start.evidence = evidence
      }
    }
    func window(_ start: Start, in index: Int?, _ probability: Double) throws(NeuralError) -> WhisperWindow {
      var window = try texts(after: start, seconds: Double(samples.count) / 16_000, request)
      window.language = index.map { .init(code: model.languages[$0], probability: probability) }
      return window
    }
    guard let own, let heard = start.evidence.likeliest, detectsLanguage, heard.index != own else {
      let heard = start.evidence.likeliest
      return try window(start, in: heard?.index, heard?.probability ?? 0)
    }
    // The expected language costs nothing; another one, a few tokens once more. What is said in a second can sound like many
    // languages, but makes a likely text in one.
    let candidates = start.evidence.candidates(expecting: own).prefix(request.isUnfinished ? 1 : .max)
    var best: (window: WhisperWindow, score: Double)?
    for (index, probability) in candidates {
      forget()
      let next = try window(begin(in: index), in: index, probability)
      let score = LanguageEvidence.score(
        next.check.meanLogProbability, probability, seconds: Double(samples.count) / 16_000)
      if score > best?.score ?? -.infinity { best = (next, score) }
    }
    if let best { return best.window }
    return try window(start, in: heard.index, heard.probability)
  }

  /// The beginning of a text: its first tokens, and what follows them.
  private struct Start {
    var prompt: [Int]
    var isEnglish: Bool
    var noSpeech: Double
    var evidence: LanguageEvidence
    /// The logarithms of the probabilities of the first token.
    var row: [Float]
  }

  /// Begins a text in a language; nil for a model that knows English only.
  private func begin(in index: Int?) throws(NeuralError) -> Start {
    let facts = model.facts
    let languages = Int(facts.first_language)..<Int(facts.first_language + facts.languages)
    // In OpenAI's vocabularies the token for translation stands before the one for transcription.
    let task = Int(facts.transcribe) - (translates ? 1 : 0)
    let prompt =
      [Int(facts.start)] + (index.map { [languages.lowerBound + $0, task] } ?? [])
      + [Int(facts.no_timestamps)]
    let steps = prompt.enumerated().map { TokenStep(token: $0.element, position: $0.offset) }
    let between = [Int](repeating: 0, count: prompt.count - 2)
    let rows = try model.next(steps, lengths: [Int(facts.vocabulary)] + between + [rules.end + 1])
    return Start(
      prompt: prompt, isEnglish: index.map { model.languages[$0] == "en" } ?? true,
      noSpeech: exp(Double(rows[0][Int(facts.no_speech)])),
      evidence: LanguageEvidence(logProbabilities: rows[0][languages]), row: rows[1])
  }

  /// Forgets what was written, but not the audio.
  private func forget() { for sequence in 0..<2 * Self.beams { model.remove(sequence) } }

  /// The texts that follow a beginning.
  private func texts(
    after start: Start, seconds: Double, _ request: DecodingRequest
  ) throws(NeuralError) -> WhisperWindow {
    var rules = rules
    rules.maxTokens = TokenRules.maxTokens(
      in: seconds, isEnglish: start.isEnglish || translates, context: Int(model.facts.text_tokens),
      after: start.prompt.count)
    let weight = start.isEnglish ? Self.phraseWeight.english : Self.phraseWeight.others
    let trie = request.beams > 1 ? trie(request.phrases, weight: weight) : nil
    let searches = (trie == nil ? [nil] : [nil, trie]).map { [model] phrases in
      BeamSearch(.init(beams: request.beams), rules: rules, phrases: phrases) { model.bytes($0) }
    }
    let found = try BeamSearch.texts(
      request.count, searches, first: start.row, at: start.prompt.count, of: model)
    var best = found[0].first ?? TokenSequence()
    var biased: TokenSequence?
    if let preferred = found.last?.first, preferred.bonus > 0 {
      if letters(preferred) == letters(best) { best.bonus = preferred.bonus } else { biased = preferred }
    }
    return WhisperWindow(
      prompt: start.prompt, best: best, biased: biased, others: Array(found[0].dropFirst()),
      check: WindowCheck(best, noSpeech: start.noSpeech))
  }

  private func letters(_ sequence: TokenSequence) -> String { model.text(sequence).letters }
}
