import Foundation

/// The models on this machine, and the installation of models that modules need.
///
/// ```swift
/// import Speech
///
/// let transcriber = SpeechTranscriber(locale: Locale(identifier: "en-US"), preset: .transcription)
/// print(await AssetInventory.status(forModules: [transcriber]))
/// if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
///   try await request.downloadAndInstall()
/// }
/// ```
///
/// On Linux a model is a folder of files. The speech service looks for it in the installation of PocketSphinx and in
/// `$XDG_DATA_HOME/speech-service/models`. If `SPEECH_MODEL_PATH` is set, the service looks only there. Models are
/// installed from `SPEECH_ASSET_SOURCE`, a folder or an HTTP address. Languages that PocketSphinx does not know have the
/// recommended model of a catalogue, which is installed from its publisher. Only
/// `AssetInstallationRequest.downloadAndInstall()` downloads anything.
final public class AssetInventory {
  private init() {}

  /// The state of the models of some modules, in the order of Speech 27; in Speech 26 `supported` was less than
  /// `downloading`. On Linux the type is `Sendable`; Apple does not declare that.
  public enum Status: Comparable, Sendable {
    /// No model exists.
    case unsupported
    /// This program is installing the model.
    case downloading
    /// A model exists, but it is not installed.
    case supported
    /// The model is installed.
    case installed

    /// Whether `a` comes before `b` in the order.
    public static func < (a: Status, b: Status) -> Bool { a.order < b.order }

    private var order: Int {
      switch self {
      case .unsupported: 0
      case .downloading: 1
      case .supported: 2
      case .installed: 3
      }
    }
  }

  /// The largest number of languages that a program can reserve: 5.
  public static var maximumReservedLocales: Int { AssetStore.maxReservedLocales }

  /// The languages that this program has reserved, by the names of their models: `en_US`, even if the program reserved
  /// `en`.
  public static var reservedLocales: [Locale] { get async { await AssetStore.shared.reservedLocales } }

  /// Reserves the model of a language for this program, until the program ends. On Linux models are never removed, so
  /// that a reservation only counts.
  /// - Returns: false if the language is reserved already.
  /// - Throws: `SFSpeechError` of code `cannotAllocateUnsupportedLocale` if there is no model for the language, or
  ///   `tooManyAssetLocalesAllocated` if `maximumReservedLocales` are reserved.
  @discardableResult
  public static func reserve(locale: Locale) async throws -> Bool {
    try await AssetStore.shared.reserve(locale)
  }

  /// Releases a reservation. The model stays installed.
  /// - Returns: false if the language was not reserved.
  @discardableResult
  public static func release(reservedLocale: Locale) async -> Bool {
    await AssetStore.shared.release(reservedLocale)
  }

  /// The least status of the modules' models. Modules that do not depend on a language need no model.
  public static func status(forModules modules: [any SpeechModule]) async -> Status {
    await status(forModules: modules, in: .shared)
  }

  static func status(forModules modules: [any SpeechModule], in store: AssetStore) async -> Status {
    await store.status(of: locales(of: modules))
  }

  /// A request to install the models that the modules need; nil if all are installed. Reserves the modules' languages.
  /// - Throws: `SFSpeechError` of code `cannotAllocateUnsupportedLocale` if there is no model for one of the
  ///   languages, or `tooManyAssetLocalesAllocated` if more than `maximumReservedLocales` would be reserved.
  public static func assetInstallationRequest(
    supporting modules: [any SpeechModule]
  ) async throws -> AssetInstallationRequest? {
    try await assetInstallationRequest(supporting: modules, in: .shared)
  }

  static func assetInstallationRequest(
    supporting modules: [any SpeechModule], in store: AssetStore
  ) async throws -> AssetInstallationRequest? {
    let locales = locales(of: modules)
    _ = try await store.reserve(locales)
    guard await store.status(of: locales) != .installed else { return nil }
    var needed: [Locale] = []
    for locale in locales {
      if let supported = await store.supportedLocale(equivalentTo: locale), !needed.contains(supported) {
        needed.append(supported)
      }
    }
    return AssetInstallationRequest(locales: needed, store: store)
  }

  private static func locales(of modules: [any SpeechModule]) -> [Locale] {
    modules.flatMap { ($0 as? any LocaleDependentSpeechModule)?.selectedLocales ?? [] }
  }
}

extension AssetInventory.Status: Hashable {}
