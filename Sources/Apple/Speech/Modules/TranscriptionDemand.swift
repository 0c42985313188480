import Foundation
import SpeechServiceProtocol

/// What a transcriber needs of a recognizer.
struct TranscriptionDemand: Sendable, Equatable {
  /// The most readings of an utterance.
  static let mostAlternatives = 10
  /// Contextual strings beyond these are ignored, as Apple documents.
  private static let mostPhrases = 100

  var locale: Locale
  /// Whether words are wanted before they are final.
  var wantsHypotheses: Bool
  var wantsAlternatives: Bool
  /// Whether contextual strings count.
  var honoursContext = false
  /// Whether short pauses end an utterance.
  var cutsOften = false
  /// The custom language model, if one was asked for.
  var customModel: SFSpeechLanguageModel.Configuration?

  /// How the service decodes. What need not be heard before it is final is decoded utterance by utterance, each
  /// by its own mean, exactly as a recording is: that gives fewer errors.
  /// - Throws: if this cannot be served.
  func configuration(context: AnalysisContext) throws -> ServiceConfiguration {
    guard let supported = SpeechLocales.supported(equivalentTo: locale) else {
      throw SFSpeechError(
        .noModel,
        userInfo: [
          NSLocalizedDescriptionKey: "There is no model for the language \(locale.identifier(.bcp47))."
        ])
    }
    let locale = supported.identifier(.bcp47)
    let strings = context.contextualStrings
    let others = strings.filter { $0.key != .general }.sorted { $0.key.rawValue < $1.key.rawValue }
    let phrases = (strings[.general] ?? []) + others.flatMap(\.value)
    return ServiceConfiguration(
      locale: locale,
      mode: wantsHypotheses ? .stream : .recording,
      alternatives: wantsAlternatives ? Self.mostAlternatives : 1,
      contextualStrings: honoursContext ? Array(phrases.prefix(Self.mostPhrases)) : [],
      languageModel: try customModel?.attachment(locale: locale))
  }
}
