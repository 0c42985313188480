import FileSupport
import Foundation
import ModelStorage
import TestSupport
import Testing

@testable import ModelInstallation

@Suite struct ModelImportTests {
  private static func mode(_ url: URL) -> mode_t {
    var status = stat()
    return stat(url.path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test(arguments: [
    ("toy-ctc", ModelFamily.nemoCTC), ("toy-streaming-ctc", .nemoStreamingCTC), ("toy-tdt", .nemoTransducer),
  ])
  func folderIsImportedWithWhatIsKnownOfIt(toy: String, family: ModelFamily) throws {
    let fixture = try ModelFixture()
    let model = try ModelImporter(store: fixture.store).run(
      from: ModelFixture.toy(toy), languages: ["en", "de-AT"])
    #expect(model.name == toy)
    #expect(model.description.family == family)
    #expect(model.description.languages == ["en", "de-AT"])
    #expect(model.description.licence.identifier == "unknown")
    #expect(fixture.entries == [toy])
    #expect(fixture.store.installed() == [model])
    #expect(Self.mode(model.folder) == 0o700)
    for file in model.description.files {
      let copy = model.folder.appendingPathComponent(file.name)
      #expect(Self.mode(copy) == 0o600)
      #expect(
        try Data(contentsOf: copy)
          == Data(contentsOf: ModelFixture.toy(toy).appendingPathComponent(file.name)))
      #expect(try SHA256.hash(contentsOf: copy).hexadecimal == file.sha256)
    }
    try fixture.store.verify(toy)
  }

  @Test func installedFolderIsImportedElsewhereAsItIs() throws {
    let fixture = try ModelFixture()
    let model = try fixture.importToy()
    let other = ModelStore(folder: fixture.folder.appendingPathComponent("others"))
    let copy = try ModelImporter(store: other).run(from: model.folder)
    #expect(copy.description == model.description)
    #expect(copy.digest == model.digest)
  }

  @Test(arguments: [
    "../evil", "a/b", "", ".hidden", "-x", "en-us", "EN-US", "ä", "a b", String(repeating: "x", count: 65),
  ])
  func nameThatIsNoFolderOfItsOwnIsRefused(name: String) throws {
    let fixture = try ModelFixture()
    #expect(ModelFixture.kind { try fixture.importToy(name: name) } == .invalid)
    #expect(fixture.entries.isEmpty)
    #expect(fixture.siblings.allSatisfy { $0 == "models" })
  }

  @Test func existingModelIsNotReplaced() throws {
    let fixture = try ModelFixture()
    let model = try fixture.importToy(name: "toy")
    #expect(ModelFixture.kind { try fixture.importToy("toy-tdt", name: "toy") } == .exists)
    #expect(fixture.store.installed() == [model])
    #expect(fixture.entries == ["toy"])
  }

  @Test func modelWithoutLanguagesIsRefused() throws {
    let fixture = try ModelFixture()
    let importer = ModelImporter(store: fixture.store)
    #expect(ModelFixture.kind { try importer.run(from: ModelFixture.toy("toy-ctc")) } == .invalid)
    #expect(
      ModelFixture.kind { try importer.run(from: ModelFixture.toy("toy-ctc"), languages: ["english"]) }
        == .invalid)
    #expect(fixture.entries.isEmpty)
  }

  @Test func sourceThatIsNoModelIsRefused() throws {
    let fixture = try ModelFixture()
    let importer = ModelImporter(store: fixture.store)
    let empty = fixture.folder.appendingPathComponent("empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
    #expect(ModelFixture.kind { try importer.run(from: empty, languages: ["en"]) } == .malformed)
    let missing = fixture.folder.appendingPathComponent("missing")
    #expect(ModelFixture.kind { try importer.run(from: missing, languages: ["en"]) } == .notFound)
    let null = URL(fileURLWithPath: "/dev/null")
    #expect(ModelFixture.kind { try importer.run(from: null, languages: ["en"]) } == .invalid)
    let truncated = try fixture.copy("toy-ctc", as: "truncated")
    truncate(truncated.path + "/model.onnx", 1000)
    #expect(ModelFixture.kind { try importer.run(from: truncated, languages: ["en"]) } == .malformed)
    #expect(fixture.entries.isEmpty)
  }

  @Test func fileThatDiffersFromItsDescriptionIsRefused() throws {
    let fixture = try ModelFixture()
    let model = try fixture.importToy()
    let copy = fixture.folder.appendingPathComponent("copy")
    let importer = ModelImporter(store: fixture.store)
    func refused(_ change: (inout ModelDescription) -> Void) throws -> ModelError.Kind? {
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: model.folder, to: copy)
      var description = model.description
      change(&description)
      try JSONEncoder().encode(description).write(to: copy.appendingPathComponent("model.json"))
      return ModelFixture.kind { try importer.run(from: copy, name: "copy") }
    }
    #expect(try refused { $0.files[0].sha256 = String(repeating: "0", count: 64) } == .malformed)
    #expect(try refused { $0.family = .nemoStreamingCTC } == .malformed)
    #expect(try refused { $0.languages = [] } == .malformed)
    #expect(fixture.entries == [model.name])
    #expect(try refused { _ in } == nil)
  }

  @Test func diskWithoutSpaceIsReportedBeforeAnythingIsCopied() throws {
    let fixture = try ModelFixture()
    var importer = ModelImporter(store: fixture.store)
    importer.freeSpace = { _ in 1000 }
    #expect(
      ModelFixture.kind { try importer.run(from: ModelFixture.toy("toy-ctc"), languages: ["en"]) } == .noSpace
    )
    #expect(fixture.entries.isEmpty)
  }

  @Test func archiveOfTheCatalogueIsRecognizedByItsDigest() throws {
    let fixture = try ModelFixture()
    let archive = try fixture.archive { try ModelFixture.add("toy-ctc", below: "toy/", to: &$0) }
    let address = URL(fileURLWithPath: "/nowhere")
    let entry = try ModelFixture.entry(try Data(contentsOf: archive), at: address, name: "from-the-catalogue")
    let model = try ModelImporter(store: fixture.store, catalogue: [entry]).run(from: archive)
    #expect(model.name == "from-the-catalogue")
    #expect(model.description.licence.identifier == "MIT")
    #expect(model.description.languages == ["en"])
  }
}
