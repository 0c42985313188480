import CPocketSphinx
import Foundation
import ServiceSupport
import RecognitionProtocol

/// PocketSphinx with its model. Use it from one thread at a time.
final class Decoder: ServiceRecognizer {
  /// Frames of the acoustic model per second.
  static let frameRate = 100.0
  /// The interval of partial results, in samples.
  private static let partialInterval = 16_000 / 5
  /// The shortest utterance that is decoded, in samples.
  static let shortest = 512
  /// The samples needed to estimate a speaker's cepstral mean before live decoding starts.
  private static let primingLength = 16_000 / 2
  /// The samples needed to estimate it for final results.
  private static let trustedLength = 3 * 16_000
  /// The lowest rate of speech, in words per second, each word weighted with its confidence.
  private static let leastSupport = 0.5

  let model: Model
  private(set) var configuration: ServiceConfiguration
  let handle: OpaquePointer
  /// The general language model.
  let general: OpaquePointer
  lazy var pronouncer = Pronouncer()
  /// The custom language model; nil without one. It is read once: later the sandbox has no paths.
  var custom: OpaquePointer?
  /// The general model interpolated with the domain models; nil without domain models.
  var interpolation: OpaquePointer?
  /// The sum of the weights of the domain models, from 0 to 1; 0 without domain models.
  var domainWeight = 0.0
  /// The terms of the domain; nil before they are needed.
  var knownTerms: [DomainTerm]? { didSet { hasSearchForTerms = false } }
  /// Whether there is a search for these terms.
  var hasSearchForTerms = false
  let distance = PhoneDistance()
  /// Words whose pronunciations came with a custom language model.
  var addedWords: Set<String> = []
  /// Whether another search than that of the configuration's models is active, or none. A search is built when it is first
  /// needed, because that takes long, and aligning needs none.
  var needsSearch = false
  private var isDecoding = false
  private var utterance: [Int16] = []
  /// The cepstral mean of the last utterance, in PocketSphinx's text format.
  private var mean: String?
  /// The number of samples of completely decoded utterances, which shows how reliable the mean is.
  private var samplesOfMean = 0
  private var samplesSincePartial = 0
  private var lastPartial: [String] = []

  init(configuration: ServiceConfiguration) throws(DecoderError) {
    self.configuration = configuration
    model = try Model(locale: configuration.locale)
    err_set_loglevel(ERR_FATAL)
    guard let settings = ps_config_init(nil) else { throw .decodingFailed("start") }
    defer { ps_config_free(settings) }
    ps_config_set_str(settings, "hmm", model.acoustic)
    ps_config_set_str(settings, "dict", model.dictionary)
    ps_config_set_str(settings, "loglevel", "FATAL")
    // The library keeps the last warp it was given, so that there is always one.
    ps_config_set_str(settings, "warp_type", "inverse_linear")
    ps_config_set_str(settings, "warp_params", "1.00")
    // No language model here: building a search takes long, and only the search that is used is built.
    guard let handle = ps_init(settings) else { throw .modelUnreadable(folder: model.folder) }
    guard
      let general = ngram_model_read(
        ps_get_config(handle), model.language, NGRAM_AUTO, logmath_retain(ps_get_logmath(handle)))
    else {
      ps_free(handle)
      throw .modelUnreadable(folder: model.folder)
    }
    (self.handle, self.general) = (handle, general)
    try useModels()
    // Live text is due soon.
    if configuration.mode == .stream, needsSearch { try searchByModels() }
  }

  deinit {
    if let interpolation { ngram_model_free(interpolation) }
    if let custom { ngram_model_free(custom) }
    ngram_model_free(general)
    ps_free(handle)
  }

  var description: ServiceReply.Description {
    .init(
      engine: Recognizer.pocketSphinx.id, version: "5.1.1", model: model.folder, locale: Model.locale,
      capabilities: .init(
        prefersPhrases: true, hasConfidence: true, isPunctuated: false, isLive: true, bindsLanguage: true))
  }

  /// Changes the configuration. Returns false if that needs another process.
  func reconfigure(_ wanted: ServiceConfiguration) throws(DecoderError) -> Bool {
    // The pronunciations of one domain must not be used for another.
    guard wanted.locale == configuration.locale, wanted.model == configuration.model,
      wanted.languageModel == configuration.languageModel
    else { return false }
    mean = nil
    samplesOfMean = 0
    use(warp: 1)
    let isExpectingOthers = wanted.contextualStrings != configuration.contextualStrings
    configuration = wanted
    if isExpectingOthers {
      knownTerms = nil
      try useModels()
    }
    return true
  }

  func begin() {
    abandon()
    lastPartial = []
    samplesSincePartial = 0
  }

