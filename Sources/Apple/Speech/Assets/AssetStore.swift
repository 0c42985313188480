import Foundation
import SpeechServiceProtocol

/// The models on this machine as assets: which there are, which are reserved, which are being installed.
actor AssetStore {
  /// What the environment describes, and what `AssetInventory` is about.
  static let shared = AssetStore(configuration: Configuration(ProcessInfo.processInfo.environment))

  struct Configuration: Sendable {
    /// The folder in which models are installed.
    var place: URL
    /// Where models come from; nil if nothing is named.
    var source: AssetSource?
    /// The languages that the service can have a model for.
    var supportedLocales: [Locale]
    /// Whether the executable of the speech service exists. Without it no model is of use.
    var hasService = true
    /// Whether the service finds a model for a language.
    var isInstalled: @Sendable (Locale) async -> Bool
  }

  static let maximumReservedLocales = 5

  private let configuration: Configuration
  private(set) var reservedLocales: [Locale] = []
  private var installations: [Locale: AssetInstallation] = [:]

  init(configuration: Configuration) { self.configuration = configuration }

  /// The language with a model that is nearest to `locale`; nil if there is none.
  func supportedLocale(equivalentTo locale: Locale) -> Locale? {
    configuration.supportedLocales.first { SFSpeechRecognizer.isSame($0, as: locale) }
  }

  /// The least of what the languages' models are; `installed` if there are no languages.
  func status(of locales: [Locale]) async -> AssetInventory.Status {
    var least = AssetInventory.Status.installed
    for locale in locales { least = min(least, await status(of: locale)) }
    return least
  }

  private func status(of locale: Locale) async -> AssetInventory.Status {
    guard let locale = supportedLocale(equivalentTo: locale) else { return .unsupported }
    if installations[locale] != nil { return .downloading }
    return await configuration.isInstalled(locale) ? .installed : .supported
  }

  /// The languages whose models the service finds.
  var installedLocales: [Locale] {
    get async {
      var installed: [Locale] = []
      for locale in configuration.supportedLocales where await configuration.isInstalled(locale) {
        installed.append(locale)
      }
      return installed
    }
  }

  /// - Returns: false if the language is reserved already.
  /// - Throws: `SFSpeechError` of code `cannotAllocateUnsupportedLocale` or `tooManyAssetLocalesAllocated`.
  func reserve(_ locale: Locale) throws -> Bool { try !reserve([locale]).isEmpty }

  /// Reserves all or none.
  /// - Returns: those that were not reserved before.
  func reserve(_ locales: [Locale]) throws -> [Locale] {
    var new: [Locale] = []
    for locale in locales {
      guard let supported = supportedLocale(equivalentTo: locale) else {
        throw SFSpeechError(
          .cannotAllocateUnsupportedLocale,
          userInfo: [
            NSLocalizedDescriptionKey: "There is no model for \(locale.identifier(.bcp47))."
          ])
      }
      if !reservedLocales.contains(supported), !new.contains(supported) { new.append(supported) }
    }
    guard reservedLocales.count + new.count <= Self.maximumReservedLocales else {
      throw SFSpeechError(
        .tooManyAssetLocalesAllocated,
        userInfo: [
          NSLocalizedDescriptionKey:
            "Too many locales are reserved, \(Self.maximumReservedLocales) are the most; release one."
        ])
    }
    reservedLocales += new
    return new
  }

  /// - Returns: false if the language was not reserved.
  func release(_ locale: Locale) -> Bool {
    guard let supported = supportedLocale(equivalentTo: locale),
      let index = reservedLocales.firstIndex(of: supported)
    else { return false }
    reservedLocales.remove(at: index)
    return true
  }

  /// Installs a language's model, or waits for its installation that is under way; does nothing if it is there.
  /// - Throws: `SFSpeechError`, of code `internalServiceError` if the speech service is missing; `CancellationError`.
  func install(_ locale: Locale, progress: Progress) async throws {
    guard configuration.hasService else { throw AnalysisError.error(for: RecognitionError.recognizerMissing()) }
    while !(await configuration.isInstalled(locale)) {
      try Task.checkCancellation()
      do {
        try await installation(of: locale).join(progress)
        break
      } catch is AssetInstallation.Abandoned {
        continue
      }
    }
    progress.totalUnitCount = max(1, progress.totalUnitCount)
    progress.completedUnitCount = progress.totalUnitCount
  }

  private func installation(of locale: Locale) -> AssetInstallation {
    if let running = installations[locale] { return running }
    let installation = AssetInstallation()
    installations[locale] = installation
    installation.start(
      AssetInstaller(
        place: configuration.place, source: configuration.source, locale: locale.identifier(.bcp47))
    ) { [self] in await forget(locale) }
    return installation
  }

  private func forget(_ locale: Locale) { installations[locale] = nil }
}

extension AssetStore.Configuration {
  /// What the environment describes.
  init(_ environment: [String: String]) {
    self.init(
      place: URL(fileURLWithPath: ModelLocations.installation(environment: environment)),
      source: AssetSource(environment: environment),
      supportedLocales: Array(SFSpeechRecognizer.supportedLocales()),
      hasService: SpeechServiceLocator.find(environment: environment) != nil,
      isInstalled: { locale in
        let name = locale.identifier(.bcp47)
        if ModelLocations.find(locale: name, in: ModelLocations.all(environment: environment)) != nil {
          return true
        }
        // The recognizer's own place is known to the service alone.
        return await SpeechServiceQuestion.hasModel(environment: environment)
      })
  }
}
