import Foundation
import ModelConversion
import ModelStorage
import TestSupport
import Testing

@testable import ModelInstallation

@Suite struct ModelCatalogueTests {
  private let models = ModelCatalogue.builtIn.models

  @Test func everyEntryCanBeInstalledFromItsPublisher() throws {
    #expect(models.count >= 4)
    for entry in models where entry.family != .whisperGGML {
      let archive = try #require(entry.archive)
      #expect(archive.url.scheme == "https", "\(entry.name)")
      #expect(entry.host == "github.com", "\(entry.name)")
      #expect(archive.url.path.hasPrefix("/k2-fsa/sherpa-onnx/releases/download/"), "\(entry.name)")
      for other in entry.others ?? [] {
        #expect(other.url.absoluteString.hasPrefix("https://github.com/k2-fsa/sherpa-onnx/releases/"))
      }
      guard entry.family.recognizesWords else {
        #expect(entry.keeps("model.onnx") || entry.keeps("model.int8.onnx"))
        #expect(!entry.licence.attribution.isEmpty)
        continue
      }
      #expect(entry.keeps("tokens.txt"), "\(entry.name)")
      #expect(!entry.keeps("test_wavs/0.wav"), "\(entry.name)")
      #expect(!entry.licence.attribution.isEmpty, "\(entry.name)")
      #expect(entry.licenceText.scheme == "https", "\(entry.name)")
    }
    #expect(Set(models.flatMap(\.downloads).map(\.sha256)).count == models.flatMap(\.downloads).count)
  }

  /// The official files of whisper.cpp, from their publisher first.
  @Test func whisperIsOneFileOfItsPublisher() throws {
    let entries = models.filter { $0.family == .whisperGGML }
    #expect(entries.first?.name == "whisper-base")
    for entry in entries {
      #expect(entry.archive == nil, "\(entry.name)")
      let file = try #require(entry.others?.first)
      #expect(entry.others?.count == 1, "\(entry.name)")
      let publisher = "https://huggingface.co/ggerganov/whisper.cpp/resolve/main/"
      #expect(file.url.absoluteString == publisher + file.name)
      #expect(file.mirrors?.isEmpty == false, "\(entry.name)")
      #expect(
        file.name == "ggml-" + entry.name.dropFirst("whisper-".count).replacing("-en", with: ".en") + ".bin")
      #expect(entry.installedSize == file.bytes)
      #expect(entry.licence.identifier == "MIT")
      let languages = entry.name.hasSuffix("-en") ? ["en"] : WhisperLanguages.all
      let added = entry.name.contains("large-v3") ? [WhisperLanguages.added] : []
      #expect(entry.languages == languages + added, "\(entry.name)")
    }
    #expect(WhisperLanguages.all.count == 99)
    #expect(Set(WhisperLanguages.all).count == 99)
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
    #expect(recommended.contains { $0.downloadBytes < 120_000_000 })
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

  @Test func catalogueOfARetiredFamilyIsNamed() throws {
    let data = try JSONEncoder().encode(ModelCatalogue(models: Array(models.prefix(1))))
    let text = String(decoding: data, as: UTF8.self).replacing("nemo-transducer", with: "whisper")
    let error = #expect(throws: ModelError.self) { try ModelCatalogue.decode(Data(text.utf8), name: "test") }
    #expect(error?.problem.contains("Whisper in the format ONNX is no longer supported") == true)
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
    #expect(try kind { $0.archive?.bytes = 0 } == .malformed)
    #expect(try kind { $0.archive?.bytes = .max } == .malformed)
    #expect(try kind { $0.archive?.unpackedBytes = -1 } == .malformed)
    #expect(try kind { $0.archive?.sha256 = "abc" } == .malformed)
    #expect(try kind { $0.archive?.files = [] } == .malformed)
    #expect(try kind { $0.archive = nil } == .malformed)
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
