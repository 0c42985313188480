extension SpeechTranscriber {
  /// How text is written.
  public enum TranscriptionOption: CaseIterable, Sendable, Equatable, Hashable {
    /// Replaces all letters but the first of coarse words by asterisks.
    case etiquetteReplacements

    /// All options.
    public static let allCases: [SpeechTranscriber.TranscriptionOption] = [.etiquetteReplacements]
  }

  /// Which results are published.
  public enum ReportingOption: CaseIterable, Sendable, Equatable, Hashable {
    /// Results that may still change, as early as possible.
    case volatileResults
    /// Alternatives for final results.
    case alternativeTranscriptions
    /// Earlier final results: shorter pauses end an utterance.
    case fastResults
  }

  /// The attributes of a result's text.
  public enum ResultAttributeOption: CaseIterable, Sendable, Equatable, Hashable {
    /// `audioTimeRange`: when a word was spoken.
    case audioTimeRange
    /// `transcriptionConfidence`, from 0 to 1, in final results.
    case transcriptionConfidence
  }

  /// A set of options for one use.
  public struct Preset: Sendable, Equatable, Hashable {
    /// How text is written.
    public var transcriptionOptions: Set<SpeechTranscriber.TranscriptionOption>
    /// Which results are published.
    public var reportingOptions: Set<SpeechTranscriber.ReportingOption>
    /// The attributes of a result's text.
    public var attributeOptions: Set<SpeechTranscriber.ResultAttributeOption>

    /// Creates a preset of your own, for example from a changed copy of another one.
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

    /// Final results with alternatives.
    public static let transcriptionWithAlternatives = Preset(
      transcriptionOptions: [], reportingOptions: [.alternativeTranscriptions], attributeOptions: [])

    /// Final results with alternatives and the times of words.
    public static let timeIndexedTranscriptionWithAlternatives = Preset(
      transcriptionOptions: [], reportingOptions: [.alternativeTranscriptions],
      attributeOptions: [.audioTimeRange])

    /// Results as early as possible.
    public static let progressiveTranscription = Preset(
      transcriptionOptions: [], reportingOptions: [.volatileResults, .fastResults], attributeOptions: [])

    /// Results as early as possible, with the times of words.
    public static let timeIndexedProgressiveTranscription = Preset(
      transcriptionOptions: [], reportingOptions: [.volatileResults, .fastResults],
      attributeOptions: [.audioTimeRange])
  }
}
