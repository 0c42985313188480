import RecognitionCore
import Foundation
import ModelInstallation
import ModelStorage

/// The users' models as assets: those that are installed, and those of the catalogue that can be.
struct ModelAssets: Sendable {
  let store: ModelStore
  let catalogue: ModelCatalogue

  /// The languages of the installed models and of the catalogue. The embedded recognizer has English already.
  private var languages: LanguageList {
    let offered = catalogue.usable.flatMap(\.languages).filter { Self.code($0) != "en" }
    return LanguageList(store.usableLanguages + offered)
  }

  var locales: [Locale] { languages.locales }

  func locale(equivalentTo locale: Locale) -> Locale? { languages.locale(equivalentTo: locale) }

  func isInstalled(_ locale: Locale) -> Bool { store.best(for: locale) != nil }

  /// Installs the recommended model of a language; nil if the catalogue has none.
  func installer(for locale: Locale) -> ModelInstaller? {
    catalogue.best(for: Self.code(locale.identifier(.bcp47))).map {
      // A cancelled request leaves nothing, as the framework says.
      ModelInstaller($0, store: store, keepsPart: false)
    }
  }

  private static func code(_ name: String) -> String { String(name.prefix { $0 != "-" && $0 != "_" }) }
}

extension ModelInstaller {
  /// Installs the model.
  /// - Parameter report: receives the number of bytes so far and the total.
  func install(report: @escaping @Sendable (Int64, Int64) -> Void) async throws {
    let total = entry.downloadBytes
    report(0, total)
    _ = try await run { step in
      if case .downloading(let bytes) = step { report(bytes, total) }
    }
  }
}
