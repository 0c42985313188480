import CSherpaOnnx
import Foundation
import ModelStorage
import NeuralRecognition

/// A model that decodes audio as it comes.
final class OnlineEngine: SherpaNetworks {
  private let greedy: OpaquePointer
  private let beam: OpaquePointer?
  /// Silence that is added to an utterance, so that its last chunk is full: the network sees whole chunks only.
  private let tail: [Float]

  /// Loads a model that has been inspected.
  /// - Parameter vocabulary: the path of the pieces of hotwords; nil for no searches over several paths.
  /// - Throws: `NeuralError`.
  init(_ model: ModelInspection, threads: Int32, vocabulary: String?) throws(NeuralError) {
    let keys = ["window_size", "T", "left_feature_frames", "chunk_feature_frames", "right_feature_frames"]
    let frames = keys.compactMap { model.metadata[$0].flatMap { Int($0) } }.reduce(0, +)
    // A frame is a hundredth of a second.
    tail = [Float](repeating: 0, count: 160 * (min(max(frames, 50), 3000) + 30))
    let texts = CTexts()
    var configuration = SherpaOnnxOnlineRecognizerConfig()
    configuration.feat_config.sample_rate = SherpaLibrary.sampleRate
    configuration.feat_config.feature_dim = model.metadata["feat_dim"].flatMap { Int32($0) } ?? 80
    configuration.decoding_method = texts("greedy_search")
    configuration.model_config.tokens = texts(model.path(.tokens))
    configuration.model_config.num_threads = threads
    configuration.model_config.provider = texts("cpu")
    if !model.family.isTransducer {
      configuration.model_config.nemo_ctc.model = texts(model.path(.model))
    } else {
      configuration.model_config.transducer.encoder = texts(model.path(.encoder))
      configuration.model_config.transducer.decoder = texts(model.path(.decoder))
      configuration.model_config.transducer.joiner = texts(model.path(.joiner))
    }
    guard let greedy = SherpaOnnxCreateOnlineRecognizer(&configuration) else {
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
    guard let beam = SherpaOnnxCreateOnlineRecognizer(&configuration) else {
      SherpaOnnxDestroyOnlineRecognizer(greedy)
      throw .notLoaded(model.folder)
    }
    self.beam = beam
  }

  deinit {
    SherpaOnnxDestroyOnlineRecognizer(greedy)
    if let beam { SherpaOnnxDestroyOnlineRecognizer(beam) }
  }

  var hasBeam: Bool { beam != nil }

  func live() -> LiveStream? { LiveStream(recognizer: greedy, hotwords: nil, tail: tail, owner: self) }

  func decode(_ samples: [Float], search: Search) throws(NeuralError) -> RecognizedTokens {
    var phrases: String?
    if case .biased(let line) = search { phrases = line }
    let recognizer = search == .greedy ? greedy : beam ?? greedy
    guard let stream = LiveStream(recognizer: recognizer, hotwords: phrases, tail: tail, owner: self) else {
      throw .failed("decode an utterance")
    }
    stream.append(samples)
    return stream.finish()
  }
}

/// One utterance that is decoded as it comes.
final class LiveStream: LiveDecoding {
  private let recognizer: OpaquePointer
  private let stream: OpaquePointer
  private let tail: [Float]
  /// Keeps the recognizer.
  private let owner: OnlineEngine

  init?(recognizer: OpaquePointer, hotwords: String?, tail: [Float], owner: OnlineEngine) {
    let opened =
      hotwords.map { SherpaOnnxCreateOnlineStreamWithHotwords(recognizer, $0) }
      ?? SherpaOnnxCreateOnlineStream(recognizer)
    guard let opened else { return nil }
    self.recognizer = recognizer
    stream = opened
    self.tail = tail
    self.owner = owner
  }

  deinit { SherpaOnnxDestroyOnlineStream(stream) }

  /// Decodes more of the utterance: 16 kHz, from -1 to 1.
  func append(_ samples: [Float]) {
    SherpaOnnxOnlineStreamAcceptWaveform(stream, SherpaLibrary.sampleRate, samples, Int32(samples.count))
    decode()
  }

  /// Decodes the rest of the utterance.
  func finish() -> RecognizedTokens {
    SherpaOnnxOnlineStreamAcceptWaveform(stream, SherpaLibrary.sampleRate, tail, Int32(tail.count))
    SherpaOnnxOnlineStreamInputFinished(stream)
    decode()
    return tokens
  }

  /// What is recognized so far.
  var tokens: RecognizedTokens {
    guard let result = SherpaOnnxGetOnlineStreamResult(recognizer, stream) else { return .none }
    defer { SherpaOnnxDestroyOnlineRecognizerResult(result) }
    let count = max(0, Int(result.pointee.count))
    guard let tokens = result.pointee.tokens_arr, count > 0 else { return .none }
    let probabilities = Self.probabilities(result.pointee.json, count: count)
    return RecognizedTokens(
      tokens: (0..<count).map { index in
        .init(
          bytes: tokens[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? [],
          start: result.pointee.timestamps.map { Double($0[index]) },
          logProbability: probabilities.map { $0[index] })
      })
  }

  private func decode() {
    while SherpaOnnxIsOnlineStreamReady(recognizer, stream) == 1 {
      SherpaOnnxDecodeOnlineStream(recognizer, stream)
    }
  }

  private struct Probabilities: Decodable {
    // The library's name for their logarithms.
    let ys_probs: [Double]
  }

  /// The logarithms of the tokens' probabilities, which only the JSON text has; nil if there are none.
  private static func probabilities(_ json: UnsafePointer<CChar>?, count: Int) -> [Double]? {
    guard let json else { return nil }
    let data = Data(bytes: json, count: strlen(json))
    guard let list = try? JSONDecoder().decode(Probabilities.self, from: data).ys_probs else { return nil }
    return list.count == count ? list : nil
  }
}
