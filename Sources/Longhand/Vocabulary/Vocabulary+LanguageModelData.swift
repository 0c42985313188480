import Foundation
import Speech

extension Vocabulary {
  /// What a custom language model is prepared from: the phrases, the templates, each term once, and the pronunciations.
  /// - Parameter version: tells this content from any other.
  public func languageModelData(version: String) -> SFCustomLanguageModelData {
    SFCustomLanguageModelData(
      locale: Locale(identifier: locale), identifier: "longhand.vocabulary.\(name)", version: version
    ) {
      for phrase in phrases {
        SFCustomLanguageModelData.PhraseCount(phrase: phrase.text, count: phrase.count)
      }
      for term in terms { SFCustomLanguageModelData.PhraseCount(phrase: term.text, count: 1) }
      SFCustomLanguageModelData.PhraseCountsFromTemplates(classes: classes) {
        for template in templates {
          SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template(
            template.text, count: template.count)
        }
      }
      for term in terms where !term.pronunciations.isEmpty {
        SFCustomLanguageModelData.CustomPronunciation(grapheme: term.text, phonemes: term.pronunciations)
      }
    }
  }
}
