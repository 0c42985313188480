/// How a network's output is searched.
enum Search: Equatable {
  /// The best token at each step.
  case greedy
  /// Several paths. Only transducers have it.
  case beam
  /// Several paths, with phrases that get a bonus, as `Hotwords.line` gives them.
  case biased(String)
}

/// The networks of a model in the library.
protocol NeuralEngine: AnyObject {
  /// Whether the model was loaded for searches over several paths.
  var hasBeam: Bool { get }

  /// Decodes an utterance.
  /// - Parameter samples: 16 kHz, from -1 to 1.
  /// - Throws: `NeuralError`.
  func decode(_ samples: [Float], search: Search) throws(NeuralError) -> RecognizedTokens

  /// A stream of one utterance that is decoded as it comes; nil if the model takes whole utterances.
  func live() -> LiveStream?
}

/// The settings of the searches over several paths.
enum BeamSettings {
  static let paths: Int32 = 4
  /// The bonus of each token of a phrase. It finds phrases; whether they stand is decided without it.
  static let score: Float = 3
}
