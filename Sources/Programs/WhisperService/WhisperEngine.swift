import Foundation
import NeuralRecognition
import ServiceSupport
import RecognitionProtocol

/// A Whisper model in whisper.cpp.
final class WhisperEngine: NeuralEngine {
  static let recognizer = Recognizer.whisper
  static var version: String { WhisperModel.version }
  static let framesPerSecond = 50.0
  /// The lengths of the encoder's context. One that fits the audio tightly makes loops.
  private static let contexts = [512, 1024, 1500]
  /// A length for text that is soon replaced: it makes more errors, and takes half the time.
  private static let shortContext = 256
  /// Seconds of the context that stay free.
  private static let margin = 0.4
  /// Seconds of silence that are put before the audio. Where speech begins at once, the model writes the first word small.
  private static let lead = 0.2
  /// Tokens that any window may have, and more for each second.
  private static let maxTokens = (any: 24, each: 12.0)
  /// Texts that a search follows side by side. Each takes memory and, where the model is in doubt, time.
  private static let beams = 5
  /// The bonus of phrases, as a logarithm: what a phrase of a few letters may be less likely than other words.
  private static let phraseWeight: Float = 1

  private let model: WhisperModel
  private let rules: TokenRules
  private let domain: DomainPhrases
  private lazy var spellings = TokenSpellings((0..<rules.end).map { model.bytes($0) })
  private lazy var tokens = Set((0..<rules.end).map { model.bytes($0) })
  private var preferred: (phrases: [String], trie: PhraseTrie)?
  /// The code of the language; nil if each window's is detected, or the model knows English only.
  private var language: String?
  private var reportsLanguage: Bool
  let capabilities: NeuralCapabilities

  init(configuration: ServiceConfiguration) throws(NeuralError) {
    let folder = configuration.model.folder
    guard !folder.isEmpty else { throw .noModel }
    let path = try WhisperModel.path(in: folder)
    // Read now: later the process opens nothing.
    domain = try Self.domain(of: configuration.languageModel)
    // Threads wait for each other by spinning: as many processes with one thread decode more of a file.
    let threads = configuration.mode == .stream ? min(2, ProcessInfo.processInfo.activeProcessorCount) : 1
    guard let model = WhisperModel(path, sequences: 2 * Self.beams, threads: threads) else {
      throw .notLoaded(folder)
    }
    self.model = model
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
    capabilities.pace.hasFixedCost = true
    self.capabilities = capabilities
    language = try Self.code(configuration.locale, of: model)
    reportsLanguage = configuration.reportsLanguage
  }

