import Foundation
import ModelStorage
import ScriptedSpeech
import TestSupport
import Testing

@testable import ModelConversion
@testable import ModelInstallation

/// Import of Whisper models that other programs downloaded.
@Suite(.tagged(.slow)) struct WhisperImportTests {
  private let fixture: ModelFixture
  private let source: URL
  private let file: URL

  init() throws {
    fixture = try ModelFixture()
    source = fixture.folder.appendingPathComponent("faster-whisper")
    file = fixture.folder.appendingPathComponent("some.bin")
    try WhisperFixture().write(to: source)
    try WhisperConversion(folder: source.path).write(to: file.path)
  }

  private func entry(_ name: String, sha256: String) throws -> ModelCatalogue.Entry {
    var entry = try #require(ModelCatalogue.builtIn.entry(named: "whisper-tiny-en"))
    entry.name = name
    entry.others?[0].sha256 = sha256
    return entry
  }

  @Test func folderAndFileBecomeTheSameModel() throws {
    let importer = ModelImporter(store: fixture.store)
    let converted = try importer.run(from: source, name: "converted")
    let copied = try importer.run(from: file, name: "copied")
    #expect(converted.description.files == copied.description.files)
    #expect(converted.description.recognizer == "whisper")
    #expect(converted.description.family == .whisperGGML)
    #expect(converted.description.languages == ["en"])
    #expect(converted.description.isPunctuated)
    #expect(fixture.entries == ["converted", "copied"])
    try fixture.store.verify("converted")
  }

  @Test func modelIsNamedByItsHashOrItsSizes() throws {
    let unknown = try ModelImporter(store: fixture.store).run(from: file)
    let sha256 = try #require(unknown.description.files.first).sha256
    #expect(unknown.name == "whisper-8-1-1-en-\(sha256.prefix(8))")
    #expect(unknown.description.files.map(\.name) == ["ggml-8-1-1.en.bin"])
    #expect(unknown.description.licence.identifier == "unknown")
    let known = try ModelImporter(store: fixture.store, catalogue: [entry("official", sha256: sha256)]).run(
      from: file)
    #expect(known.name == "official")
    #expect(known.description.licence.identifier == "MIT")
    #expect(ModelFixture.kind { try ModelImporter(store: fixture.store).run(from: file) } == .exists)
  }

  @Test func folderOfVersionsIsImported() throws {
    let cache = fixture.folder.appendingPathComponent("models--x--faster-whisper")
    try FileManager.default.createDirectory(
      at: cache.appendingPathComponent("snapshots"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: source, to: cache.appendingPathComponent("snapshots/0123"))
    #expect(
      try ModelImporter(store: fixture.store).run(from: cache, name: "a").description.languages == ["en"])
  }

  @Test func installedModelIsImportedFromItsFolder() throws {
    let model = try ModelImporter(store: fixture.store).run(from: source, name: "one")
    let other = ModelStore(folder: fixture.folder.appendingPathComponent("others"))
    #expect(try ModelImporter(store: other).run(from: model.folder).description == model.description)
  }

  @Test func fileWithoutItsEndIsRefused() throws {
    let data = try Data(contentsOf: file)
    // The last tensor has 68 bytes.
    for count in [3, 40, 60, 70_000, data.count / 2, data.count - 68, data.count - 1] {
      try data.prefix(count).write(to: file)
      #expect(
        ModelFixture.kind { try ModelImporter(store: fixture.store).run(from: file, languages: ["en"]) }
          == .malformed)
    }
    try (data + [0]).write(to: file)
    #expect(ModelFixture.kind { try ModelImporter(store: fixture.store).run(from: file) } == .malformed)
    #expect(fixture.entries.isEmpty)
  }

  /// The library reads as many bytes as it expects, and would take the wrong ones.
  @Test(arguments: [("type", 12, 1), ("length", 8, 9), ("name", 0, 0x7878_7878)])
  func tensorThatTheLibraryDoesNotExpectIsRefused(what: String, before: Int, value: Int32) throws {
    var data = try Data(contentsOf: file)
    let name = try #require(data.range(of: Data("decoder.positional_embedding".utf8))).lowerBound
    let place = name - before
    withUnsafeBytes(of: value.littleEndian) { data.replaceSubrange(place..<place + 4, with: $0) }
    try data.write(to: file)
    #expect(ModelFixture.kind { try ModelImporter(store: fixture.store).run(from: file) } == .malformed)
  }

  @Test func damagedModelIsFoundByVerification() throws {
    let model = try ModelImporter(store: fixture.store).run(from: file, name: "one")
    let name = try #require(model.description.files.first).name
    let target = model.folder.appendingPathComponent(name)
    var data = try Data(contentsOf: target)
    data[data.count - 5] ^= 1
    try data.write(to: target)
    #expect(ModelFixture.kind { try fixture.store.verify("one") } == .malformed)
  }

  @Test func anotherFamilyInTheDescriptionIsRefused() throws {
    let model = try ModelImporter(store: fixture.store).run(from: file, name: "one")
    var description = model.description
    description.family = .nemoCTC
    #expect(throws: ModelFolderError.self) {
      try ModelInspection(folder: model.folder.path, description: description)
    }
  }

  /// Each changed file is refused with an error, or is a model that passes every check.
  @Test func changedFilesAreRefusedOrHarmless() throws {
    var mutation = Mutation(seed: 36)
    let data = try Data(contentsOf: file)
    // The tensors begin after the list of tokens.
    let tensors = data.count - 900_000
    var imported = 0
    for round in 0..<(isSoak ? 200 : 30) {
      let changed = mutation.applied(to: data, near: [0..<60, 64_380..<64_500, max(0, tensors)..<data.count])
      try changed.write(to: file)
      imported += try attempt(file, "file \(round)")
    }
    #expect(imported < (isSoak ? 190 : 29))
  }

  @Test func changedFoldersAreRefusedOrHarmless() throws {
    var mutation = Mutation(seed: 37)
    let model = try Data(contentsOf: source.appendingPathComponent("model.bin"))
    let tokens = try Data(contentsOf: source.appendingPathComponent("vocabulary.txt"))
    for round in 0..<(isSoak ? 100 : 12) {
      let isTokens = round % 4 == 3
      try (isTokens ? model : mutation.applied(to: model, near: [0..<400, 0..<model.count])).write(
        to: source.appendingPathComponent("model.bin"))
      try (isTokens ? mutation.applied(to: tokens, near: [0..<tokens.count]) : tokens).write(
        to: source.appendingPathComponent("vocabulary.txt"))
      _ = try attempt(source, "folder \(round)")
    }
  }

  /// - Returns: 1 if the source was imported, 0 if it was refused.
  private func attempt(_ source: URL, _ label: String) throws -> Int {
    do {
      let model = try ModelImporter(store: fixture.store).run(
        from: source, name: "changed", languages: ["en"])
      try fixture.store.verify(model.name)
      try fixture.store.remove(model.name)
      return 1
    } catch let error as ModelError {
      #expect([.malformed, .invalid].contains(error.kind), "\(label): \(error.problem)")
      #expect(fixture.entries.isEmpty, "\(label)")
      return 0
    }
  }
}

/// Changes that damaged and hostile files have.
private struct Mutation {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// - Parameter places: where most of the changes are.
  mutating func applied(to data: Data, near places: [Range<Int>]) -> Data {
    var data = data
    let place = (places.randomElement(using: &generator) ?? 0..<data.count).clamped(to: 0..<data.count)
    let offset = Int.random(in: place, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: data = data.prefix(offset)
    case 1: data[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2:
      let extreme: Int32 = [0, -1, .max, .min, 1 << 30, 65_536].randomElement(using: &generator) ?? 0
      let aligned = min(offset & ~3, data.count - 4)
      withUnsafeBytes(of: extreme.littleEndian) { data.replaceSubrange(aligned..<aligned + 4, with: $0) }
    case 3: data.insert(contentsOf: [UInt8](repeating: 0xFF, count: 7), at: offset)
    case 4: data.removeSubrange(offset..<min(data.count, offset + 13))
    default:
      for index in offset..<min(data.count, offset + 64) {
        data[index] = .random(in: 0...255, using: &generator)
      }
    }
    return data
  }
}
