import CPocketSphinx
import Foundation
import SpeechServiceProtocol

/// PocketSphinx with its model. Not for more than one thread.
final class Decoder {
  /// Frames of the acoustic model a second.
  static let frameRate = 100.0
  /// How often a partial result is looked for, in samples.
  private static let partialInterval = 16_000 / 5

  let model: Model
  private(set) var configuration: ServiceConfiguration
  let handle: OpaquePointer
  lazy var pronouncer = Pronouncer()
  private var isDecoding = false
  private var piece: [Int16] = []
  private var samplesSincePartial = 0
  private var lastPartial: [String] = []

  init(configuration: ServiceConfiguration) throws(DecoderError) {
    self.configuration = configuration
    model = try Model(locale: configuration.locale)
    err_set_loglevel(ERR_FATAL)
    guard let settings = ps_config_init(nil) else { throw .decodingFailed("start") }
    defer { ps_config_free(settings) }
    ps_config_set_str(settings, "hmm", model.acoustic)
    ps_config_set_str(settings, "lm", model.language)
    ps_config_set_str(settings, "dict", model.dictionary)
    ps_config_set_str(settings, "loglevel", "FATAL")
    guard let handle = ps_init(settings) else { throw .modelUnreadable(folder: model.folder) }
    self.handle = handle
    if !configuration.contextualStrings.isEmpty { try prefer(configuration.contextualStrings) }
  }

  deinit { ps_free(handle) }

  var description: ServiceReply.Description {
    .init(engine: "pocketsphinx", version: "5.1.1", model: model.folder, locale: Model.locale)
  }

  /// Takes up another configuration; false if that needs a fresh decoder.
  func reconfigure(_ wanted: ServiceConfiguration) throws(DecoderError) -> Bool {
    guard wanted.mode == configuration.mode, wanted.locale == configuration.locale else { return false }
    if wanted.contextualStrings != configuration.contextualStrings { try prefer(wanted.contextualStrings) }
    configuration = wanted
    return true
  }

  func begin() {
    abandon()
    piece = []
    lastPartial = []
    samplesSincePartial = 0
    guard configuration.mode == .stream else { return }
    isDecoding = ps_start_utt(handle) == 0
  }

  /// Takes more of the piece; gives a partial result when a new one is due.
  func append(_ samples: [Int16]) -> ServiceHypothesis? {
    guard configuration.mode == .stream else {
      piece += samples
      return nil
    }
    guard isDecoding else { return nil }
    guard ps_process_raw(handle, samples, samples.count, 0, 0) >= 0 else {
      abandon()
      return nil
    }
    samplesSincePartial += samples.count
    guard samplesSincePartial >= Self.partialInterval else { return nil }
    samplesSincePartial = 0
    var partial = ServiceHypothesis(words: words(ps_seg_iter(handle)), confidence: 0)
    for index in partial.words.indices { partial.words[index].confidence = 0 }
    let texts = partial.words.map(\.text)
    guard texts != lastPartial, !texts.isEmpty else { return nil }
    lastPartial = texts
    return partial
  }

  /// Ends the piece and gives what was heard, the best first; empty if there was no word.
  func finish() throws(DecoderError) -> [ServiceHypothesis] {
    if configuration.mode == .recording {
      // Shorter than one frame: nothing that could be a word.
      guard piece.count >= 512 else { return [] }
      // Otherwise the features remember the piece before, and a transcript would depend on which service got which.
      guard ps_reinit_feat(handle, nil) == 0 else { throw .decodingFailed("start a piece") }
      guard ps_start_utt(handle) == 0 else { throw .decodingFailed("start a piece") }
      isDecoding = true
      Self.disturbDigitalSilence(&piece)
      // The whole piece at once: its own cepstral mean is then taken off, as the model's `cmn batch` asks.
      guard ps_process_raw(handle, piece, piece.count, 0, 1) >= 0 else {
        abandon()
        throw .decodingFailed("decode a piece")
      }
      piece = []
    }
    guard isDecoding else { throw .decodingFailed("decode a piece") }
    isDecoding = false
    guard ps_end_utt(handle) >= 0 else { throw .decodingFailed("end a piece") }
    return hypotheses(most: configuration.alternatives)
  }

  /// Puts the faintest noise where there is nothing at all: the logarithm of nothing is no feature, and one that is
  /// not a number spoils the mean of the whole piece.
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

  func abandon() {
    if isDecoding { ps_end_utt(handle) }
    isDecoding = false
    piece = []
  }
}
