import Foundation
import RecognitionCore

extension SpeechModel {
  /// The model that recognizes a language, as `resolved` finds it.
  /// - Throws: `SFSpeechError` of code `noModel`.
  static func required(for locale: Locale) throws -> SpeechModel {
    do {
      if let model = try resolved(for: locale) { return model }
    } catch {
      throw SFSpeechError(
        .noModel,
        userInfo: [NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error])
    }
    throw missing(for: locale)
  }

  /// The error for a language that no model recognizes.
  static func missing(for locale: Locale) -> SFSpeechError {
    SFSpeechError(.noModel, userInfo: [NSLocalizedDescriptionKey: missingReason(for: locale)])
  }
}
