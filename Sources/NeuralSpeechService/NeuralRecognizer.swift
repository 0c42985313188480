import Foundation
import Sandboxing
import ModelStorage
import SpeechServiceLoop
import SpeechServiceProtocol

/// A neural model that a user has installed. Use it from one thread at a time.
final class NeuralRecognizer: ServiceRecognizer {
  /// The longest utterance, in seconds. The memory of some networks grows with the square of it.
  static let maxSeconds = 30
  static let sampleRate = 16_000
  /// The shortest utterance that can hold a word, in samples.
  private static let shortest = sampleRate / 10
  /// Bytes of the networks up to which a second copy is loaded for searches over several paths, even if the first
  /// configuration has no phrases.
  private static let maxSecondCopy: Int64 = 256 << 20

  let model: ModelInspection
  let engine: any NeuralEngine
  let hotwords: Hotwords?
  private let assembly: WordAssembly
  private let memory: ProcessMemory
  private(set) var configuration: ServiceConfiguration
  private var utterance: [Int16] = []
  private var live: LiveStream?
  private var pace = PartialPace()
  private var lastPartial = ""

  init(configuration: ServiceConfiguration) throws(NeuralError) {
    try SherpaLibrary.checkVersion()
    let folder = configuration.model.folder
    guard !folder.isEmpty else { throw .noModel }
    model = try ModelInspection.checked(folder)
    if let purpose = model.family.otherPurpose {
      throw .model("The model in \(folder) \(purpose) and recognizes no words.")
    }
    self.configuration = configuration
    assembly = WordAssembly(vocabulary: model.tokens)
    let wantsBeam = !configuration.contextualStrings.isEmpty || Self.size(of: model) <= Self.maxSecondCopy
    let list = model.path(.pieces).flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    hotwords = model.family.takesHotwords && wantsBeam ? Hotwords(tokens: model.tokens, list: list) : nil
    let vocabulary = hotwords.flatMap { MemoryFile($0.vocabulary) }
    let threads = Processors.threads()
    if model.family.isStreaming {
      engine = try OnlineEngine(model, threads: threads, vocabulary: vocabulary?.path)
    } else {
      engine = try OfflineEngine(
        model, threads: threads, vocabulary: vocabulary?.path, language: configuration.locale)
    }
    try Self.tryOut(engine)
    memory = ProcessMemory()
  }

  var description: ServiceReply.Description {
    .init(
      engine: Recognizer.sherpaOnnx.id, version: SherpaLibrary.version, model: model.folder,
      locale: configuration.locale,
      capabilities: .init(
        prefersPhrases: model.family.takesHotwords, hasConfidence: model.family.hasConfidence,
        isPunctuated: model.isPunctuated, isLive: model.family.isStreaming, bindsLanguage: bindsLanguage))
  }

  var isExhausted: Bool { memory.isExceeded }

  /// Whether the language was set when the networks were loaded.
  private var bindsLanguage: Bool { model.family == .whisper || model.family == .senseVoice }

  func reconfigure(_ wanted: ServiceConfiguration) throws(NeuralError) -> Bool {
    guard wanted.model == configuration.model, !bindsLanguage || wanted.locale == configuration.locale else {
      return false
    }
    // Without a second copy of the networks there is no search for phrases, and the sandbox has no paths any more.
    guard wanted.contextualStrings.isEmpty || !model.family.takesHotwords || engine.hasBeam else {
      return false
    }
    configuration = wanted
    return true
  }

  func begin() {
    abandon()
    lastPartial = ""
    pace = PartialPace(cost: pace.measuredCost)
    if configuration.mode == .stream { live = engine.live() }
  }

