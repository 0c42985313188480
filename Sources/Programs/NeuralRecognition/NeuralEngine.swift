import ServiceSupport
import RecognitionProtocol

/// What is wanted of a decoding.
package struct DecodingRequest: Equatable {
  /// The paths that the search follows; 1 takes the best token at each step.
  package var beams = 1
  /// How many hypotheses are wanted. An engine may return fewer.
  package var count = 1
  /// Phrases that get a bonus.
  package var phrases: [String] = []

  /// Whether the utterance has not ended, so that its text is soon replaced.
  package var isUnfinished = false

  /// Greedy search: the best token at each step.
  package static var greedy: DecodingRequest { DecodingRequest() }

  /// Greedy search in an utterance that has not ended.
  package static var unfinished: DecodingRequest {
    var request = DecodingRequest()
    request.isUnfinished = true
    return request
  }
}

/// What an engine can do with its model.
package struct NeuralCapabilities: Equatable {
  /// What the service reports to its client.
  package var service: ServiceReply.Capabilities
  /// The paths of a search over several; 1 if the engine has none.
  package var beams = 1
  /// Whether one search finds all hypotheses, also those with phrases. Otherwise a search over several paths is a second one.
  package var listsHypotheses = false
  /// Whether the tokens have marks of the beginnings of words.
  package var hasMarks = true
  /// Whether tokens last until the next one begins, also through a pause, as the attention of a decoder does.
  package var tokensLastThroughPauses = false
  /// When unfinished utterances are decoded.
  package var pace = PartialPace.Settings()

  package init(_ service: ServiceReply.Capabilities) { self.service = service }
}

/// A library with a model, in this process. Use it from one thread at a time.
package protocol NeuralEngine: AnyObject {
  /// The recognizer that it is.
  static var recognizer: Recognizer { get }
  /// The library's version.
  static var version: String { get }
  /// What this machine lacks, so that the library is slower than elsewhere; nil if nothing.
  static var missing: String? { get }
  /// What it can do.
  var capabilities: NeuralCapabilities { get }

  /// Loads the model that the configuration names.
  init(configuration: ServiceConfiguration) throws(NeuralError)

  /// Whether the engine can serve another configuration with the networks that it has loaded, which it then does.
  func reconfigure(_ wanted: ServiceConfiguration, from current: ServiceConfiguration) -> Bool

  /// Decodes audio.
  /// - Parameter samples: 16 kHz, from -1 to 1; at least half a second.
  /// - Returns: the hypotheses, the best first; at least one. A bonus of a phrase is not counted in their probabilities.
  /// - Throws: `NeuralError`.
  func decode(_ samples: [Float], _ request: DecodingRequest) throws(NeuralError) -> [RecognizedTokens]

  /// How much likelier than the first one texts are, as logarithms; nil if the engine does not know.
  func scores(of texts: [String], in samples: [Float]) throws(NeuralError) -> [Double]?

  /// Whether a search can prefer one of these phrases at all.
  func takes(_ phrases: [String]) -> Bool

  /// Which words of a text are of phrases that a search preferred; nil if the engine does not know.
  func areOfPhrases(_ words: [String], _ phrases: [String]) -> [Bool]?

  /// What turns the confidences of words into probabilities that they are right; nil if this was not measured.
  /// - Parameters:
  ///   - words: those of a hypothesis.
  ///   - language: the one that was detected, if it was.
  func calibration(
    of words: [ServiceHypothesis.Word], detected language: ServiceHypothesis.Language?
  ) -> ConfidenceCalibration?

  /// Whether one token writes a word as a whole.
  func isWhole(_ word: String) -> Bool

  /// An utterance that is decoded as it comes; nil if the model takes whole utterances.
  func live() -> (any LiveDecoding)?
}

extension NeuralEngine {
  package static var missing: String? { nil }
  package func calibration(
    of words: [ServiceHypothesis.Word], detected language: ServiceHypothesis.Language?
  ) -> ConfidenceCalibration? { nil }
  package func isWhole(_ word: String) -> Bool { true }
  package func areOfPhrases(_ words: [String], _ phrases: [String]) -> [Bool]? { nil }
  package func scores(of texts: [String], in samples: [Float]) throws(NeuralError) -> [Double]? { nil }
}

/// One utterance that is decoded as it comes.
package protocol LiveDecoding: AnyObject {
  /// Decodes more of the utterance: 16 kHz, from -1 to 1.
  func append(_ samples: [Float])
  /// What is recognized so far.
  var tokens: RecognizedTokens { get }
  /// Decodes the rest of the utterance.
  func finish() -> RecognizedTokens
}

/// Why a model cannot be used, or did not decode, for the client.
package enum NeuralError: Error, CustomStringConvertible {
  /// No model was named.
  case noModel
  /// The folder cannot be used as a model.
  case model(String)
  /// The library is of another version than its header.
  case version(library: String, found: String, needed: String)
  /// The library cannot load a model that has passed the inspection.
  case notLoaded(String)
  /// The library returned nothing; what it should have done.
  case failed(String)
  /// The utterance is longer than the networks can take.
  case tooLong(seconds: Int)

  package var description: String {
    switch self {
    case .noModel: "No model was named. Install one with 'longhand models install' and name it with --model."
    case .model(let reason): reason
    case .version(let library, let found, let needed):
      "The library \(library) is of version \(found), but \(needed) is needed. Run 'make setup'."
    case .notLoaded(let folder):
      "The model in \(folder) could not be loaded. Check it with 'longhand models verify', or install it again."
    case .failed(let purpose): "The model failed to \(purpose)."
    case .tooLong(let seconds): "The utterance is longer than \(seconds) seconds."
    }
  }
}
