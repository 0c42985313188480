extension DictationTranscriber {
  /// Options that go together.
  public struct Preset: Sendable, Equatable, Hashable {
    /// What kind of speech to expect.
    public var contentHints: Set<DictationTranscriber.ContentHint>
    /// How speech is written.
    public var transcriptionOptions: Set<DictationTranscriber.TranscriptionOption>
    /// Which results there are.
    public var reportingOptions: Set<DictationTranscriber.ReportingOption>
    /// What the runs of the text carry.
    public var attributeOptions: Set<DictationTranscriber.ResultAttributeOption>

    /// Each option by its name.
    public init(
      contentHints: Set<ContentHint>, transcriptionOptions: Set<TranscriptionOption>,
      reportingOptions: Set<ReportingOption>,
      attributeOptions: Set<ResultAttributeOption>
    ) {
      self.contentHints = contentHints
      self.transcriptionOptions = transcriptionOptions
      self.reportingOptions = reportingOptions
      self.attributeOptions = attributeOptions
    }

    /// A short phrase, without marks.
    public static let phrase = Preset(
      contentHints: [.shortForm], transcriptionOptions: [], reportingOptions: [], attributeOptions: [])

    /// A sentence or two.
    public static let shortDictation = Preset(
      contentHints: [.shortForm], transcriptionOptions: [.punctuation], reportingOptions: [],
      attributeOptions: [])

    /// A sentence or two, shown as it is spoken.
    public static let progressiveShortDictation = Preset(
      contentHints: [.shortForm], transcriptionOptions: [.punctuation],
      reportingOptions: [.volatileResults, .frequentFinalization], attributeOptions: [])

    /// More than a minute.
    public static let longDictation = Preset(
      contentHints: [], transcriptionOptions: [.punctuation], reportingOptions: [], attributeOptions: [])

    /// More than a minute, shown as it is spoken.
    public static let progressiveLongDictation = Preset(
      contentHints: [], transcriptionOptions: [.punctuation], reportingOptions: [.volatileResults],
      attributeOptions: [])

    /// More than a minute, with the times of words.
    public static let timeIndexedLongDictation = Preset(
      contentHints: [], transcriptionOptions: [.punctuation], reportingOptions: [],
      attributeOptions: [.audioTimeRange])
  }
}
