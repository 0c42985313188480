/// Which generation of the Speech framework listens.
public enum EngineSelection: String, CaseIterable, Hashable, Sendable {
  /// The analyzer where there is one for the language, else recognition tasks.
  case automatic
  /// `SpeechAnalyzer` with a detector of speech.
  case analyzer
  /// `SFSpeechRecognizer` and its recognition tasks.
  case rolling
}
