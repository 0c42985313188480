import Foundation
import LonghandTranscripts
import Speech

extension TranscriptionOptions {
  /// The locale that stands for languages that are to be detected: the first one by the first speech of a recording, and
  /// changes by windows of the recognizer.
  public static let detectedLanguage = Locale(identifier: "auto")

  /// Whether the language is to be detected.
  public var detectsLanguage: Bool { locale.identifier == Self.detectedLanguage.identifier }

  /// The language of the user's environment, which is expected where the language is to be detected; American English if the
  /// environment names none.
  public static let usersLanguage = usersLanguage(in: ProcessInfo.processInfo.environment)

  static func usersLanguage(in environment: [String: String]) -> Locale {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let code = name?.prefix { $0.isASCII && ($0.isLetter || $0 == "_") } ?? ""
    let isNamed = (2...3).contains(code.prefix { $0 != "_" }.count)
    return Locale(identifier: isNamed ? code.replacingOccurrences(of: "_", with: "-") : "en-US")
  }

  /// The user's own variety of a language (BCP 47), if it is the user's language.
  static func variety(of language: String) -> String {
    let isOwn = Locale(identifier: language).language.languageCode == usersLanguage.language.languageCode
    return isOwn ? usersLanguage.identifier(.bcp47) : language
  }

  /// The tag of a language that somebody named. A code such as `en` means the user's own variety of it.
  package static func tag(_ name: String) -> String {
    let own = usersLanguage.identifier(.bcp47)
    return own.lowercased().hasPrefix("\(name.lowercased())-") ? own : name
  }

  /// The language where nobody has named one: it is to be detected, or American English if the model that would be used does
  /// not detect languages.
  public static func unnamedLanguage(_ model: ModelChoice, _ engine: EngineSelection = .automatic) -> Locale {
    #if os(Linux)
      var options = TranscriptionOptions(engine: engine)
      options.model = model
      if engine != .rolling, (try? options.resolved())?.speechModel?.detectsLanguage == true {
        return detectedLanguage
      }
    #endif
    return TranscriptionOptions().locale
  }

  /// The language that is spoken as far as it is known in advance: the user's, if it is to be detected.
  package var expectedLocale: Locale {
    guard detectsLanguage else { return locale }
    #if os(Linux)
      if SFSpeechRecognizer(locale: Self.usersLanguage) != nil { return Self.usersLanguage }
    #endif
    return TranscriptionOptions().locale
  }

  /// The language of a transcript with some segments: the first one that was detected in them.
  package func locale(of segments: [Segment]) -> Locale {
    guard detectsLanguage else { return locale }
    return segments.lazy.compactMap(\.language).first.map { Locale(identifier: $0) } ?? expectedLocale
  }

  /// What readers should know of the language that was detected: it is another one than the user's.
  func warning(_ language: String, probability: Double, of duration: TimeInterval) -> TranscriptWarning? {
    let locale = Locale(identifier: language)
    guard locale.language.languageCode != expectedLocale.language.languageCode else { return nil }
    return .detectedLanguage(0...duration, locale, probability: probability)
  }
}
