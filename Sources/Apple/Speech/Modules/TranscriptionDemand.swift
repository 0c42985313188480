import RecognitionCore
import Foundation
import RecognitionProtocol

/// What a transcriber needs from a recognizer.
struct TranscriptionDemand: Sendable, Equatable {
  /// The largest number of alternatives for an utterance.
  static let maxAlternatives = 10
  var locale: Locale
  /// Whether words are wanted before they are final.
  var wantsHypotheses: Bool
  var wantsAlternatives: Bool
  /// Whether short pauses end an utterance.
  var cutsOften = false
  /// The custom language model, if one is used.
  var customModel: SFSpeechLanguageModel.Configuration?

  /// The model for the demand.
  /// - Throws: `SFSpeechError` if the language has no model.
  func model(context: AnalysisContext) throws -> SpeechModel {
    if let model = context.model { return model }
    guard let supported = SpeechLocales.supported(equivalentTo: locale) else {
      throw SpeechModel.missing(for: locale)
    }
    return try SpeechModel.required(for: supported)
  }

  /// The configuration of the service.
  ///
  /// If only final results are wanted, the service decodes utterance by utterance, each normalized by its own mean, just
  /// as it decodes a recording. That makes fewer errors.
  /// - Throws: `SFSpeechError` if the language has no model or the custom language model cannot be used.
  func configuration(context: AnalysisContext, model: SpeechModel) throws -> ServiceConfiguration {
    guard let supported = SpeechLocales.supported(equivalentTo: locale) else {
      throw SpeechModel.missing(for: locale)
    }
    let locale = supported.identifier(.bcp47)
    let strings = context.contextualStrings
    let others = strings.filter { $0.key != .general }.sorted { $0.key.rawValue < $1.key.rawValue }
    let phrases = (strings[.general] ?? []) + others.flatMap(\.value)
    let attachment = try customModel?.attachment(locale: locale)
    var configuration = ServiceConfiguration(
      locale: locale, model: model.reference,
      mode: wantsHypotheses ? .stream : .recording,
      alternatives: wantsAlternatives ? Self.maxAlternatives : 1,
      contextualStrings: phrases.accepted,
      languageModel: model.usesLanguageModels ? attachment : nil)
    configuration.detectsLanguage = wantsHypotheses && context.detectsLanguages != nil
    return configuration
  }
}

extension [String] {
  /// The contextual strings that a service takes. Apple advises at most 100 and does not say what becomes of more; here
  /// those beyond 1,000 are ignored, with a line in the log.
  var accepted: [String] {
    let limit = ServiceConfiguration.maxPhrases
    guard count > limit else { return self }
    NSLog("Speech: only the first \(limit) of \(count) contextual strings are used.")
    return Array(prefix(limit))
  }
}
