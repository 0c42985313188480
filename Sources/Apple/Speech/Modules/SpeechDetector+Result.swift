import CoreMedia

extension SpeechDetector {
  /// Whether there is speech in a stretch of audio.
  public struct Result: SpeechModuleResult, Sendable, CustomStringConvertible {
    /// The audio that the result is about, on the analyzer's timeline.
    public let range: CMTimeRange
    /// The audio before this time is final.
    public let resultsFinalizationTime: CMTime
    /// Whether there is speech.
    public let speechDetected: Bool

    init(range: Range<Int>, finalizationPlace: Int, speechDetected: Bool) {
      self.range = CMTimeRange(
        start: AnalysisTimeline.time(of: range.lowerBound), end: AnalysisTimeline.time(of: range.upperBound))
      resultsFinalizationTime = AnalysisTimeline.time(of: finalizationPlace)
      self.speechDetected = speechDetected
    }

    /// The range in seconds, whether it is final, and whether there is speech.
    public var description: String {
      ResultDescription.text(of: self, speechDetected ? "speech" : "no speech")
    }
  }
}
