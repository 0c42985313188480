extension DictationTranscriber {
  /// The kind of speech to expect. On Linux only a custom language model has an effect.
  public struct ContentHint: Sendable, Equatable, Hashable {
    private enum Kind: Hashable {
      case shortForm, farField, atypicalSpeech
      case customizedLanguage(SFSpeechLanguageModel.Configuration)
    }

    private let kind: Kind

    /// Less than a minute.
    public static let shortForm = ContentHint(kind: .shortForm)
    /// Spoken far from the microphone.
    public static let farField = ContentHint(kind: .farField)
    /// Speech with an accent or an impediment.
    public static let atypicalSpeech = ContentHint(kind: .atypicalSpeech)

    /// A custom language model, prepared by `SFSpeechLanguageModel`. The analysis fails with
    /// `SFSpeechError.malformedSupplementalModel` if the model does not exist or is for another language.
    public static func customizedLanguage(
      modelConfiguration: SFSpeechLanguageModel.Configuration
    ) -> DictationTranscriber.ContentHint {
      ContentHint(kind: .customizedLanguage(modelConfiguration))
    }

    /// The custom language model, if this hint is one.
    var customModel: SFSpeechLanguageModel.Configuration? {
      guard case .customizedLanguage(let model) = kind else { return nil }
      return model
    }
  }

  /// How text is written.
  public enum TranscriptionOption: CaseIterable, Sendable, Equatable, Hashable {
    /// Adds capitals and punctuation: from the pauses between words, and for spoken marks, such as "comma".
    case punctuation
    /// Writes spoken names of emoji as emoji. No effect on Linux: the recognizer knows no names of emoji.
    case emoji
    /// Replaces all letters but the first of coarse words by asterisks.
    case etiquetteReplacements
  }

  /// Which results are published.
  public enum ReportingOption: CaseIterable, Sendable, Equatable, Hashable {
    /// Results that may still change, as early as possible.
    case volatileResults
    /// Alternatives for final results.
    case alternativeTranscriptions
    /// Earlier final results: shorter pauses end an utterance.
    case frequentFinalization
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
    /// The kind of speech to expect.
    public var contentHints: Set<DictationTranscriber.ContentHint>
    /// How text is written.
    public var transcriptionOptions: Set<DictationTranscriber.TranscriptionOption>
    /// Which results are published.
    public var reportingOptions: Set<DictationTranscriber.ReportingOption>
    /// The attributes of a result's text.
    public var attributeOptions: Set<DictationTranscriber.ResultAttributeOption>

    /// Creates a preset of your own, for example from a changed copy of another one.
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

    /// A short phrase, without punctuation.
    public static let phrase = Preset(
      contentHints: [.shortForm], transcriptionOptions: [], reportingOptions: [], attributeOptions: [])

    /// A sentence or two.
    public static let shortDictation = Preset(
      contentHints: [.shortForm], transcriptionOptions: [.punctuation], reportingOptions: [],
      attributeOptions: [])

    /// A sentence or two, shown while it is spoken.
    public static let progressiveShortDictation = Preset(
      contentHints: [.shortForm], transcriptionOptions: [.punctuation],
      reportingOptions: [.volatileResults, .frequentFinalization], attributeOptions: [])

    /// More than a minute.
    public static let longDictation = Preset(
      contentHints: [], transcriptionOptions: [.punctuation], reportingOptions: [], attributeOptions: [])

    /// More than a minute, shown while it is spoken.
    public static let progressiveLongDictation = Preset(
      contentHints: [], transcriptionOptions: [.punctuation], reportingOptions: [.volatileResults],
      attributeOptions: [])

    /// More than a minute, with the times of words.
    public static let timeIndexedLongDictation = Preset(
      contentHints: [], transcriptionOptions: [.punctuation], reportingOptions: [],
      attributeOptions: [.audioTimeRange])
  }
}
