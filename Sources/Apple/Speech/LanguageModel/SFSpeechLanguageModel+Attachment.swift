import Foundation
import SpeechServiceProtocol

extension SFSpeechLanguageModel.Configuration {
  /// What a speech service needs of the model.
  /// - Parameter locale: the recognizer's language (BCP 47).
  /// - Throws: `SFSpeechError.malformedSupplementalModel` if there is no such model, or it is for another language.
  func attachment(locale: String) throws -> ServiceConfiguration.LanguageModel {
    let prepared = try PreparedLanguageModel(at: languageModel)
    guard prepared.header.locale == locale else {
      throw SFSpeechError.malformedData(
        "\(languageModel.path) is a language model for \(prepared.header.locale), and the recognizer is for \(locale)."
      )
    }
    if let vocabulary, PreparedLanguageModel.header(of: vocabulary) != prepared.header {
      throw SFSpeechError.malformedData(
        "\(vocabulary.path) is not the vocabulary that was prepared with \(languageModel.path); prepare both again."
      )
    }
    if let weight, !(0...1).contains(weight.doubleValue) {
      throw SFSpeechError.malformedData(
        "The weight of a language model is \(weight); it must be from 0 to 1.")
    }
    return ServiceConfiguration.LanguageModel(
      model: languageModel.path, vocabulary: vocabulary?.path, weight: weight?.doubleValue,
      digest: prepared.header.digest)
  }
}
