/// How recognized words are written.
struct TranscriptionStyle: Sendable, Equatable {
  /// Sentences get capitals, full stops and commas by the pauses between words.
  var addsSentenceMarks = false
  /// Spoken marks such as "comma" are written as marks.
  var writesSpokenMarks = false
}
