/// By what a candidate was chosen: the names that `Segment.Selection` and the store keep. They never change.
///
/// | name | what it does |
/// | --- | --- |
/// | `recognizer` | the recognizer's own first choice stands |
/// | `editorial-formatting` | the same words, written as a short list of compounds wants it |
/// | `redundant-name` | the same words less the beginning of a name that was heard twice |
/// | `contextual-phrase` | the same words but a phrase that the words around it decide |
/// | `language-model` | a language model named another candidate in time |
/// | `user` | somebody chose it |
public enum RerankingRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// The recognizer's own first choice stands.
  case recognizer
  /// The same words, written as a short list of compounds wants it: `EditorialFormattingSelector`.
  case editorialFormatting = "editorial-formatting"
  /// The same words less the beginning of a name that was heard twice: `RedundantNameSelector`.
  case redundantName = "redundant-name"
  /// The same words but a phrase that the words around it decide: `ContextualPhraseSelector`.
  case contextualPhrase = "contextual-phrase"
  /// A language model named another candidate in time: `CandidateJudge`.
  case languageModel = "language-model"
  /// Somebody chose it: `TranscriptStore.choose(_:of:in:)`.
  case user
}
