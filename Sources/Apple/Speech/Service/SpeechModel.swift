import Foundation
import SpeechServiceProtocol

/// A model by which this framework recognizes speech. Apple's framework has no such type: there the system chooses.
public struct SpeechModel: Sendable, Hashable {
  /// The name of the model.
  public let name: String
  /// A SHA-256 digest of its files, in lower-case hexadecimal digits; nil for the embedded recognizer's own model.
  public let sha256: String?

  /// The model by which a language is recognized; nil if there is none.
  public static func used(for locale: Locale) -> SpeechModel? {
    SpeechLocales.supported(equivalentTo: locale).map { supported in
      let folder = ModelLocations.folderName(locale: supported.identifier(.bcp47))
      return SpeechModel(name: "pocketsphinx-\(folder)", sha256: nil)
    }
  }
}
