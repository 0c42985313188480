import Foundation
import Testing

@testable import Speech

@Suite("AssetInventory")
struct AssetInventoryTests {
  private static func store(installed: Set<String> = []) -> AssetStore {
    AssetStore(
      configuration: .init(
        supportedLocales: ["en-US", "de-DE", "fr-FR", "it-IT", "es-ES", "pt-PT", "nl-NL"].map(
          Locale.init(identifier:)),
        isInstalled: { installed.contains($0.identifier(.bcp47)) }))
  }

  @Test func statusIsTheLeastOfAllModels() async {
    let store = Self.store(installed: ["en-US", "de-DE"])
    let status = { (modules: [any SpeechModule]) in
      await AssetInventory.status(forModules: modules, in: store)
    }
    #expect(await status([]) == .installed)
    #expect(await status([ScriptedModule("en-US"), ScriptedModule("de")]) == .installed)
    #expect(await status([ScriptedModule("en-US"), ScriptedModule("fr-FR")]) == .supported)
    #expect(await status([ScriptedModule("en-US", "xx-XX"), ScriptedModule("fr-FR")]) == .unsupported)
  }

  @Test func statusHasTheOrderOfSpeech27() {
    let sorted: [AssetInventory.Status] = [.installed, .supported, .unsupported, .downloading].sorted()
    #expect(sorted == [.unsupported, .downloading, .supported, .installed])
  }

  @Test func languageIsReservedOnceUnderAnyName() async throws {
    let store = Self.store()
    #expect(try await store.reserve(Locale(identifier: "en")))
    #expect(try await !store.reserve(Locale(identifier: "en_US")))
    let names = await store.reservedLocales.map { $0.identifier(.bcp47) }
    #expect(names == ["en-US"])
    #expect(await store.release(Locale(identifier: "en-US")))
    #expect(await !store.release(Locale(identifier: "en-US")))
    #expect(await store.reservedLocales.isEmpty)
  }

  @Test func atMostFiveLanguagesAreReserved() async throws {
    let store = Self.store()
    await #expect {
      try await store.reserve(Locale(identifier: "xx-XX"))
    } throws: { SFSpeechError.cannotAllocateUnsupportedLocale ~= $0 }
    for name in ["en-US", "de-DE", "fr-FR", "it-IT"] {
      #expect(try await store.reserve(Locale(identifier: name)))
    }
    // Two more exceed the limit by one: neither is reserved.
    await #expect {
      try await AssetInventory.assetInstallationRequest(
        supporting: [ScriptedModule("es-ES"), ScriptedModule("pt-PT")], in: store)
    } throws: { SFSpeechError.tooManyAssetLocalesAllocated ~= $0 }
    #expect(await store.reservedLocales.count == 4)
    #expect(try await store.reserve(Locale(identifier: "es-ES")))
    await #expect {
      try await store.reserve(Locale(identifier: "pt-PT"))
    } throws: { SFSpeechError.tooManyAssetLocalesAllocated ~= $0 }
    #expect(try await !store.reserve(Locale(identifier: "es-ES")))
    #expect(AssetInventory.maximumReservedLocales == 5)
  }

  @Test func installedModelNeedsNoRequest() async throws {
    let store = Self.store(installed: ["en-US"])
    let request = try await AssetInventory.assetInstallationRequest(
      supporting: [ScriptedModule("en-US")], in: store)
    #expect(request == nil)
    #expect(await store.reservedLocales.count == 1)
    await #expect {
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("xx-XX")], in: store)
    } throws: { SFSpeechError.cannotAllocateUnsupportedLocale ~= $0 }
  }

  @Test func modelOfTheServiceIsFound() async {
    #expect(await AssetInventory.status(forModules: [ScriptedModule("en-US")]) == .installed)
    #expect(await AssetInventory.status(forModules: [ScriptedModule("xx-XX")]) == .unsupported)
    // Only the catalogue has a model for it, where none is installed for all users.
    var environment = ProcessInfo.processInfo.environment
    environment["SPEECH_SYSTEM_MODEL_PATH"] = ""
    let store = AssetStore(configuration: .init(environment))
    #expect(await AssetInventory.status(forModules: [ScriptedModule("fi-FI")], in: store) == .supported)
  }

  @Test func languageThatNoModelHasIsReported() async throws {
    let store = Self.store()
    let request = try #require(
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("it-IT")], in: store))
    #expect(request.progress.fractionCompleted == 0)
    let error = await #expect(throws: SFSpeechError.self) { try await request.downloadAndInstall() }
    #expect(error?.code == .noModel)
    #expect(error?.localizedDescription.contains("it-IT") == true)
  }

  @Test func missingServiceIsReportedWithTheProductToAdd() async throws {
    var environment = ProcessInfo.processInfo.environment
    environment["SPEECH_SERVICE_PATH"] = "/nonexistent/speech-service"
    environment["SPEECH_MODEL_PATH"] = "/nonexistent"
    let store = AssetStore(configuration: .init(environment))
    let request = try #require(
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("en-US")], in: store))
    let installing = await #expect(throws: SFSpeechError.self) { try await request.downloadAndInstall() }
    #expect(installing?.code == .internalServiceError)

    let transcriber = SpeechTranscriber(locale: AssetFixture.english, preset: .transcription)
    let pool = SpeechServicePool(capacity: 1, environment: environment)
    let analyzer = SpeechAnalyzer(
      modules: [transcriber], options: nil, context: TestedModel.embedded.context,
      makeRecognizer: SpeechAnalyzer.Options.standard.recognizers(pool: pool))
    let analyzing = await #expect(throws: SFSpeechError.self) { try await analyzer.prepareToAnalyze(in: nil) }
    #expect(analyzing?.code == .internalServiceError)

    for error in [installing, analyzing] {
      let text = try #require(error).localizedDescription
      #expect(text.contains("speech-service was not found"))
      #expect(text.contains(#".product(name: "speech-service", package: "longhand")"#))
    }
  }
}
