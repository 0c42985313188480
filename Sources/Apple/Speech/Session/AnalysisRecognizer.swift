import SpeechServiceProtocol

/// A recognition as an analyzer needs it: of samples with places, which can be told to commit. Every call
/// returns at once, and calls take effect in their order.
protocol AnalysisRecognizer: Recognition {
  /// Takes more audio: 16 kHz, mono.
  func append(_ samples: [Int16])
  /// Ends the utterance that is open, and tells `RecognitionEvent.flushed` when everything has its result.
  func flush(_ token: Int, isLast: Bool)
  /// Goes on with audio whose first sample is at `place`.
  func skip(to place: Int)
  /// Wants no results of whole utterances that end before `place` any more.
  func drop(before place: Int)
  /// Decodes what is not cut into utterances yet by another configuration of the same language and mode.
  func reconfigure(_ wanted: ServiceConfiguration)
}

extension StreamRecognition: AnalysisRecognizer {}