  /// Processes more audio of the utterance. Returns a partial result when a new one is due.
  func append(_ samples: [Int16]) -> ServiceHypothesis? {
    utterance += samples
    guard configuration.mode == .stream else { return nil }
    if needsSearch, (try? searchByModels()) == nil { return nil }
    if isDecoding {
      guard ps_process_raw(handle, samples, samples.count, 0, 0) >= 0 else {
        endUtterance()
        return nil
      }
    } else {
      beginLive()
    }
    samplesSincePartial += samples.count
    guard isDecoding, samplesSincePartial >= Self.partialInterval else { return nil }
    samplesSincePartial = 0
    var partial = ServiceHypothesis(words: words(ps_seg_iter(handle)), confidence: 0)
    for index in partial.words.indices { partial.words[index].confidence = 0 }
    let texts = partial.words.map(\.text)
    guard texts != lastPartial, !texts.isEmpty else { return nil }
    lastPartial = texts
    return partial
  }

  /// Ends the utterance and returns its hypotheses, the best first; empty if there was no word.
  ///
  /// An utterance that was decoded live uses the cepstral mean of the earlier utterances. While there is too little audio
  /// for a reliable mean, the whole utterance is decoded again with its own mean: finals with a mean of half a second had
  /// a sixth more errors.
  func finish() throws(DecoderError) -> [ServiceHypothesis] {
    let wasLive = isDecoding && samplesOfMean >= Self.trustedLength
    endUtterance()
    defer { utterance = [] }
    // A few frames cannot hold a word.
    guard utterance.count >= Self.shortest else { return [] }
    if needsSearch { try searchByModels() }
    if configuration.mode == .recording { use(warp: VocalTract.warp(of: utterance)) }
    if !wasLive { try decodeWhole(utterance) }
    let normalization = ps_get_cmn(handle, 0).map { String(cString: $0) }
    let found = try rankedHypotheses(ofDomainOnly: false) { () throws(DecoderError) in
      if wasLive { try decodeByMean(utterance) } else { try decodeWhole(utterance) }
    }
    // Music and noise must not change the mean. The recognizer has low confidence in their words.
    let sure = found.first?.words.reduce(0) { $0 + ($1.confidence ?? 0) } ?? 0
    if sure >= Self.leastSupport * Double(utterance.count) / 16_000 {
      mean = normalization
      if !wasLive { samplesOfMean += utterance.count }
    }
    return found
  }

  /// Ends the utterance, and returns its samples, which the next search decodes as a whole.
  func takeUtterance() -> [Int16] {
    endUtterance()
    defer { utterance = [] }
    if configuration.mode == .recording { use(warp: VocalTract.warp(of: utterance)) }
    return utterance
  }

  func abandon() {
    endUtterance()
    utterance = []
  }

  private func endUtterance() {
    if isDecoding { ps_end_utt(handle) }
    isDecoding = false
  }

  /// Starts live decoding when the speaker's cepstral mean is known, from the previous utterance or from the start of this
  /// one. PocketSphinx's own initial value is wrong by so much that it needs many seconds to adapt.
  private func beginLive() {
    if mean == nil {
      guard utterance.count >= Self.primingLength, (try? decodeWhole(utterance)) != nil else { return }
      mean = ps_get_cmn(handle, 0).map { String(cString: $0) }
    }
    isDecoding = (try? startByMean(utterance)) != nil
  }

  /// Decodes an utterance again in the same way as live.
  private func decodeByMean(_ samples: [Int16]) throws(DecoderError) {
    try startByMean(samples)
    guard ps_end_utt(handle) >= 0 else { throw .decodingFailed("decode an utterance") }
  }

  private func startByMean(_ samples: [Int16]) throws(DecoderError) {
    guard ps_reinit_feat(handle, nil) == 0, ps_start_utt(handle) == 0 else {
      throw .decodingFailed("start an utterance")
    }
    ps_set_cmn(handle, mean)
    guard ps_process_raw(handle, samples, samples.count, 0, 0) >= 0 else {
      ps_end_utt(handle)
      throw .decodingFailed("decode an utterance")
    }
  }

  /// Divides the frequencies of the audio by a number, from the next utterance on that is decoded as a whole.
  private func use(warp: Double) {
    ps_config_set_str(ps_get_config(handle), "warp_params", String(format: "%.2f", warp))
  }

  func decodeWhole(_ samples: [Int16]) throws(DecoderError) {
    // Without this, the features depend on the previous utterance, and the transcript on which service process gets
    // which utterance.
    guard ps_reinit_feat(handle, nil) == 0, ps_start_utt(handle) == 0 else {
      throw .decodingFailed("start an utterance")
    }
    var samples = samples
    Self.disturbDigitalSilence(&samples)
    // All at once, so that the utterance's own mean is subtracted, as the model's `cmn batch` requires.
    let processed = ps_process_raw(handle, samples, samples.count, 0, 1)
    guard ps_end_utt(handle) >= 0, processed >= 0 else { throw .decodingFailed("decode an utterance") }
  }

  /// Replaces digital silence with very faint noise: the logarithm of 0 is not a number, and would make the mean of the
  /// whole utterance invalid.
  private static func disturbDigitalSilence(_ samples: inout [Int16]) {
    var start = 0
    while start < samples.count {
      guard samples[start] == 0 else {
        start += 1
        continue
      }
      var end = start
      while end < samples.count, samples[end] == 0 { end += 1 }
      if end - start >= 160 {
        var noise = FaintNoise()
        for index in start..<end { samples[index] = noise.next() >> 31 == 0 ? 1 : -1 }
      }
      start = end
    }
  }
}
