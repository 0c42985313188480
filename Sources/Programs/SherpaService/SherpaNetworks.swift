import ModelStorage
import NeuralRecognition

/// The settings of the searches over several paths.
enum BeamSettings {
  static let paths: Int32 = 4
  /// The bonus of each token of a phrase. It finds phrases; whether they are kept is decided without it.
  static let score: Float = 3
}

/// The networks of a model in the library.
final class SherpaNetworks {
  fileprivate let kind: RecognizerKind
  private let greedy: OpaquePointer
  private let beam: OpaquePointer?
  /// Silence that is added to an utterance, so that its last chunk is full: the network sees whole chunks only. Empty for
  /// a network that sees the whole utterance.
  fileprivate let tail: [Float]

  /// Loads a model that has been inspected.
  /// - Parameter loading: with a vocabulary for searches over several paths, too.
  /// - Throws: `NeuralError`.
  init(_ loading: Loading) throws(NeuralError) {
    let model = loading.model
    kind = model.family.isStreaming ? .online : .offline
    let keys = ["window_size", "T", "left_feature_frames", "chunk_feature_frames", "right_feature_frames"]
    let frames = keys.compactMap { model.metadata[$0].flatMap { Int($0) } }.reduce(0, +)
    // A frame is a hundredth of a second.
    tail = kind.isLive ? [Float](repeating: 0, count: 160 * (min(max(frames, 50), 3000) + 30)) : []
    var simple = loading
    simple.vocabulary = nil
    guard let greedy = kind.create(simple) else { throw .notLoaded(model.folder) }
    self.greedy = greedy
    beam = loading.vocabulary == nil ? nil : kind.create(loading)
    guard loading.vocabulary == nil || hasBeam else { throw .notLoaded(model.folder) }
  }

  deinit {
    kind.destroy(greedy)
    if let beam { kind.destroy(beam) }
  }

  /// Whether the model was loaded for searches over several paths.
  var hasBeam: Bool { beam != nil }

  /// An utterance that is decoded as it comes; nil if the model takes whole utterances.
  func live() -> (any LiveDecoding)? { kind.isLive ? UtteranceStream(self, greedy) : nil }

  /// Decodes an utterance.
  /// - Parameters:
  ///   - samples: 16 kHz, from -1 to 1.
  ///   - overPaths: whether the search follows several paths, if the model was loaded for it.
  ///   - hotwords: phrases that get a bonus in a search over several paths, as `Hotwords.line` gives them.
  /// - Throws: `NeuralError`.
  func decode(
    _ samples: [Float], overPaths: Bool, hotwords: String? = nil
  ) throws(NeuralError) -> RecognizedTokens {
    guard hotwords == nil || hasBeam,
      let stream = UtteranceStream(self, overPaths ? beam ?? greedy : greedy, hotwords: hotwords)
    else { throw .failed("decode an utterance") }
    stream.append(samples)
    stream.end()
    guard let tokens = stream.found else { throw .failed("decode an utterance") }
    return tokens
  }
}

/// One utterance in the library.
private final class UtteranceStream: LiveDecoding {
  private let recognizer: OpaquePointer
  private let stream: OpaquePointer
  /// Keeps the recognizer.
  private let networks: SherpaNetworks
  private var kind: RecognizerKind { networks.kind }

  init?(_ networks: SherpaNetworks, _ recognizer: OpaquePointer, hotwords: String? = nil) {
    let kind = networks.kind
    let opened = hotwords.map { kind.openWithHotwords(recognizer, $0) } ?? kind.open(recognizer)
    guard let opened else { return nil }
    (self.networks, self.recognizer, stream) = (networks, recognizer, opened)
  }

  deinit { kind.close(stream) }

  func append(_ samples: [Float]) {
    kind.accept(stream, SherpaLibrary.sampleRate, samples, Int32(samples.count))
    if kind.isLive { kind.decode(recognizer, stream) }
  }

  /// Decodes the rest of the utterance.
  func end() {
    if !networks.tail.isEmpty { append(networks.tail) }
    kind.end(stream)
    kind.decode(recognizer, stream)
  }

  func finish() -> RecognizedTokens {
    end()
    return tokens
  }

  /// What is recognized so far; nil if the library returns nothing.
  var found: RecognizedTokens? { kind.tokens(recognizer, stream) }

  var tokens: RecognizedTokens { found ?? .none }
}
