import AVFAudio

/// One kind of analysis that a `SpeechAnalyzer` does, and where its results come out.
///
/// A module belongs to the analyzer that it is first given to.
public protocol SpeechModule: AnyObject, Sendable {
  /// What was found, in the order of the audio.
  ///
  /// Results wait until they are read, also those published before the first iteration. The sequence ends when the
  /// analyzer finishes, and throws what the analysis failed of.
  var results: Self.Results { get }
  /// The type of `results`.
  associatedtype Results: Sendable, AsyncSequence where Self.Results.Failure == any Error
  /// What is found.
  associatedtype Result: SpeechModuleResult, Sendable where Self.Result == Self.Results.Element
  /// The formats that the module takes, the best first; empty if what it needs is not installed.
  var availableCompatibleAudioFormats: [AVAudioFormat] { get async }
}
