import FileSupport
import Foundation
import ModelStorage
import TestSupport
import Testing

@testable import ModelInstallation

@Suite struct ModelStoreTests {
  @Test func folderWithoutModelsIsEmpty() throws {
    let fixture = try ModelFixture()
    #expect(fixture.store.installed().isEmpty)
    #expect(fixture.store.best(for: Locale(identifier: "en-US")) == nil)
    #expect(ModelFixture.kind { try fixture.store.model(named: "toy") } == .notFound)
  }

  /// Each of these is a reason not to use the folder, and no reason not to use the others.
  @Test func damagedAndForeignFoldersAreListedWithTheirReason() throws {
    let fixture = try ModelFixture()
    let whole = try fixture.importToy(name: "whole")
    for name in ["changed", "missing", "shorter", "link", "named", "pipe"] {
      _ = try fixture.importToy(name: name)
    }
    let models = fixture.store.folder
    let files = FileManager.default
    try Data("{".utf8).write(to: models.appendingPathComponent("changed/model.json"))
    try files.removeItem(at: models.appendingPathComponent("missing/tokens.txt"))
    try Data("x".utf8).write(to: models.appendingPathComponent("shorter/tokens.txt"))
    try files.removeItem(at: models.appendingPathComponent("link/tokens.txt"))
    try files.createSymbolicLink(
      atPath: models.path + "/link/tokens.txt", withDestinationPath: models.path + "/whole/tokens.txt")
    try files.moveItem(
      at: models.appendingPathComponent("named"), to: models.appendingPathComponent("renamed"))
    try files.removeItem(at: models.appendingPathComponent("pipe/model.json"))
    mkfifo(models.path + "/pipe/model.json", 0o600)
    try files.createDirectory(
      at: models.appendingPathComponent("foreign"), withIntermediateDirectories: false)
    // PocketSphinx's model, unfinished work and files are no models.
    for name in ["en-us", ".draft-x", ".download-toy"] {
      try files.createDirectory(at: models.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    try Data().write(to: models.appendingPathComponent("file"))

    let (installed, broken) = fixture.store.contents()
    #expect(installed == [whole])
    #expect(broken.map(\.name) == ["changed", "foreign", "link", "missing", "pipe", "renamed", "shorter"])
    let problems = Dictionary(uniqueKeysWithValues: broken.map { ($0.name, $0.problem) })
    #expect(problems["changed"]?.contains("model.json is not the description") == true)
    #expect(problems["foreign"] == "It has no model.json.")
    #expect(problems["pipe"] == "It has no model.json.")
    #expect(problems["missing"] == "The file tokens.txt is missing.")
    #expect(problems["link"] == "The file tokens.txt is missing.")
    #expect(problems["shorter"]?.contains("has 1 bytes instead of") == true)
    #expect(problems["renamed"] == "Its model.json is that of the model 'named'.")
  }

  /// It stays, and is listed with what to do instead.
  @Test func modelOfARetiredFamilyIsListedAsUnusable() throws {
    let fixture = try ModelFixture()
    let file = try fixture.importToy(name: "old").folder.appendingPathComponent("model.json")
    let text = try String(contentsOf: file, encoding: .utf8).replacing("nemo-ctc", with: "moonshine")
      .replacing(#""role" : "model""#, with: #""role" : "uncachedDecoder""#)
    try Data(text.utf8).write(to: file)
    let broken = try #require(fixture.store.contents().broken.first)
    #expect(broken.name == "old")
    #expect(broken.error.kind == .unsupported)
    #expect(broken.problem.hasSuffix("is Moonshine, which is no longer supported."))
    let error = #expect(throws: ModelError.self) { try fixture.store.model(named: "old") }
    #expect(error?.problem == "The model 'old' cannot be used: \(broken.problem)")
    #expect(error?.remedy.contains("longhand models list") == true)
    #expect(
      ModelFixture.kind {
        try ModelImporter(store: fixture.store).run(from: file.deletingLastPathComponent(), name: "new")
      } == .unsupported)
    #expect(fixture.entries == ["old"])
  }

  @Test(arguments: [
    ("../evil", "a file's name is not allowed"), ("/etc/passwd", "a file's name is not allowed"),
    ("", "a file's name is not allowed"), ("model.json", "it names model.json twice"),
  ])
  func descriptionThatNamesOtherFilesIsRefused(name: String, problem: String) throws {
    let fixture = try ModelFixture()
    var description = try fixture.importToy().description
    description.files[0].name = name
    #expect(description.problem == problem)
  }

  /// It is printed to terminals.
  @Test(arguments: ["MIT\u{1B}[2J", "MIT\nInstalled:", "MIT\u{9B}31m", String(repeating: "a", count: 2001)])
  func descriptionThatIsNotMadeOfLinesIsRefused(text: String) throws {
    let fixture = try ModelFixture()
    let original = try fixture.importToy().description
    var description = original
    description.licence.identifier = text
    #expect(description.problem == "the licence's identifier is not a short line")
    description = original
    description.licence.attribution = text
    #expect(description.problem == "the licence's attribution is not a line")
    description = original
    description.source = text
    #expect(description.problem == "the source is not a line")
    description.source = "https://example.org/\u{43C}\u{43E}\u{434}\u{435}\u{43B}\u{44C}"
    #expect(description.problem == nil)
  }

  @Test func modelIsSelectedByItsLanguage() throws {
    let fixture = try ModelFixture()
    func add(_ name: String, _ family: ModelFamily, _ size: Int64, _ languages: String...) throws {
      let folder = fixture.store.folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appendingPathComponent("model.onnx"))
      truncate(folder.path + "/model.onnx", off_t(size))
      let description = ModelDescription(
        name: name, family: family,
        files: [
          .init(role: .model, name: "model.onnx", size: size, sha256: String(repeating: "0", count: 64))
        ], languages: languages, isPunctuated: false, licence: .init(identifier: "MIT"), source: nil)
      try JSONEncoder().encode(description).write(to: folder.appendingPathComponent("model.json"))
    }
    try add("european", .nemoTransducer, 671_239_000, "de", "en", "fr")
    try add("english", .nemoTransducer, 661_428_477, "en")
    try add("small", .nemoTransducer, 136_760_193, "en")
    try add("live", .nemoStreamingTransducer, 130_000_000, "en")
    try add("without-confidence", .senseVoice, 1_000_000_000, "en", "ja")
    try add("swiss", .nemoCTC, 1000, "gsw-CH", "de-CH")
    let best = { (name: String) in fixture.store.best(for: Locale(identifier: name))?.name }
    #expect(best("en-US") == "english")
    #expect(best("en-GB") == "english")
    #expect(best("de-AT") == "european")
    #expect(best("ja-JP") == "without-confidence")
    #expect(best("gsw-CH") == "swiss")
    #expect(best("ru-RU") == nil)
  }

  @Test func changedByteIsFoundByVerification() throws {
    let fixture = try ModelFixture()
    let model = try fixture.importToy()
    try fixture.store.verify(model.name)
    let file = model.folder.appendingPathComponent("model.onnx")
    var data = try Data(contentsOf: file)
    data[data.count / 2] ^= 1
    try data.write(to: file)
    #expect(fixture.store.installed() == [model])
    #expect(ModelFixture.kind { try fixture.store.verify(model.name) } == .malformed)
  }

  @Test func anotherFamilyIsFoundByVerification() throws {
    let fixture = try ModelFixture()
    let model = try fixture.importToy()
    var description = model.description
    description.family = .nemoStreamingCTC
    try JSONEncoder().encode(description).write(to: model.folder.appendingPathComponent("model.json"))
    #expect(ModelFixture.kind { try fixture.store.verify(model.name) } == .malformed)
  }

  @Test func removedModelLeavesNothing() throws {
    let fixture = try ModelFixture()
    _ = try fixture.importToy(name: "one")
    _ = try fixture.importToy(name: "two")
    let damaged = fixture.store.folder.appendingPathComponent("two/tokens.txt")
    try FileManager.default.removeItem(at: damaged)
    try fixture.store.remove("one")
    #expect(fixture.entries == ["two"])
    try fixture.store.remove("two")
    #expect(fixture.entries.isEmpty)
    #expect(ModelFixture.kind { try fixture.store.remove("one") } == .notFound)
    #expect(ModelFixture.kind { try fixture.store.remove("..") } == .invalid)
    #expect(fixture.siblings == ["models"])
  }

  @Test func workOfAKilledProcessIsRemovedAndThatOfARunningOneStays() throws {
    let fixture = try ModelFixture()
    let draft = try fixture.store.makeDraft()
    let abandoned = DraftFolder.path(in: fixture.store.folder.path, prefix: ModelStore.draftPrefix)
    try FileManager.default.createDirectory(
      atPath: abandoned + "/content", withIntermediateDirectories: true)
    _ = try fixture.importToy(name: "toy")
    #expect(fixture.entries == [(draft.path as NSString).lastPathComponent, "toy"])
    draft.remove()
  }
}
