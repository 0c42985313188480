import AVFAudio
import FileSupport
import Foundation

@testable import Speech

/// A source with a small model, a folder to install it in, and a store that uses both.
final class AssetFixture {
  /// The model's files.
  static let files: [String: Data] = [
    "en-us/mdef": data(3000, seed: 1), "en-us/means": data(0, seed: 2),
    "en-us.lm.bin": data(200_000, seed: 3), "cmudict-en-us.dict": data(5000, seed: 4),
  ]
  static let english = Locale(identifier: "en-US")

  let folder: URL
  /// The folder that contains `en-us`.
  let source: URL
  var models: URL { folder.appendingPathComponent("models") }
  var model: URL { models.appendingPathComponent("en-us") }

  /// - Parameter source: the folder for the source's files; nil for a temporary one.
  init(source: URL? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("assets-\(UUID().uuidString)")
    self.source = source ?? folder.appendingPathComponent("source")
    for (path, data) in Self.files { try write(data, path: path) }
    try writeManifest(AssetFixture.manifest())
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func store(_ source: AssetSource?) -> AssetStore {
    let models = models.path
    return AssetStore(
      configuration: .init(
        folder: self.models, source: source, supportedLocales: [Self.english],
        isInstalled: { _ in
          FileManager.default.fileExists(atPath: models + "/en-us/en-us.lm.bin")
        }))
  }

  func write(_ data: Data, path: String) throws {
    let file = source.appendingPathComponent("en-us/" + path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  func writeManifest(_ manifest: AssetManifest) throws {
    try write(JSONEncoder().encode(manifest), path: "manifest.json")
  }

  static func manifest() -> AssetManifest {
    AssetManifest(
      format: 1, locale: "en-US", version: "test",
      files: files.sorted { $0.key < $1.key }.map { path, data in
        .init(path: path, size: Int64(data.count), sha256: SHA256.hash(data: data).hexadecimal)
      })
  }

  /// Whether every byte of the model is installed.
  var isInstalledCompletely: Bool {
    Self.files.allSatisfy { path, data in
      (try? Data(contentsOf: model.appendingPathComponent(path))) == data
    }
  }

  /// All entries of the folder of models, also hidden ones.
  var entries: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: models.path)) ?? []).sorted()
  }

  private static func data(_ count: Int, seed: UInt64) -> Data {
    var generator = SeededGenerator(seed: seed)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
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
