import Foundation
import Longhand
import Testing

@testable import LonghandCommand

/// How `longhand vocabulary check` transcribes.
@Suite struct VocabularyTrialOptionsTests {
  @Test(arguments: ["de-DE", "ru-RU", "en-GB"]) func recordingsAreInTheVocabularysLanguage(_ locale: String) {
    var vocabulary = Vocabulary(name: "a")
    vocabulary.locale = locale
    #expect(TranscriptionOptions.checking(vocabulary).locale.identifier(.bcp47) == locale)
  }

  /// As without `--locale`.
  @Test func languageThatNoFileNamesIsDetected() {
    let options = TranscriptionOptions.checking(Vocabulary(name: "a"))
    #expect(options.locale == TranscriptionOptions.unnamedLanguage(options.model))
  }
}
