import AVFAudio
import FileSupport
import Foundation
import ModelInstallation
import ModelStorage
import TestSupport

@testable import Speech

/// A server with a toy model, a catalogue that names it, a folder to install it in, and a store that uses them.
final class AssetFixture {
  static let english = Locale(identifier: "en-US")
  /// The language of the toy that the embedded recognizer does not know.
  static let german = Locale(identifier: "de-DE")
  /// The path of the archive on the server.
  static let path = "/toy.tar"
  private static let toys = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Models").standardized

  let server: FaultyFileServer
  let archive: Data
  let store: AssetStore
  private let folder: URL
  var models: URL { folder.appendingPathComponent("models") }

  /// - Parameter hasEmbedded: whether the embedded recognizer has its model for English.
  init(hasEmbedded: Bool = true) throws {
    server = try FaultyFileServer()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("assets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var archive = TarArchive()
    for name in ["model.onnx", "tokens.txt"] {
      archive.add("toy/\(name)", try Data(contentsOf: Self.toys.appendingPathComponent("toy-ctc/\(name)")))
    }
    self.archive = archive.data
    try archive.data.write(to: server.root.appendingPathComponent(Self.path))
    store = try Self.store(
      server.address.appendingPathComponent(Self.path), archive.data, in: folder, hasEmbedded: hasEmbedded)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A store whose catalogue has a model for German and English.
  static func store(
    _ address: URL, _ data: Data, in folder: URL, hasEmbedded: Bool = true
  ) throws -> AssetStore {
    let catalogue = """
      {"models": [{"name": "toy", "family": "nemo-ctc", "languages": ["de", "en"], "isPunctuated": false,
        "licence": {"identifier": "MIT", "attribution": "the tests"}, "licenceText": "https://example.org",
        "archive": {"url": "\(address.absoluteString)", "bytes": \(data.count),
          "sha256": "\(SHA256.hash(data: data).hexadecimal)", "files": ["*.onnx", "tokens.txt"]}}]}
      """
    let file = folder.appendingPathComponent("catalogue.json")
    try Data(catalogue.utf8).write(to: file)
    return AssetStore(
      configuration: .init(
        supportedLocales: [english], isInstalled: { _ in hasEmbedded },
        models: ModelAssets(
          store: ModelStore(folder: folder.appendingPathComponent("models")),
          catalogue: .local(environment: ["SPEECH_MODEL_CATALOGUE": file.path]))))
  }

  func request(_ language: String = "de-DE") async throws -> AssetInstallationRequest? {
    try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule(language)], in: store)
  }

  /// The transfer stops after this many bytes, until it is released.
  func hold(at count: Int = 70_000) throws { try server.fail([Self.path: ["hold": count]]) }

  /// All entries of the folder of models, also hidden ones.
  var entries: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: models.path)) ?? []).sorted()
  }
}

/// A module for some languages, without results.
final class ScriptedModule: LocaleDependentSpeechModule {
  struct Result: SpeechModuleResult, Sendable {
    var range: CMTimeRange { .zero }
    var resultsFinalizationTime: CMTime { .zero }
  }

  static var supportedLocales: [Locale] { get async { [] } }
  static func supportedLocale(equivalentTo locale: Locale) async -> Locale? { nil }

  let selectedLocales: [Locale]
  var results: AsyncThrowingStream<Result, any Error> { AsyncThrowingStream { $0.finish() } }
  var availableCompatibleAudioFormats: [AVAudioFormat] { get async { [] } }

  init(_ locales: String...) { selectedLocales = locales.map(Locale.init(identifier:)) }
}
