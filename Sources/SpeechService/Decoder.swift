import CPocketSphinx
import Foundation
import SpeechServiceProtocol

/// PocketSphinx with its model. For one thread at a time.
final class Decoder {
  /// Frames of the acoustic model a second.
  static let frameRate = 100.0
  /// How often a partial result is looked for, in samples.
  private static let partialInterval = 16_000 / 5
  /// Samples below which nothing is decoded.
  private static let shortest = 512
  /// Samples that tell a speaker's cepstral mean well enough to begin.
  private static let primingLength = 16_000 / 2
  /// Samples that tell it well enough for final results.
  private static let trustedLength = 3 * 16_000
  /// Words a second, each counted by its confidence, that speech has at least.
  private static let leastSupport = 0.5

  let model: Model
  private(set) var configuration: ServiceConfiguration
  let handle: OpaquePointer
  /// The general language model.
  let general: OpaquePointer
  lazy var pronouncer = Pronouncer()
  /// The general model and those beside it; nil without any.
  var interpolation: OpaquePointer?
  /// How much the models beside the general one count together, 0 to 1; 0 without any.
  var domainWeight = 0.0
  /// Words whose pronunciations came with a custom language model.
  var addedWords: Set<String> = []
  private var isDecoding = false
  private var utterance: [Int16] = []
  /// The cepstral mean of the last utterance, in PocketSphinx's own writing.
  private var mean: String?
  /// Samples that were decoded whole: how well the mean is known.
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
    // Without a language model: a search takes long to build, and only the one that is used is built.
    guard let handle = ps_init(settings) else { throw .modelUnreadable(folder: model.folder) }
    guard
      let general = ngram_model_read(
        ps_get_config(handle), model.language, NGRAM_AUTO, logmath_retain(ps_get_logmath(handle)))
    else {
      ps_free(handle)
      throw .modelUnreadable(folder: model.folder)
    }
    self.handle = handle
    self.general = general
    try useModels()
  }

  deinit {
    if let interpolation { ngram_model_free(interpolation) }
    ngram_model_free(general)
    ps_free(handle)
  }

  var description: ServiceReply.Description {
    .init(engine: "pocketsphinx", version: "5.1.1", model: model.folder, locale: Model.locale)
  }

  /// Takes up another configuration; false if that needs a fresh decoder.
  func reconfigure(_ wanted: ServiceConfiguration) throws(DecoderError) -> Bool {
    // One domain's pronunciations are none of another's.
    guard wanted.locale == configuration.locale, wanted.languageModel == configuration.languageModel else {
      return false
    }
    mean = nil
    samplesOfMean = 0
    let isExpectingOthers = wanted.contextualStrings != configuration.contextualStrings
    configuration = wanted
    if isExpectingOthers { try useModels() }
    return true
  }

  func begin() {
    abandon()
    lastPartial = []
    samplesSincePartial = 0
  }

  /// Takes more of the utterance; gives a partial result when a new one is due.
  func append(_ samples: [Int16]) -> ServiceHypothesis? {
    utterance += samples
    guard configuration.mode == .stream else { return nil }
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

  /// Ends the utterance and gives what was heard, the best first; empty if there was no word.
  ///
  /// An utterance that was decoded live ends at once, by the mean of the utterances before. As long as too
  /// little has been said to know that mean, the whole utterance is decoded again by its own: finals by a
  /// mean of half a second had a sixth more errors.
  func finish() throws(DecoderError) -> [ServiceHypothesis] {
    let wasLive = isDecoding && samplesOfMean >= Self.trustedLength
    endUtterance()
    defer { utterance = [] }
    // Shorter than a few frames: nothing that could be a word.
    guard utterance.count >= Self.shortest else { return [] }
    if !wasLive { try decodeWhole(utterance) }
    let normalization = ps_get_cmn(handle, 0).map { String(cString: $0) }
    let found = try readings { () throws(DecoderError) in
      if wasLive { try decodeByMean(utterance) } else { try decodeWhole(utterance) }
    }
    // Music and noise say nothing of the voice; in them the recognizer is sure of next to no word.
    let sure = found.first?.words.reduce(0) { $0 + $1.confidence } ?? 0
    if sure >= Self.leastSupport * Double(utterance.count) / 16_000 {
      mean = normalization
      if !wasLive { samplesOfMean += utterance.count }
    }
    return found
  }

  func abandon() {
    endUtterance()
    utterance = []
  }

  private func endUtterance() {
    if isDecoding { ps_end_utt(handle) }
    isDecoding = false
  }

  /// Begins to decode live, once the speaker's cepstral mean is known: from the utterance before, or from the
  /// first moments of this one. PocketSphinx's own first guess is far off and takes many seconds to mend.
  private func beginLive() {
    if mean == nil {
      guard utterance.count >= Self.primingLength, (try? decodeWhole(utterance)) != nil else { return }
      mean = ps_get_cmn(handle, 0).map { String(cString: $0) }
    }
    isDecoding = (try? startByMean(utterance)) != nil
  }

  /// Decodes an utterance as it was decoded live.
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

  private func decodeWhole(_ samples: [Int16]) throws(DecoderError) {
    // Otherwise the features remember the utterance before, and a transcript would depend on which service
    // got which.
    guard ps_reinit_feat(handle, nil) == 0, ps_start_utt(handle) == 0 else {
      throw .decodingFailed("start an utterance")
    }
    var samples = samples
    Self.disturbDigitalSilence(&samples)
    // All at once: its own mean is then taken off, as the model's `cmn batch` asks.
    let processed = ps_process_raw(handle, samples, samples.count, 0, 1)
    guard ps_end_utt(handle) >= 0, processed >= 0 else { throw .decodingFailed("decode an utterance") }
  }

  /// Puts the faintest noise where there is nothing at all: the logarithm of nothing is no feature, and one
  /// that is not a number spoils the mean of the whole utterance.
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
        var state: UInt32 = 1
        for index in start..<end {
          state = state &* 1_664_525 &+ 1_013_904_223
          samples[index] = state >> 31 == 0 ? 1 : -1
        }
      }
      start = end
    }
  }
}
