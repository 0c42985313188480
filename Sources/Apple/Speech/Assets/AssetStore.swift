import RecognitionCore
import ChildProcesses
import Foundation
import ModelInstallation
import ModelStorage
import RecognitionProtocol

/// The models on this machine: which exist, which are reserved, and which are being installed.
actor AssetStore {
  /// The store that the environment describes. `AssetInventory` uses it.
  static let shared = AssetStore(configuration: Configuration(ProcessInfo.processInfo.environment))

  struct Configuration: Sendable {
    /// The languages of the embedded recognizer.
    var supportedLocales: [Locale]
    /// Whether the executable of the speech service exists. Without it no model is of use.
    var hasService = true
    /// Whether the service finds the embedded recognizer's model for a language.
    var isInstalled: @Sendable (Locale) async -> Bool
    /// The users' models; nil if there are none.
    var models: ModelAssets?
  }

  static let maxReservedLocales = 5

  private let configuration: Configuration
  private(set) var reservedLocales: [Locale] = []
  private var installations: [Locale: AssetInstallation] = [:]

  init(configuration: Configuration) { self.configuration = configuration }

  /// The language with a model nearest to `locale`; nil if there is none.
  func supportedLocale(equivalentTo locale: Locale) -> Locale? {
    configuration.supportedLocales.first { SpeechLocales.isSame($0, as: locale) }
      ?? configuration.models?.locale(equivalentTo: locale)
  }

  /// The languages that have a model, installed or not.
  var supportedLocales: [Locale] {
    let own = configuration.supportedLocales
    return own + (configuration.models?.locales ?? []).filter { !own.contains($0) }
  }

  private func isInstalled(_ locale: Locale) async -> Bool {
    if configuration.models?.isInstalled(locale) == true { return true }
    guard configuration.supportedLocales.contains(locale) else { return false }
    return await configuration.isInstalled(locale)
  }

  /// The least status of the languages' models; `installed` if the list is empty.
  func status(of locales: [Locale]) async -> AssetInventory.Status {
    var least = AssetInventory.Status.installed
    for locale in locales { least = min(least, await status(of: locale)) }
    return least
  }

  private func status(of locale: Locale) async -> AssetInventory.Status {
    guard let locale = supportedLocale(equivalentTo: locale) else { return .unsupported }
    if installations[locale] != nil { return .downloading }
    return await isInstalled(locale) ? .installed : .supported
  }

  /// The languages whose models the service finds.
  var installedLocales: [Locale] {
    get async {
      var installed: [Locale] = []
      for locale in supportedLocales where await isInstalled(locale) { installed.append(locale) }
      return installed
    }
  }

  /// - Returns: false if the language is reserved already.
  /// - Throws: `SFSpeechError` of code `cannotAllocateUnsupportedLocale` or `tooManyAssetLocalesAllocated`.
  func reserve(_ locale: Locale) throws -> Bool { try !reserve([locale]).isEmpty }

  /// Reserves all languages or none.
  /// - Returns: the languages that were not reserved before.
  func reserve(_ locales: [Locale]) throws -> [Locale] {
    var new: [Locale] = []
    for locale in locales {
      guard let supported = supportedLocale(equivalentTo: locale) else {
        throw SFSpeechError(
          .cannotAllocateUnsupportedLocale,
          userInfo: [
            NSLocalizedDescriptionKey: "There is no model for the language \(locale.identifier(.bcp47))."
          ])
      }
      if !reservedLocales.contains(supported), !new.contains(supported) { new.append(supported) }
    }
    guard reservedLocales.count + new.count <= Self.maxReservedLocales else {
      throw SFSpeechError(
        .tooManyAssetLocalesAllocated,
        userInfo: [
          NSLocalizedDescriptionKey:
            "A program can reserve \(Self.maxReservedLocales) locales; release one first."
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

  /// Installs a language's model, or waits for its running installation. Returns at once if it is installed.
  /// - Throws: `SFSpeechError`, of code `internalServiceError` if the speech service is missing; `CancellationError`.
  func install(_ locale: Locale, progress: Progress) async throws {
    guard configuration.hasService else {
      throw AnalysisSession.clientError(for: RecognitionError.recognizerMissing)
    }
    while !(await isInstalled(locale)) {
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
    let installer = configuration.models?.installer(for: locale)
    installation.start { report in
      guard let installer else { throw SpeechModel.missing(for: locale) }
      try await installer.install(report: report)
    } whenDone: { [self] in
      await forget(locale)
    }
    return installation
  }

  private func forget(_ locale: Locale) { installations[locale] = nil }
}

extension AssetStore.Configuration {
  /// Reads the configuration from environment variables.
  init(_ environment: [String: String]) {
    self.init(
      supportedLocales: SpeechLocales.embedded,
      hasService: Recognizer.pocketSphinx.locator.find(environment: environment) != nil,
      isInstalled: { locale in
        let name = locale.identifier(.bcp47)
        if ModelLocations.find(locale: name, in: ModelLocations.all(environment: environment)) != nil {
          return true
        }
        // Only the service knows the folder of the recognizer's own model.
        return await Self.serviceHasModel(environment: environment)
      },
      models: ModelAssets(
        store: ModelStore(environment: environment), catalogue: .local(environment: environment)))
  }

  /// Starts the service with `--model`: it looks for its model without loading it and ends after some milliseconds.
  /// - Parameter patience: seconds after which it is ended.
  static func serviceHasModel(
    environment: [String: String], patience: TimeInterval = SpeechServicePool.shared.patience.base
  ) async -> Bool {
    guard let executable = Recognizer.pocketSphinx.locator.find(environment: environment) else {
      return false
    }
    return await withCheckedContinuation { continuation in
      // Waiting for a process blocks its thread. Not Foundation's `Process`: it opens a UDP socket.
      DispatchQueue.global().async {
        let process = try? ChildProcess(
          executable, ["--model"], environment: environment, input: .null, output: .null, errors: .null)
        let end = DispatchWorkItem { process?.kill() }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: end)
        let status = process?.wait()
        end.cancel()
        continuation.resume(returning: status == 0)
      }
    }
  }
}

extension SpeechLocales {
  /// The languages that can be recognized on this machine: a service exists, and their models are installed.
  static var installed: [Locale] {
    get async {
      guard SpeechServicePool.shared.hasExecutable else { return [] }
      return await AssetStore.shared.installedLocales
    }
  }

  /// The languages that have a model, installed or in the catalogue.
  static var offered: [Locale] { get async { await AssetStore.shared.supportedLocales } }

  /// The language with a model, installed or in the catalogue, nearest to `locale`; nil if there is none.
  static func offered(equivalentTo locale: Locale) async -> Locale? {
    await AssetStore.shared.supportedLocale(equivalentTo: locale)
  }
}
