import Foundation
import ModelStorage
import RecognitionProtocol

/// A model by which this framework recognizes speech. Apple's framework has no such type: there the system chooses.
///
/// ```swift
/// print(SpeechModel.used(for: Locale(identifier: "en-US"))?.name ?? "none")
/// ```
public struct SpeechModel: Sendable, Hashable {
  /// By the name of a model, the one that is asked where it is in doubt. Only these were measured.
  private static let witnesses = ["whisper-base": "whisper-tiny-en"]
  /// The name of the model that comes with PocketSphinx.
  public static let embedded = Recognizer.pocketSphinx.id
  /// The name of the model to use where none is named: `SPEECH_MODEL`; nil for the best that is installed for the language.
  static var usual: String? {
    ProcessInfo.processInfo.environment["SPEECH_MODEL"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The name of the model.
  public let name: String
  /// A SHA-256 digest of its files, in lower-case hexadecimal digits; nil for a model that comes with its recognizer.
  public let sha256: String?
  /// Whether the model writes capitals and punctuation.
  public let isPunctuated: Bool
  /// Whether it came with its recognizer, so that no user has installed it.
  public let isEmbedded: Bool
  /// Whether it finds the language of speech by its sound.
  package let detectsLanguage: Bool
  /// Whether it can write in English what is said in another language: Whisper's models of several languages learned both.
  package var translates: Bool { detectsLanguage }
  /// The model as a service loads it.
  package let reference: ModelReference

  /// The most phrases that a recognizer can expect.
  package static let maxPhrases = ServiceConfiguration.maxPhrases

  /// What recognizers take of a domain, by their names.
  package static var recognizersOfDomains: [(name: String, usesLanguageModels: Bool, reader: String?)] {
    Recognizer.all.map {
      (
        $0.id, $0.usesLanguageModels,
        $0.assistant.flatMap { $0.tasks.contains(.domain) ? $0.recognizer : nil }
      )
    }
  }

  /// Whether words of a language have pronunciations, so that a vocabulary can give more. Others are expected by their spelling.
  package static func hasDictionary(for locale: Locale) -> Bool { SpeechLocales.hasDictionary(for: locale) }

  /// Whether the recognizer uses the language model of a domain. The others expect the terms of the domain as phrases.
  public var usesLanguageModels: Bool { reference.recognizer.usesLanguageModels }

  /// Whether the alternatives are hypotheses of one search, in the order of their likelihood.
  package var listsHypotheses: Bool { reference.recognizer.listsHypotheses ?? false }

  /// The models that can be named: those that are installed, by name, and then the one that comes with PocketSphinx.
  package static func usable(
    in store: ModelStore = ModelStore()
  ) -> [(name: String, languages: [String], detectsLanguage: Bool)] {
    let installed = store.installed().filter {
      $0.reference != nil && $0.missingProgram == nil && $0.description.family.recognizesWords
    }
    return installed.map { ($0.name, $0.description.languages, $0.detectsLanguage) }
      + [(embedded, Recognizer.pocketSphinx.ownLanguages, false)]
  }

  /// The model by which a language is recognized where none is named; nil if there is none.
  public static func used(for locale: Locale) -> SpeechModel? { try? resolved(for: locale) }

  /// Finds a model, once for all that it recognizes: a model that is installed later changes nothing.
  /// - Parameter chosen: the name of an installed model, or `embedded`; nil for `SPEECH_MODEL`, or else the best that is
  ///   installed for the language.
  /// - Returns: the model; nil if none is named and none recognizes the language.
  /// - Throws: `ModelError` if the named model is not installed, or does not recognize the language.
  package static func resolved(
    _ chosen: String? = nil, for locale: Locale, in store: ModelStore = ModelStore()
  ) throws(ModelError) -> SpeechModel? {
    guard let name = chosen ?? usual else {
      return store.best(for: locale).flatMap { SpeechModel($0, in: store) } ?? embedded(for: locale)
    }
    if name == embedded {
      if let model = embedded(for: locale) { return model }
      guard chosen != nil else { return nil }
      throw ModelError(
        .notFound, "The model '\(name)' does not recognize \(locale.identifier(.bcp47)).",
        remedy: "It recognizes: \(Recognizer.pocketSphinx.ownLanguages.joined(separator: ", ")).")
    }
    let model = try store.model(named: name)
    if let purpose = model.description.family.otherPurpose {
      throw ModelError(
        .notFound, "The model '\(name)' \(purpose) and recognizes no words.",
        remedy: "Name a recognizer's model; see 'longhand models list'.")
    }
    guard model.recognizes(locale) else {
      if locale.identifier == "auto" {
        throw ModelError(
          .notFound, "The model '\(name)' does not detect languages.",
          remedy: "Use a Whisper model for several languages, such as whisper-base, or name the language.")
      }
      throw ModelError(
        .notFound, "The model '\(name)' does not recognize \(locale.identifier(.bcp47)).",
        remedy: "It recognizes: \(model.description.languages.joined(separator: ", ")).")
    }
    return SpeechModel(model, in: store)
  }

  /// Why nothing is recognized in a language that no model recognizes.
  package static func missingReason(for locale: Locale) -> String {
    "There is no model for the language \(locale.identifier(.bcp47))."
  }

  /// What the recognizer says that it can do with the model. Starts a service, or asks one that is warm.
  /// - Throws: an error whose `localizedDescription` says why there is no answer.
  package func capabilities(locale: Locale) throws -> ServiceReply.Capabilities {
    let configuration = ServiceConfiguration(locale: locale.identifier(.bcp47), model: reference)
    return try SpeechServicePool.shared.withService(configuration, isCancelled: { false }) { $0.capabilities }
  }

}

extension SpeechModel {
  /// An installed model; nil if its recognizer is unknown.
  private init?(_ model: InstalledModel, in store: ModelStore) {
    guard var reference = model.reference else { return nil }
    reference.witness = Self.witnesses[model.name].flatMap { try? store.model(named: $0).folder.path }
    self.init(
      name: model.name, sha256: reference.digest, isPunctuated: model.description.isPunctuated,
      isEmbedded: false, detectsLanguage: model.detectsLanguage, reference: reference)
  }

  /// The model that comes with PocketSphinx; nil if it does not know the language.
  private static func embedded(for locale: Locale) -> SpeechModel? {
    guard SpeechLocales.embedded(equivalentTo: locale) != nil else { return nil }
    return SpeechModel(
      name: embedded, sha256: nil, isPunctuated: false, isEmbedded: true, detectsLanguage: false,
      reference: .pocketSphinx)
  }
}

extension ServiceConfiguration {
  /// Samples of the longest window of utterances that are decoded together; nil if each is decoded by itself.
  var maxWindow: Int? {
    model.recognizer.window.map { Int($0 * Double(SpeechSegmenter.sampleRate)) }
  }

  /// The configuration for speech in which this one's model found no words; nil if there is no other recognizer for the
  /// language.
  var forSecondTry: ServiceConfiguration? { forAssistant(.secondTry) }

  /// The configuration for reading what is said of the domain; nil if there is no domain, or if this one reads it.
  var forDomain: ServiceConfiguration? {
    languageModel == nil && contextualStrings.isEmpty ? nil : forAssistant(.domain)
  }

  /// The configuration for aligning the words of this one with the audio; nil if no recognizer does it. It is the one for
  /// reading what is said of the domain, or for a second try, if there is one, so that one service does both.
  var forAlignment: ServiceConfiguration? { forAssistant(.times) }

  private func forAssistant(_ task: Recognizer.Assistant.Task) -> ServiceConfiguration? {
    model.assistant(for: task, locale: locale).map { assistant in
      var configuration = self
      (configuration.model, configuration.locale) = assistant
      configuration.mode = .recording
      configuration.detectsLanguage = false
      return configuration
    }
  }
}
