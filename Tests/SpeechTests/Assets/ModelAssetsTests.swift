@testable import RecognitionCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// The models of the catalogue as assets.
@Suite struct ModelAssetsTests {
  private let german = AssetFixture.german

  @Test(.tagged(.childProcess)) func requestForALanguageInstallsTheModelOfTheCatalogue() async throws {
    let fixture = try AssetFixture()
    let store = fixture.store

    #expect(await store.status(of: [german]) == .supported)
    #expect(await store.supportedLocales == [AssetFixture.english, german])
    #expect(await store.supportedLocale(equivalentTo: Locale(identifier: "de-AT")) == german)
    #expect(await store.supportedLocale(equivalentTo: Locale(identifier: "en-GB")) == nil)
    #expect(await store.status(of: [Locale(identifier: "fr-FR")]) == .unsupported)
    #expect(await store.installedLocales == [AssetFixture.english])
    #expect(fixture.server.requests.isEmpty)

    let request = try #require(try await fixture.request())
    try await request.downloadAndInstall()
    #expect(request.progress.isFinished)
    #expect(await store.status(of: [german]) == .installed)
    #expect(await store.installedLocales == [AssetFixture.english, german])
    #expect(await store.supportedLocale(equivalentTo: Locale(identifier: "en-GB")) == AssetFixture.english)
    #expect(try await fixture.request() == nil)
  }

  @Test func modelThatCannotBeInstalledIsReported() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("assets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let address = try #require(URL(string: "http://127.0.0.1:9/toy.tar"))
    let store = try AssetFixture.store(address, Data(count: 10), in: folder)
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

  /// Models know some languages by older codes than people use.
  @Test(arguments: [
    ("no", ["nb-NO", "nb_NO", "nb", "no"]), ("tl", ["fil-PH", "tl", "fil"]), ("jw", ["jv-ID", "jw"]),
    ("he", ["he-IL", "iw"]), ("en", ["en-GB", "en"]),
  ]) func languageIsKnownByEachOfItsCodes(_ code: String, _ names: [String]) {
    for name in names {
      #expect(LanguageList([code]).locale(equivalentTo: Locale(identifier: name)) != nil)
      #expect(LanguageList(["de", "nn"]).locale(equivalentTo: Locale(identifier: name)) == nil)
    }
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
