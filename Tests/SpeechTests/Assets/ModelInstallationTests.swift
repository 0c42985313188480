import Foundation
import SpeechServiceProtocol
import TestSupport
import Testing

@testable import Speech

/// The recognizer's own model as an asset: installed, found and used by the service.
@Suite("A model that was installed", .tagged(.recognizer))
struct ModelInstallationTests {
  @Test func serviceUsesTheInstalledModel() async throws {
    let own = try #require(SpeechServiceStatus.current().model)
    let fixture = try AssetFixture()
    try FileManager.default.removeItem(at: fixture.source)
    try FileManager.default.createDirectory(at: fixture.source, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: own, toPath: fixture.source.appendingPathComponent("en-us").path)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Scripts/model-manifest").standardized
    let process = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments: [
        "python3", script.path, fixture.source.appendingPathComponent("en-us").path, "en-US", "test",
      ])
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)

    var environment = ProcessInfo.processInfo.environment
    environment["SPEECH_MODEL_PATH"] = fixture.models.path
    environment["SPEECH_ASSET_SOURCE"] = fixture.source.path
    let pool = SpeechServicePool(capacity: 1, environment: environment)
    #expect(SpeechServiceStatus(pool: pool).model == nil)
    let store = AssetStore(configuration: .init(environment))
    #expect(await store.installedLocales.isEmpty)
    let request = try #require(
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("en-US")], in: store))
    try await request.downloadAndInstall()
    #expect(await store.installedLocales == [AssetFixture.english])
    #expect(SpeechServiceStatus(pool: pool).model == fixture.model.path)
  }
}
