import Foundation
import RecognitionProtocol
import Testing

@testable import ModelInstallation
@testable import ModelStorage

/// Models that are installed for all users.
@Suite struct SharedModelTests {
  private let fixture: ModelFixture
  private let store: ModelStore
  private let shared: ModelStore

  init() throws {
    fixture = try ModelFixture()
    let folder = fixture.folder.appendingPathComponent("shared")
    shared = ModelStore(folder: folder)
    store = ModelStore(folder: fixture.store.folder, sharedFolders: [folder])
    _ = try ModelImporter(store: shared).run(
      from: ModelFixture.toy("toy-ctc"), name: "one", languages: ["en"])
  }

  @Test func modelForAllUsersIsUsed() throws {
    #expect(store.installed().map(\.name) == ["one"])
    #expect(store.best(for: Locale(identifier: "en-US"))?.name == "one")
    let model = try store.model(named: "one")
    #expect(model.folder.path == shared.folder.path + "/one")
    #expect(store.usualLanguages(of: model) == ["en"])
    try store.verify("one")
    #expect(fixture.entries.isEmpty)
  }

  @Test func ownModelOfTheSameNameIsUsedFirst() throws {
    let own = try ModelImporter(store: store).run(
      from: ModelFixture.toy("toy-ctc"), name: "one", languages: ["de"])
    #expect(store.installed() == [own])
    #expect(store.usualLanguages(of: own) == ["de"])
    try store.remove("one")
    #expect(try store.model(named: "one").description.languages == ["en"])
  }

  /// The order of measurements comes before that of sizes.
  @Test func betterModelOfMeasurementsIsUsed() throws {
    for (name, size) in [("whisper-base", Int64(1000)), ("whisper-tiny-en", 5000)] {
      let folder = fixture.store.folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("net.bin").path
      _ = FileManager.default.createFile(atPath: file, contents: nil)
      truncate(file, off_t(size))
      let description = ModelDescription(
        name: name, recognizer: "whisper", family: .whisperGGML,
        files: [.init(role: .model, name: "net.bin", size: size, sha256: String(repeating: "0", count: 64))],
        languages: ["en"], isPunctuated: true, licence: .init(identifier: "MIT"), source: nil)
      try JSONEncoder().encode(description).write(to: folder.appendingPathComponent("model.json"))
    }
    #expect(fixture.store.best(for: Locale(identifier: "en-US"))?.name == "whisper-base")
  }

  /// Whisper lists older codes than people use.
  @Test(arguments: [("no", "nb-NO"), ("tl", "fil-PH"), ("jw", "jv-ID"), ("no", "no"), ("pt-BR", "pt-BR")])
  func modelRecognizesALanguageByEachOfItsCodes(_ code: String, _ name: String) {
    let description = ModelDescription(
      name: "net", recognizer: "whisper", family: .whisperGGML, files: [], languages: [code],
      isPunctuated: true, licence: .init(identifier: "MIT"), source: nil)
    let model = InstalledModel(folder: fixture.store.folder, description: description)
    #expect(model.recognizes(Locale(identifier: name)))
    #expect(!model.recognizes(Locale(identifier: "nn-NO")))
    #expect(!model.recognizes(Locale(identifier: "pt-PT")))
  }

  @Test func modelForAllUsersIsNotRemoved() throws {
    let error = #expect(throws: ModelError.self) { try store.remove("one") }
    #expect(error?.problem.contains("for all users, in \(shared.folder.path)/one") == true)
    #expect(error?.remedy.contains("administers") == true)
    try FileManager.default.removeItem(at: shared.folder.appendingPathComponent("one/tokens.txt"))
    #expect(throws: ModelError.self) { try store.remove("one") }
    #expect(store.contents().broken.map(\.name) == ["one"])
  }

  @Test func environmentNamesTheFoldersForAllUsers() {
    let folders = { (environment: [String: String]) in
      ModelLocations.forAllUsers(environment: environment, program: "/opt/longhand/bin/longhand")
    }
    #expect(
      folders([:]) == [
        "/opt/longhand/share/longhand/models", "/opt/share/longhand/models",
        "/usr/local/share/longhand/models",
        "/usr/share/longhand/models",
      ])
    #expect(folders(["SPEECH_MODEL_PATH": "/mine"]).isEmpty)
    #expect(folders(["SPEECH_MODEL_PATH": "/mine", "SPEECH_SYSTEM_MODEL_PATH": "/a:/b"]) == ["/a", "/b"])
    #expect(folders(["SPEECH_SYSTEM_MODEL_PATH": ""]).isEmpty)
  }
}
