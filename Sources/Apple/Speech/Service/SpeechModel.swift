import Foundation
import ModelStorage
import SpeechServiceProtocol
import Synchronization

/// A model by which this framework recognizes speech. Apple's framework has no such type: there the system chooses.
///
/// ```swift
/// print(SpeechModel.used(for: Locale(identifier: "en-US"))?.name ?? "none")
/// ```
public struct SpeechModel: Sendable, Hashable {
  /// The name of the embedded recognizer's own model.
  public static let embedded = "pocketsphinx"

  /// The name of the model.
  public let name: String
  /// A SHA-256 digest of its files, in lower-case hexadecimal digits; nil for the embedded recognizer's own model.
  public let sha256: String?
  /// Whether the model writes capitals and punctuation.
  public let isPunctuated: Bool
  /// Whether it can prefer words and phrases that are expected.
  public let takesPhrases: Bool

  /// The name of the model for everything that is recognized from now on; nil for the best that is installed for the
  /// language. At first `SPEECH_MODEL`.
  private static let selection = Mutex(
    ProcessInfo.processInfo.environment["SPEECH_MODEL"].flatMap { $0.isEmpty ? nil : $0 })

  /// Selects the model for everything that is recognized from now on.
  /// - Parameter name: the name of an installed model, or `embedded`; nil for the best that is installed for the language.
  /// - Throws: an error whose `localizedDescription` names the models that are installed.
  public static func select(_ name: String?) throws {
    if let name, name != embedded { _ = try ModelStore().model(named: name) }
    selection.withLock { $0 = name }
  }

  /// The model by which a language is recognized; nil if there is none.
  public static func used(for locale: Locale) -> SpeechModel? {
    if let model = try? installed(for: locale) {
      return SpeechModel(
        name: model.name, sha256: model.digest, isPunctuated: model.description.isPunctuated,
        takesPhrases: model.description.family.takesHotwords)
    }
    guard SpeechLocales.embedded(equivalentTo: locale) != nil else { return nil }
    return SpeechModel(name: embedded, sha256: nil, isPunctuated: false, takesPhrases: true)
  }

  /// The user's model by which a language is recognized; nil for the embedded recognizer's own model.
  /// - Throws: `ModelError` if the selected model is not installed, or does not know the language.
  static func installed(for locale: Locale) throws -> InstalledModel? {
    let store = ModelStore()
    guard let name = selection.withLock({ $0 }) else { return store.best(for: locale) }
    guard name != embedded else { return nil }
    let model = try store.model(named: name)
    if let purpose = model.description.family.otherPurpose {
      throw ModelError(
        .notFound, "The model '\(name)' \(purpose) and recognizes no words.",
        remedy: "Name a recognizer's model; see 'longhand models list'.")
    }
    guard model.recognizes(locale) else {
      throw ModelError(
        .notFound, "The model '\(name)' does not recognize \(locale.identifier(.bcp47)).",
        remedy: "It recognizes: \(model.description.languages.joined(separator: ", ")).")
    }
    return model
  }
}

extension ServiceConfiguration {
  /// Samples of the longest window of utterances that are decoded together; nil if each is decoded by itself.
  var maxWindow: Int? { nil }

  /// The configuration with the model for a language. A model of the user knows no custom language model.
  /// - Throws: `SFSpeechError` of code `noModel`.
  func with(modelFor locale: Locale) throws -> ServiceConfiguration {
    var configuration = self
    do {
      guard let model = try SpeechModel.installed(for: locale) else { return self }
      configuration.model = Model(folder: model.folder.path, digest: model.digest)
      configuration.languageModel = nil
      return configuration
    } catch {
      throw SFSpeechError(
        .noModel,
        userInfo: [NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error])
    }
  }

  /// The embedded recognizer, for speech in which this configuration's model found no words; nil if it does not know the
  /// language.
  var forSecondTry: ServiceConfiguration? {
    guard model != nil, SpeechLocales.embedded.contains(where: { $0.identifier(.bcp47) == locale }) else {
      return nil
    }
    var configuration = self
    configuration.model = nil
    configuration.mode = .recording
    return configuration
  }
}
