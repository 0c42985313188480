import CSherpaOnnx
import Foundation
import ModelStorage
import NeuralRecognition

/// A model that decodes whole utterances.
final class OfflineEngine: SherpaNetworks {
  private let greedy: OpaquePointer
  private let beam: OpaquePointer?

  /// Loads a model that has been inspected.
  /// - Parameters:
  ///   - vocabulary: the path of the pieces of hotwords; nil for no searches over several paths.
  ///   - language: the language (BCP 47), for the families that must know it.
  /// - Throws: `NeuralError`.
  init(
    _ model: ModelInspection, threads: Int32, vocabulary: String?, language: String
  ) throws(NeuralError) {
    let texts = CTexts()
    var configuration = Self.configuration(model, threads: threads, language: language, texts: texts)
    guard let greedy = SherpaOnnxCreateOfflineRecognizer(&configuration) else {
      throw .notLoaded(model.folder)
    }
    self.greedy = greedy
    guard let vocabulary else {
      beam = nil
      return
    }
    configuration.decoding_method = texts("modified_beam_search")
    configuration.max_active_paths = BeamSettings.paths
    configuration.hotwords_score = BeamSettings.score
    configuration.model_config.modeling_unit = texts("bpe")
    configuration.model_config.bpe_vocab = texts(vocabulary)
    guard let beam = SherpaOnnxCreateOfflineRecognizer(&configuration) else {
      SherpaOnnxDestroyOfflineRecognizer(greedy)
      throw .notLoaded(model.folder)
    }
    self.beam = beam
  }

  deinit {
    SherpaOnnxDestroyOfflineRecognizer(greedy)
    if let beam { SherpaOnnxDestroyOfflineRecognizer(beam) }
  }

  var hasBeam: Bool { beam != nil }

  func live() -> LiveStream? { nil }

  func decode(_ samples: [Float], search: Search) throws(NeuralError) -> RecognizedTokens {
    let recognizer: OpaquePointer
    let opened: OpaquePointer?
    switch search {
    case .greedy:
      recognizer = greedy
      opened = SherpaOnnxCreateOfflineStream(recognizer)
    case .beam:
      recognizer = beam ?? greedy
      opened = SherpaOnnxCreateOfflineStream(recognizer)
    case .biased(let phrases):
      guard let beam else { throw .failed("decode an utterance") }
      recognizer = beam
      opened = SherpaOnnxCreateOfflineStreamWithHotwords(recognizer, phrases)
    }
    guard let stream = opened else { throw .failed("decode an utterance") }
    defer { SherpaOnnxDestroyOfflineStream(stream) }
    SherpaOnnxAcceptWaveformOffline(stream, SherpaLibrary.sampleRate, samples, Int32(samples.count))
    SherpaOnnxDecodeOfflineStream(recognizer, stream)
    guard let result = SherpaOnnxGetOfflineStreamResult(stream) else { throw .failed("decode an utterance") }
    defer { SherpaOnnxDestroyOfflineRecognizerResult(result) }
    return Self.tokens(result.pointee)
  }

  private static func tokens(_ result: SherpaOnnxOfflineRecognizerResult) -> RecognizedTokens {
    let count = max(0, Int(result.count))
    guard let tokens = result.tokens_arr, count > 0 else { return wordsOnly(result) }
    return RecognizedTokens(
      tokens: (0..<count).map { index in
        .init(
          bytes: tokens[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? [],
          start: result.timestamps.map { Double($0[index]) },
          duration: result.durations.map { Double($0[index]) },
          logProbability: result.ys_log_probs.map { Double($0[index]) })
      })
  }

  /// The words of a text whose tokens are not known.
  private static func wordsOnly(_ result: SherpaOnnxOfflineRecognizerResult) -> RecognizedTokens {
    guard let text = result.text.map({ String(cString: $0) }) else { return .none }
    return RecognizedTokens(
      tokens: text.split(separator: " ").map { .init(bytes: Array(" \($0)".utf8), start: nil) })
  }

  private static func configuration(
    _ model: ModelInspection, threads: Int32, language: String, texts: CTexts
  ) -> SherpaOnnxOfflineRecognizerConfig {
    // Swift sets every field of a C structure to 0.
    var configuration = SherpaOnnxOfflineRecognizerConfig()
    configuration.feat_config.sample_rate = SherpaLibrary.sampleRate
    configuration.feat_config.feature_dim = model.metadata["feat_dim"].flatMap { Int32($0) } ?? 80
    configuration.decoding_method = texts("greedy_search")
    configuration.model_config.tokens = texts(model.path(.tokens))
    configuration.model_config.num_threads = threads
    configuration.model_config.provider = texts("cpu")
    if model.family.isTransducer {
      configuration.model_config.transducer.encoder = texts(model.path(.encoder))
      configuration.model_config.transducer.decoder = texts(model.path(.decoder))
      configuration.model_config.transducer.joiner = texts(model.path(.joiner))
      configuration.model_config.model_type = texts("nemo_transducer")
    } else if model.family == .senseVoice {
      let code = language.split(separator: "-").first.map { $0.lowercased() } ?? ""
      let known = ["zh", "en", "ja", "ko", "yue"].contains(code)
      configuration.model_config.sense_voice.model = texts(model.path(.model))
      configuration.model_config.sense_voice.language = texts(known ? code : "auto")
      configuration.model_config.sense_voice.use_itn = 1
    } else {
      configuration.model_config.nemo_ctc.model = texts(model.path(.model))
    }
    return configuration
  }
}
