import Foundation
import ModelStorage
import TestSupport
import Testing

@testable import ModelInstallation

@Suite struct ModelCatalogueTests {
  private let models = ModelCatalogue.builtIn.models

  @Test func everyEntryCanBeInstalledFromItsPublisher() {
    #expect(models.count >= 4)
    for entry in models {
      #expect(entry.archive.url.scheme == "https", "\(entry.name)")
      #expect(entry.host == "github.com", "\(entry.name)")
      #expect(entry.archive.url.path.hasPrefix("/k2-fsa/sherpa-onnx/releases/download/"), "\(entry.name)")
      for other in entry.others ?? [] {
        #expect(other.url.absoluteString.hasPrefix("https://github.com/k2-fsa/sherpa-onnx/releases/"))
      }
      guard entry.family.recognizesWords else {
        #expect(entry.keeps("model.onnx") || entry.keeps("model.int8.onnx"))
        #expect(!entry.licence.attribution.isEmpty)
        continue
      }
      #expect(
        entry.keeps(entry.family == .whisper ? "tiny.en-tokens.txt" : "tokens.txt")
          || entry.family == .whisper)
      #expect(!entry.keeps("test_wavs/0.wav"), "\(entry.name)")
      #expect(!entry.licence.attribution.isEmpty, "\(entry.name)")
      #expect(entry.licenceText.scheme == "https", "\(entry.name)")
    }
    #expect(Set(models.map(\.archive.sha256)).count == models.count)
  }

  /// Of the archive's two networks the smaller one is kept.
  @Test func punctuationIsSmallOnTheDisk() throws {
    let entry = try #require(ModelCatalogue.builtIn.entry(named: "punctuation-en"))
    #expect(entry.family == .punctuation)
    #expect(entry.installedSize < 8_000_000)
    #expect(entry.keeps("bpe.vocab"))
    #expect(!entry.keeps("model.onnx"))
  }

  /// Few, with a licence that has a name in the list of SPDX, and first in the list.
  @Test func recommendedModelsAreFewAndFree() {
    let recommended = models.filter { $0.recommendation != nil }
    #expect(recommended.count == 4)
    #expect(recommended == Array(models.prefix(4)))
    for entry in recommended {
      #expect(["CC-BY-4.0", "Apache-2.0", "MIT"].contains(entry.licence.identifier))
    }
    #expect(recommended.contains { $0.family.isStreaming })
    #expect(recommended.contains { $0.languages.contains("de") })
    #expect(recommended.contains { $0.archive.bytes < 120_000_000 })
  }

  @Test func bestModelOfALanguageIsARecommendedOne() {
    let catalogue = ModelCatalogue.builtIn
    #expect(catalogue.best(for: "de")?.name == "parakeet-tdt-0.6b-v3")
    #expect(catalogue.best(for: "ja")?.recommendation == nil)
    #expect(catalogue.best(for: "xx") == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"models":[{}]}"#,
  ])
  func textThatIsNoCatalogueIsRefused(text: String) {
    #expect(ModelFixture.kind { try ModelCatalogue.decode(Data(text.utf8), name: "test") } == .malformed)
  }

  @Test func entryThatCannotBeInstalledIsRefused() throws {
    let entry = try #require(models.first)
    func kind(_ change: (inout ModelCatalogue.Entry) -> Void) throws -> ModelError.Kind? {
      var changed = entry
      change(&changed)
      let data = try JSONEncoder().encode(ModelCatalogue(models: [changed]))
      return ModelFixture.kind { try ModelCatalogue.decode(data, name: "test") }
    }
    #expect(try kind { _ in } == nil)
    #expect(try kind { $0.name = "../evil" } == .malformed)
    #expect(try kind { $0.languages = [] } == .malformed)
    #expect(try kind { $0.archive.bytes = 0 } == .malformed)
    #expect(try kind { $0.archive.bytes = .max } == .malformed)
    #expect(try kind { $0.archive.unpackedBytes = -1 } == .malformed)
    #expect(try kind { $0.archive.sha256 = "abc" } == .malformed)
    #expect(try kind { $0.archive.files = [] } == .malformed)
  }

  @Test func variableNamesAFileOrAnAddressOnThisComputer() async throws {
    let variable = ModelCatalogue.variable
    #expect(try await ModelCatalogue.load(environment: [:]) == .builtIn)
    for name in [
      "/nonexistent", "https://example.org/c.json", "http://192.0.2.1/c.json", "ftp://127.0.0.1/x",
    ] {
      await #expect(throws: ModelError.self) { try await ModelCatalogue.load(environment: [variable: name]) }
    }
  }
}
