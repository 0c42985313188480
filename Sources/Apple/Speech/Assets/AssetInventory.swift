import Foundation

/// The models that modules need, on this machine.
///
/// On Linux a model is a folder of files. The service finds it where PocketSphinx was installed or in a folder of the
/// user's data, `$XDG_DATA_HOME/speech-service/models`, and only in the folder that `SPEECH_MODEL_PATH` names if it
/// is set. Models come from `SPEECH_ASSET_SOURCE`, a folder or an HTTP address; nothing is fetched but by
/// `AssetInstallationRequest.downloadAndInstall()`.
final public class AssetInventory {
  private init() {}

  /// How far the models of some modules are. A greater one is nearer to use. `Sendable` on
  /// Linux, which Apple's is not said to be.
  public enum Status: Comparable, Sendable {
    /// There is no model.
    case unsupported
    /// There is a model, but not here.
    case supported
    /// The model is being installed by this program.
    case downloading
    /// The model is here.
    case installed

    /// Whether `a` is further from use than `b`.
    public static func < (a: Status, b: Status) -> Bool { a.order < b.order }

    private var order: Int {
      switch self {
      case .unsupported: 0
      case .supported: 1
      case .downloading: 2
      case .installed: 3
      }
    }
  }

  /// How many languages can be reserved at a time: 5.
  public static var maximumReservedLocales: Int { AssetStore.maximumReservedLocales }

  /// The languages that this program has reserved, as they are called here: `en_US`, even if it was `en` that was
  /// asked for.
  public static var reservedLocales: [Locale] { get async { await AssetStore.shared.reservedLocales } }

  /// Notes that this program needs a language's model. On Linux no model is ever removed, so that this only counts;
  /// a reservation lasts as long as the program runs.
  /// - Returns: false if the language is reserved already.
  /// - Throws: `SFSpeechError` of code `cannotAllocateUnsupportedLocale` if there is no model for the language, or
  ///   `tooManyAssetLocalesAllocated` if `maximumReservedLocales` are reserved.
  @discardableResult
  public static func reserve(locale: Locale) async throws -> Bool {
    try await AssetStore.shared.reserve(locale)
  }

  /// Gives up a reservation. The model stays.
  /// - Returns: false if the language was not reserved.
  @discardableResult
  public static func release(reservedLocale: Locale) async -> Bool {
    await AssetStore.shared.release(reservedLocale)
  }

  /// How far the models of all the modules are: the least of them. Modules that depend on no language need none.
  public static func status(forModules modules: [any SpeechModule]) async -> Status {
    await status(forModules: modules, in: .shared)
  }

  static func status(forModules modules: [any SpeechModule], in store: AssetStore) async -> Status {
    await store.status(of: locales(of: modules))
  }

  /// What brings the models that the modules need; nil if they are all installed. Reserves the modules' languages.
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
