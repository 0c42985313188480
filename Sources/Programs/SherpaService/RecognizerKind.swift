import CSherpaOnnx
import Foundation
import ModelStorage
import NeuralRecognition

/// What is loaded, and how.
struct Loading {
  let model: ModelInspection
  let threads: Int32
  /// The language (BCP 47), for the families that must know it.
  let language: String
  /// The path of the pieces of hotwords, for searches over several paths; nil for greedy search.
  var vocabulary: String?

  fileprivate var method: String { vocabulary == nil ? "greedy_search" : "modified_beam_search" }
  fileprivate var unit: String? { vocabulary == nil ? nil : "bpe" }
  fileprivate var features: SherpaOnnxFeatureConfig {
    SherpaOnnxFeatureConfig(
      sample_rate: SherpaLibrary.sampleRate,
      feature_dim: model.metadata["feat_dim"].flatMap { Int32($0) } ?? 80)
  }
}

/// The library's functions for one kind of recognizer. The functions of its two kinds differ in their names.
struct RecognizerKind {
  /// Whether audio is decoded as it comes.
  var isLive = false
  let create: (Loading) -> OpaquePointer?
  let destroy: (OpaquePointer?) -> Void
  let open: (OpaquePointer?) -> OpaquePointer?
  let openWithHotwords: (OpaquePointer?, UnsafePointer<CChar>?) -> OpaquePointer?
  let close: (OpaquePointer?) -> Void
  let accept: (OpaquePointer?, Int32, UnsafePointer<Float>?, Int32) -> Void
  var end: (OpaquePointer?) -> Void = { _ in }
  /// Decodes what a stream has accepted.
  let decode: (_ recognizer: OpaquePointer, _ stream: OpaquePointer) -> Void
  /// What a stream has recognized; nil if the library returns nothing.
  let tokens: (_ recognizer: OpaquePointer, _ stream: OpaquePointer) -> RecognizedTokens?

  /// Recognizers of whole utterances.
  static var offline: RecognizerKind {
    RecognizerKind(
      create: offline, destroy: SherpaOnnxDestroyOfflineRecognizer, open: SherpaOnnxCreateOfflineStream,
      openWithHotwords: SherpaOnnxCreateOfflineStreamWithHotwords, close: SherpaOnnxDestroyOfflineStream,
      accept: SherpaOnnxAcceptWaveformOffline, decode: { SherpaOnnxDecodeOfflineStream($0, $1) }
    ) { _, stream in
      guard let result = SherpaOnnxGetOfflineStreamResult(stream) else { return nil }
      defer { SherpaOnnxDestroyOfflineRecognizerResult(result) }
      let (found, probabilities) = (result.pointee, result.pointee.ys_log_probs)
      return RecognizedTokens(found.tokens_arr, found.count, found.timestamps, found.durations) { index in
        probabilities.map { Double($0[index]) }
      }
    }
  }

  /// Recognizers of audio as it comes.
  static var online: RecognizerKind {
    RecognizerKind(
      isLive: true, create: online, destroy: SherpaOnnxDestroyOnlineRecognizer,
      open: SherpaOnnxCreateOnlineStream, openWithHotwords: SherpaOnnxCreateOnlineStreamWithHotwords,
      close: SherpaOnnxDestroyOnlineStream, accept: SherpaOnnxOnlineStreamAcceptWaveform,
      end: SherpaOnnxOnlineStreamInputFinished,
      decode: { recognizer, stream in
        while SherpaOnnxIsOnlineStreamReady(recognizer, stream) == 1 {
          SherpaOnnxDecodeOnlineStream(recognizer, stream)
        }
      }
    ) { recognizer, stream in
      guard let result = SherpaOnnxGetOnlineStreamResult(recognizer, stream) else { return nil }
      defer { SherpaOnnxDestroyOnlineRecognizerResult(result) }
      let found = result.pointee
      let probabilities = probabilities(found.json, count: found.count)
      return RecognizedTokens(found.tokens_arr, found.count, found.timestamps, nil) { probabilities?[$0] }
    }
  }

