extension DictationTranscriber {
  /// What kind of speech to expect. On Linux only a custom language model makes a difference.
  public struct ContentHint: Sendable, Equatable, Hashable {
    private enum Kind: Hashable {
      case shortForm, farField, atypicalSpeech
      case customizedLanguage(SFSpeechLanguageModel.Configuration)
    }

    private let kind: Kind

    /// Less than a minute.
    public static let shortForm = ContentHint(kind: .shortForm)
    /// Spoken from far away.
    public static let farField = ContentHint(kind: .farField)
    /// Speech with an accent or an impediment.
    public static let atypicalSpeech = ContentHint(kind: .atypicalSpeech)

    /// A custom language model, prepared by `SFSpeechLanguageModel`. Analysis with one that is not there, or for another
    /// language, fails with `SFSpeechError.malformedSupplementalModel`.
    public static func customizedLanguage(
      modelConfiguration: SFSpeechLanguageModel.Configuration
    ) -> DictationTranscriber.ContentHint {
      ContentHint(kind: .customizedLanguage(modelConfiguration))
    }

    /// The custom language model, if this is one.
    var customModel: SFSpeechLanguageModel.Configuration? {
      guard case .customizedLanguage(let model) = kind else { return nil }
      return model
    }
  }
}
