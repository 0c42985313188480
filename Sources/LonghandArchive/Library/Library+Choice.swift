import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandVocabulary

extension Library {
  /// The options with what a person chose for one recording, which is kept with it.
  /// - Throws: `StoreError` if the library has no such vocabulary, `VocabularyError` if it cannot be used.
  package func options(
    _ options: TranscriptionOptions, _ choice: RecognitionChoice
  ) async throws -> TranscriptionOptions {
    var options = options
    options.choice = choice
    if let locale = choice.locale { options.locale = Locale(identifier: locale) }
    if let model = choice.model { options.model = .named(model) }
    if let name = choice.vocabulary {
      let words = try vocabularies.words(named: name)
      guard words.exists else { throw words.error("the library has no vocabulary '\(name)'") }
      options.languageModel = try await .cached(words.file)
    }
    options.voices = choice.voices ?? options.voices
    // The number of voices is that of the whole recording.
    if case .exactly = choice.voices { options.channels = .mix }
    return options
  }
}
