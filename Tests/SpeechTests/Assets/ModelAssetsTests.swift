import FileSupport
import Foundation
import ModelInstallation
import ModelStorage
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// The models of the catalogue as assets.
@Suite struct ModelAssetsTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "model-assets-\(UUID().uuidString)")
  private let german = Locale(identifier: "de-DE")

  private static let toys = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Models").standardized

  /// A store whose catalogue has a model for German and English.
  private func store(_ address: URL, _ data: Data) throws -> AssetStore {
    let catalogue = """
      {"models": [{"name": "toy", "family": "nemo-ctc", "languages": ["de", "en"], "isPunctuated": false,
        "licence": {"identifier": "MIT", "attribution": "the tests"}, "licenceText": "https://example.org",
        "archive": {"url": "\(address.absoluteString)", "bytes": \(data.count),
          "sha256": "\(SHA256.hash(data: data).hexadecimal)", "files": ["*.onnx", "tokens.txt"]}}]}
      """
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("catalogue.json")
    try Data(catalogue.utf8).write(to: file)
    let models = folder.appendingPathComponent("models")
    return AssetStore(
      configuration: .init(
        folder: models, source: nil, supportedLocales: [AssetFixture.english], isInstalled: { _ in true },
        models: ModelAssets(
          store: ModelStore(folder: models),
          catalogue: .local(environment: ["SPEECH_MODEL_CATALOGUE": file.path])
        )))
  }

  @Test(.tagged(.childProcess)) func requestForALanguageInstallsTheModelOfTheCatalogue() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try FaultyFileServer()
    var archive = TarArchive()
    for name in ["model.onnx", "tokens.txt"] {
      archive.add("toy/\(name)", try Data(contentsOf: Self.toys.appendingPathComponent("toy-ctc/\(name)")))
    }
    try archive.data.write(to: server.root.appendingPathComponent("toy.tar"))
    let store = try store(server.address.appendingPathComponent("toy.tar"), archive.data)

    #expect(await store.status(of: [german]) == .supported)
    #expect(await store.supportedLocales == [AssetFixture.english, german])
    #expect(await store.supportedLocale(equivalentTo: Locale(identifier: "de-AT")) == german)
    #expect(await store.supportedLocale(equivalentTo: Locale(identifier: "en-GB")) == nil)
    #expect(await store.status(of: [Locale(identifier: "fr-FR")]) == .unsupported)
    #expect(await store.installedLocales == [AssetFixture.english])
    #expect(server.requests.isEmpty)

    let request = try #require(
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("de-DE")], in: store))
    try await request.downloadAndInstall()
    #expect(request.progress.isFinished)
    #expect(await store.status(of: [german]) == .installed)
    #expect(await store.installedLocales == [AssetFixture.english, german])
    #expect(await store.supportedLocale(equivalentTo: Locale(identifier: "en-GB")) == AssetFixture.english)
    #expect(
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("de-DE")], in: store)
        == nil)
  }

  @Test func modelThatCannotBeInstalledIsReported() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try store(try #require(URL(string: "http://127.0.0.1:9/toy.tar")), Data(count: 10))
    let request = try #require(
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("de-DE")], in: store))
    let error = await #expect(throws: SFSpeechError.self) { try await request.downloadAndInstall() }
    #expect(error?.code == .noModel)
    #expect(error?.localizedDescription.contains("127.0.0.1:9") == true)
    #expect(await store.status(of: [german]) == .supported)
  }

  @Test func languageWithoutARegionStandsForAllOfThem() {
    let list = LanguageList(["en-US", "en", "de", "pt-BR", "yue"])
    #expect(list.locales.map { $0.identifier(.bcp47) } == ["en-US", "de-DE", "pt-BR", "yue-HK"])
    let equivalent = { (name: String) in
      list.locale(equivalentTo: Locale(identifier: name))?.identifier(.bcp47)
    }
    #expect(equivalent("en-GB") == "en-US")
    #expect(equivalent("de") == "de-DE")
    #expect(equivalent("de_CH") == "de-DE")
    #expect(equivalent("pt-BR") == "pt-BR")
    #expect(equivalent("pt") == "pt-BR")
    #expect(equivalent("pt-PT") == nil)
    #expect(equivalent("") == nil)
  }

  @Test func availabilityIsReportedWhenItChanges() async {
    let isAvailable = Mutex(false)
    let reports = Mutex<[Bool]>([])
    let watcher = AvailabilityWatcher(
      interval: .milliseconds(5), isAvailable: { isAvailable.withLock(\.self) },
      report: { new in reports.withLock { $0.append(new) } })
    isAvailable.withLock { $0 = true }
    #expect(await eventually { reports.withLock { $0 == [true] } })
    isAvailable.withLock { $0 = false }
    #expect(await eventually { reports.withLock { $0 == [true, false] } })
    withExtendedLifetime(watcher) {}
  }
}