  /// The model's code of a language (BCP 47); nil for `auto`, and for a model that knows English only.
  private static func code(_ language: String, of model: WhisperModel) throws(NeuralError) -> String? {
    var code = language.split(whereSeparator: { "-_".contains($0) }).first.map { $0.lowercased() } ?? ""
    // Languages for which Whisper uses an older code, or the code of a related language.
    code =
      ["nb": "no", "fil": "tl", "cmn": "zh", "yue": "yue", "iw": "he", "in": "id", "jv": "jw"][code] ?? code
    guard !model.languages.isEmpty else {
      guard code == "en" || code == "auto" else {
        throw .model("The model knows English only. Choose a model for several languages.")
      }
      return nil
    }
    if code == "auto" { return nil }
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
  private func trie(_ phrases: [String]) -> PhraseTrie? {
    guard !phrases.isEmpty || !domain.phrases.isEmpty else { return nil }
    if let preferred, preferred.phrases == phrases { return preferred.trie }
    let trie = PhraseTrie(phrases + domain.phrases, weight: Self.phraseWeight, tokens: spellings)
    preferred = (phrases, trie)
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
    reportsLanguage = wanted.reportsLanguage
    return true
  }

  func takes(_ phrases: [String]) -> Bool { true }

  func calibration(detected: ServiceHypothesis.Language?) -> ConfidenceCalibration? {
    // A model without languages knows English only.
    model.languages.isEmpty || (language ?? detected?.code) == "en" ? .whisper : nil
  }

  func isWhole(_ word: String) -> Bool { tokens.contains(Array(" \(word)".utf8)) }

  func live() -> (any LiveDecoding)? { nil }

  func decode(_ samples: [Float], _ request: DecodingRequest) throws(NeuralError) -> [RecognizedTokens] {
    // Nothing is loud enough to be said.
    guard SpeechEnergy(samples).extent != nil else { return [.none] }
    let limit = RecognitionLimits.maxSeconds * RecognitionLimits.sampleRate
    let quiet = min(Int(Self.lead * Double(RecognitionLimits.sampleRate)), max(0, limit - samples.count))
    let samples = [Float](repeating: 0, count: quiet) + samples
    let needed = Int(((Double(samples.count) / 16_000 + Self.margin) * Self.framesPerSecond).rounded(.up))
    let most = Int(model.facts.audio_frames)
    let contexts = (request.isUnfinished ? [Self.shortContext] : []) + Self.contexts
    let context = contexts.first { $0 >= needed && $0 <= most } ?? most
    var window = try decode(samples, context: context, request)
    // Of the first decoding: whether there is a second one may depend on the language.
    let detected = window.language
    if window.check.hasFailed, context < most, !request.isUnfinished, !spoken(window.best.tokens).isEmpty {
      let other = try decode(samples, context: most, request)
      if other.isBetter(than: window) { window = other }
    }
    window.language = detected
    guard !window.check.isInvented, !spoken(window.best.tokens).isEmpty else {
      return [RecognizedTokens(tokens: [], language: detected)]
    }
    return timed(window, samples: samples.count, lead: Double(quiet) / 16_000)
  }

  /// The tokens without the names of sounds.
  private func spoken(_ tokens: [Int]) -> [RecognizedTokens.Token] {
    SoundTags.removed(from: tokens.map { .init(bytes: model.bytes($0), start: nil) })
  }

  /// A window as it was decoded.
  private struct Window {
    var prompt: [Int]
    /// The best text of the search without phrases. It has the bonus of its phrases.
    var best: TokenSequence
    /// The best text of the search that prefers phrases, if it is another one.
    var biased: TokenSequence?
    var others: [TokenSequence]
    var check: WindowCheck
    var language: ServiceHypothesis.Language?

    func isBetter(than other: Window) -> Bool {
      if check.hasFailed != other.check.hasFailed { return !check.hasFailed }
      return check.meanLogProbability > other.check.meanLogProbability
    }
  }

  private func decode(
    _ samples: [Float], context: Int, _ request: DecodingRequest
  ) throws(NeuralError) -> Window {
    try model.encode(samples, frames: context)
    let facts = model.facts
    let start = Int(facts.start)
    var prompt = [start]
    var noSpeech = 0.0
    var detected: ServiceHypothesis.Language?
    var row: [Float] = []
    let text = rules.end + 1
    let last = Int(facts.no_timestamps)
    if !model.languages.isEmpty, language == nil {
      let first = try model.next([TokenStep(token: start, position: 0)], lengths: [Int(facts.vocabulary)])[0]
      noSpeech = exp(Double(first[Int(facts.no_speech)]))
      let (token, found) = likeliestLanguage(in: first)
      detected = found
      prompt += [token, Int(facts.transcribe), last]
      let steps = (1..<4).map { TokenStep(token: prompt[$0], position: $0) }
      row = try model.next(steps, lengths: [0, 0, text])[0]
    } else {
      if let index = language.flatMap({ model.languages.firstIndex(of: $0) }) {
        prompt += [Int(facts.first_language) + index, Int(facts.transcribe)]
      }
      prompt.append(last)
      let steps = prompt.enumerated().map { TokenStep(token: $0.element, position: $0.offset) }
      let lengths = [Int(facts.vocabulary)] + [Int](repeating: 0, count: prompt.count - 2) + [text]
      let rows = try model.next(steps, lengths: lengths)
      noSpeech = exp(Double(rows[0][Int(facts.no_speech)]))
      if reportsLanguage, !model.languages.isEmpty { detected = likeliestLanguage(in: rows[0]).language }
      row = rows[1]
    }
    var rules = rules
    rules.maxTokens = min(
      rules.maxTokens, Self.maxTokens.any + Int(Self.maxTokens.each * Double(samples.count) / 16_000))
    let trie = request.beams > 1 ? trie(request.phrases) : nil
    let searches = (trie == nil ? [nil] : [nil, trie]).map { [model] phrases in
      BeamSearch(.init(beams: request.beams), rules: rules, phrases: phrases) { model.bytes($0) }
    }
    let found = try BeamSearch.texts(request.count, searches, first: row, at: prompt.count, of: model)
    var best = found[0].first ?? TokenSequence()
    var biased: TokenSequence?
    if let preferred = found.last?.first, preferred.bonus > 0 {
      if letters(preferred) == letters(best) { best.bonus = preferred.bonus } else { biased = preferred }
    }
    return Window(
      prompt: prompt, best: best, biased: biased, others: Array(found[0].dropFirst()),
      check: WindowCheck(best, noSpeech: noSpeech), language: detected)
  }

  private func letters(_ text: TokenSequence) -> String {
    String(decoding: text.tokens.flatMap { model.bytes($0) }, as: UTF8.self).letters
  }

  /// The token of the likeliest language in the row after the start token, and the language.
  private func likeliestLanguage(in row: [Float]) -> (token: Int, language: ServiceHypothesis.Language) {
    let tokens = Int(model.facts.first_language)..<Int(model.facts.first_language + model.facts.languages)
    let best = tokens.max { row[$0] < row[$1] } ?? tokens.lowerBound
    let sum = tokens.reduce(0) { $0 + exp(Double(row[$1] - row[best])) }
    return (best, .init(code: model.languages[best - tokens.lowerBound], probability: 1 / sum))
  }

  /// The spoken tokens of each text of a window, with their times.
  private func timed(_ window: Window, samples: Int, lead: Double) -> [RecognizedTokens] {
    let best = window.best.tokens
    let frames = Int((Double(samples) / 16_000 * Self.framesPerSecond).rounded(.up))
    let times = model.times(of: best, after: window.prompt, frames: frames)?.map { max(0, $0 - lead) }
    var found: [RecognizedTokens] = []
    for (text, source) in [(window.biased, .biased), (window.best, source(of: window.best))]
      + window.others.map({ ($0, .best) }) as [(TokenSequence?, ServiceHypothesis.Source)]
    {
      guard let text else { continue }
      let own = times.map { times in
        TokenTimes.times(times, of: best, for: text.tokens) { [model] in model.bytes($0).count }
      }
      var tokens = tokens(of: text, times: own, withoutLoops: window.check.isLoop)
      tokens.source = source
      tokens.language = window.language
      found.append(tokens)
    }
    return found
  }

  /// A text of a domain's words that has a phrase of the domain is explained by it.
  private func source(of text: TokenSequence) -> ServiceHypothesis.Source {
    guard text.bonus > 0 else { return .best }
    let bytes = text.tokens.flatMap { model.bytes($0) }
    return domain.haveAllWords(of: String(decoding: bytes, as: UTF8.self)) ? .domain : .best
  }

  private func tokens(of text: TokenSequence, times: [Double]?, withoutLoops: Bool) -> RecognizedTokens {
    var tokens: [RecognizedTokens.Token] = []
    for (index, token) in text.tokens.enumerated() {
      var next = RecognizedTokens.Token(
        bytes: model.bytes(token), start: times?[index], duration: times.map { $0[index + 1] - $0[index] },
        logProbability: Double(text.logProbabilities[index]))
      if let last = tokens.last, Self.isMark(next.bytes) {
        // A mark is not said: it has the time of the word before it, and says nothing of how sure that is.
        next.start = last.start
        next.duration = last.duration
        next.logProbability = 0
      }
      tokens.append(next)
    }
    if withoutLoops { tokens = RepetitionCheck.withoutLoops(tokens) { $0.bytes == $1.bytes } }
    return RecognizedTokens(tokens: SoundTags.removed(from: tokens))
  }

  private static func isMark(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { ".,!?;:\"'()-".utf8.contains($0) }
  }
}
