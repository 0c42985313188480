/// What kind of speech to expect.
public enum SFSpeechRecognitionTaskHint: Int, Sendable {
  /// Nothing is known.
  case unspecified = 0
  /// Free speech; with `addsPunctuation`, spoken marks such as "comma" and "new line" are written as marks.
  case dictation = 1
  /// A few words to search for: no sentence marks are added.
  case search = 2
  /// A word such as "yes", "no" or "maybe", which then is likelier than other words.
  case confirmation = 3
}