  func append(_ samples: [Int16]) -> ServiceHypothesis? {
    // More than the limit fails at the end.
    guard utterance.count <= Self.maxSeconds * Self.sampleRate else { return nil }
    utterance += samples
    guard configuration.mode == .stream, utterance.count >= Self.shortest else { return nil }
    if let live {
      live.append(
        utterance.count - samples.count < Self.shortest ? Self.floats(utterance) : Self.floats(samples))
      return partial(words(live.tokens, samples: utterance.count))
    }
    guard pace.isDue(at: utterance.count) else { return nil }
    let start = DispatchTime.now().uptimeNanoseconds
    let window = Self.floats(utterance[pace.anchor...])
    guard let found = try? decode(window, search: .greedy) else { return nil }
    let offset = Double(pace.anchor) / Double(Self.sampleRate)
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    return partial(pace.add(found.map { $0.moved(by: offset) }, length: utterance.count, seconds: seconds))
  }

  func finish() throws(NeuralError) -> [ServiceHypothesis] {
    defer { abandon() }
    guard utterance.count >= Self.shortest else { return [] }
    guard utterance.count <= Self.maxSeconds * Self.sampleRate else { throw .tooLong }
    let samples = Self.floats(utterance)
    let found: [ServiceHypothesis.Word]
    if let live {
      found = words(live.finish(), samples: utterance.count)
    } else {
      found = try decode(samples, search: .greedy)
    }
    return try candidates(ServiceHypothesis(words: found, source: .best), samples: samples)
  }

  func abandon() {
    utterance = []
    live = nil
  }

  /// Decodes audio, which may be a part of the utterance.
  /// - Returns: the words, with times in the audio.
  func decode(_ samples: [Float], search: Search) throws(NeuralError) -> [ServiceHypothesis.Word] {
    // Convolutions need some frames.
    let missing = Self.sampleRate / 2 - samples.count
    let padded = missing > 0 ? samples + [Float](repeating: 0, count: missing) : samples
    var tokens = try engine.decode(padded, search: search)
    if case .biased = search { tokens.removeBonus(Double(BeamSettings.score)) }
    return words(tokens, samples: samples.count, energy: samples)
  }

  private func words(
    _ tokens: RecognizedTokens, samples: Int, energy: [Float]? = nil
  ) -> [ServiceHypothesis.Word] {
    let needsSpeech = tokens.tokens.contains { $0.start == nil }
    let speech = needsSpeech ? energy.flatMap { SpeechEnergy($0).extent } : nil
    return assembly.words(tokens, duration: Double(samples) / Double(Self.sampleRate), speech: speech)
  }

  /// A partial result, if its text is new.
  private func partial(_ words: [ServiceHypothesis.Word]) -> ServiceHypothesis? {
    var words = words
    var end = 0.0
    for index in words.indices {
      // Windows overlap a little.
      words[index].start = max(words[index].start, end)
      words[index].end = max(words[index].end, words[index].start)
      end = words[index].end
      words[index].confidence = model.family.hasConfidence ? 0 : nil
    }
    let hypothesis = ServiceHypothesis(words: words, confidence: model.family.hasConfidence ? 0 : nil)
    guard !words.isEmpty, hypothesis.text != lastPartial else { return nil }
    lastPartial = hypothesis.text
    return hypothesis
  }

  private static func floats(_ samples: some Collection<Int16>) -> [Float] {
    samples.map { Float($0) / 32768 }
  }

  private static func size(of model: ModelInspection) -> Int64 {
    model.files.values.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: model.folder + "/" + name)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  /// Decodes a second of silence and noise: a model that ends the process does it here, before anything is transcribed.
  private static func tryOut(_ engine: any NeuralEngine) throws(NeuralError) {
    var state: UInt32 = 1
    let canary = (0..<sampleRate).map { index -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      return index < sampleRate / 2 ? 0 : (Float(state >> 16) / 65_536 - 0.5) * 0.02
    }
    _ = try engine.decode(canary, search: .greedy)
    if engine.hasBeam { _ = try engine.decode(canary, search: .beam) }
  }
}

extension ServiceHypothesis.Word {
  /// The word at another time.
  func moved(by seconds: Double) -> Self {
    var word = self
    word.start = max(0, start + seconds)
    word.end = max(word.start, end + seconds)
    return word
  }
}
