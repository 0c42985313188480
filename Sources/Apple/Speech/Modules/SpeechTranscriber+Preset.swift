extension SpeechTranscriber {
  /// Options that go together.
  public struct Preset: Sendable, Equatable, Hashable {
    /// How speech is written.
    public var transcriptionOptions: Set<SpeechTranscriber.TranscriptionOption>
    /// Which results there are.
    public var reportingOptions: Set<SpeechTranscriber.ReportingOption>
    /// What the runs of the text carry.
    public var attributeOptions: Set<SpeechTranscriber.ResultAttributeOption>

    /// Each option by its name.
    public init(
      transcriptionOptions: Set<TranscriptionOption>, reportingOptions: Set<ReportingOption>,
      attributeOptions: Set<ResultAttributeOption>
    ) {
      self.transcriptionOptions = transcriptionOptions
      self.reportingOptions = reportingOptions
      self.attributeOptions = attributeOptions
    }

    /// Final results only.
    public static let transcription = Preset(
      transcriptionOptions: [], reportingOptions: [], attributeOptions: [])

    /// Final results with other readings.
    public static let transcriptionWithAlternatives = Preset(
      transcriptionOptions: [], reportingOptions: [.alternativeTranscriptions], attributeOptions: [])

    /// Final results with other readings and the times of words.
    public static let timeIndexedTranscriptionWithAlternatives = Preset(
      transcriptionOptions: [], reportingOptions: [.alternativeTranscriptions],
      attributeOptions: [.audioTimeRange])

    /// Results as soon as possible.
    public static let progressiveTranscription = Preset(
      transcriptionOptions: [], reportingOptions: [.volatileResults, .fastResults], attributeOptions: [])

    /// Results as soon as possible, with the times of words.
    public static let timeIndexedProgressiveTranscription = Preset(
      transcriptionOptions: [], reportingOptions: [.volatileResults, .fastResults],
      attributeOptions: [.audioTimeRange])
  }
}
