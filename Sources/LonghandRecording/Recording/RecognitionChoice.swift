/// What a person chose for the transcription of one recording. What is nil is as the program has it for all.
package struct RecognitionChoice: Sendable, Hashable, Codable {
  /// The language (BCP 47); `auto` if it is to be detected.
  package var locale: String?
  /// The name of an installed model.
  package var model: String?
  /// The name of a vocabulary of the library.
  package var vocabulary: String?
  /// The number of voices to separate.
  package var voices: VoiceCount?

  package init(
    locale: String? = nil, model: String? = nil, vocabulary: String? = nil, voices: VoiceCount? = nil
  ) {
    self.locale = locale
    self.model = model
    self.vocabulary = vocabulary
    self.voices = voices
  }
}