  private static func offline(_ loading: Loading) -> OpaquePointer? {
    let (model, texts) = (loading.model, CTexts())
    // Swift sets every field of a C structure to 0.
    var configuration = SherpaOnnxOfflineRecognizerConfig()
    configuration.feat_config = loading.features
    configuration.decoding_method = texts(loading.method)
    configuration.max_active_paths = BeamSettings.paths
    configuration.hotwords_score = BeamSettings.score
    configuration.model_config.tokens = texts(model.path(.tokens))
    configuration.model_config.num_threads = loading.threads
    configuration.model_config.provider = texts("cpu")
    configuration.model_config.modeling_unit = texts(loading.unit)
    configuration.model_config.bpe_vocab = texts(loading.vocabulary)
    if model.family.isTransducer {
      configuration.model_config.transducer.encoder = texts(model.path(.encoder))
      configuration.model_config.transducer.decoder = texts(model.path(.decoder))
      configuration.model_config.transducer.joiner = texts(model.path(.joiner))
      configuration.model_config.model_type = texts("nemo_transducer")
    } else if model.family == .senseVoice {
      let code = loading.language.split(separator: "-").first.map { $0.lowercased() } ?? ""
      let known = ["zh", "en", "ja", "ko", "yue"].contains(code)
      configuration.model_config.sense_voice.model = texts(model.path(.model))
      configuration.model_config.sense_voice.language = texts(known ? code : "auto")
      configuration.model_config.sense_voice.use_itn = 1
    } else {
      configuration.model_config.nemo_ctc.model = texts(model.path(.model))
    }
    return SherpaOnnxCreateOfflineRecognizer(&configuration)
  }

  private static func online(_ loading: Loading) -> OpaquePointer? {
    let (model, texts) = (loading.model, CTexts())
    var configuration = SherpaOnnxOnlineRecognizerConfig()
    configuration.feat_config = loading.features
    configuration.decoding_method = texts(loading.method)
    configuration.max_active_paths = BeamSettings.paths
    configuration.hotwords_score = BeamSettings.score
    configuration.model_config.tokens = texts(model.path(.tokens))
    configuration.model_config.num_threads = loading.threads
    configuration.model_config.provider = texts("cpu")
    configuration.model_config.modeling_unit = texts(loading.unit)
    configuration.model_config.bpe_vocab = texts(loading.vocabulary)
    configuration.model_config.transducer.encoder = texts(model.path(.encoder))
    configuration.model_config.transducer.decoder = texts(model.path(.decoder))
    configuration.model_config.transducer.joiner = texts(model.path(.joiner))
    configuration.model_config.nemo_ctc.model = texts(model.path(.model))
    return SherpaOnnxCreateOnlineRecognizer(&configuration)
  }

  private struct Probabilities: Decodable {
    // The library's name for their logarithms.
    let ys_probs: [Double]
  }

  /// The logarithms of the tokens' probabilities, which only the JSON text has; nil if there are none.
  private static func probabilities(_ json: UnsafePointer<CChar>?, count: Int32) -> [Double]? {
    guard let json else { return nil }
    let data = Data(bytes: json, count: strlen(json))
    guard let list = try? JSONDecoder().decode(Probabilities.self, from: data).ys_probs else { return nil }
    return list.count == count ? list : nil
  }
}

extension RecognizedTokens {
  /// The tokens of a result of the library.
  fileprivate init(
    _ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int32, _ starts: UnsafePointer<Float>?,
    _ durations: UnsafePointer<Float>?, logProbability: (Int) -> Double?
  ) {
    let count = texts == nil ? 0 : max(0, Int(count))
    self.init(
      tokens: (0..<count).map { index in
        .init(
          bytes: texts?[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? [],
          start: starts.map { Double($0[index]) }, duration: durations.map { Double($0[index]) },
          logProbability: logProbability(index))
      })
  }
}
