extension DictationTranscriber {
  /// How speech is written.
  public enum TranscriptionOption: CaseIterable, Sendable, Equatable, Hashable {
    /// Capitals and marks: by the pauses between words, and those that are spoken, such as "comma".
    case punctuation
    /// Spoken names of emoji as emoji. No effect on Linux: the recognizer's words name none.
    case emoji
    /// Coarse words are written with all but their first letter hidden.
    case etiquetteReplacements
  }

  /// Which results there are.
  public enum ReportingOption: CaseIterable, Sendable, Equatable, Hashable {
    /// Results that may still change, as soon as there is something to tell.
    case volatileResults
    /// Other readings of final results.
    case alternativeTranscriptions
    /// Finals sooner: shorter pauses end what is recognized at a time.
    case frequentFinalization
  }

  /// What the runs of a result's text carry.
  public enum ResultAttributeOption: CaseIterable, Sendable, Equatable, Hashable {
    /// `audioTimeRange`: when a word was said.
    case audioTimeRange
    /// `transcriptionConfidence`, 0 to 1, in final results.
    case transcriptionConfidence
  }
}
