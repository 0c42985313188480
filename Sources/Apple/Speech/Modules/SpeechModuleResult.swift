import CoreMedia

/// What a module found in a stretch of audio.
public protocol SpeechModuleResult {
  /// The audio that the result is about, on the analyzer's timeline.
  var range: CMTimeRange { get }
  /// The audio before this time is final: its results never change again.
  var resultsFinalizationTime: CMTime { get }
}

extension SpeechModuleResult {
  /// Whether the result never changes again: `resultsFinalizationTime` is not before the end of `range`.
  public var isFinal: Bool { resultsFinalizationTime >= range.end }
}
