import FileSupport
import Foundation
import ModelStorage
import TestSupport
import Testing

@testable import ModelInstallation

/// Archives that are models, and archives that attack.
@Suite struct ModelArchiveTests {
  private static func importing(_ archive: URL, _ fixture: ModelFixture) throws -> InstalledModel {
    try ModelImporter(store: fixture.store).run(from: archive, name: "toy", languages: ["en"])
  }

  @Test(arguments: ["", "./", "toy/", "./toy/"])
  func modelIsFoundAtTheTopOrInTheOnlyFolder(below folder: String) throws {
    let fixture = try ModelFixture()
    let archive = try fixture.archive { archive in
      if folder == "toy/" { archive.add("toy/", kind: .folder) }
      try ModelFixture.add("toy-ctc", below: folder, to: &archive)
    }
    let model = try Self.importing(archive, fixture)
    #expect(model.description.family == .nemoCTC)
    #expect(fixture.entries == ["toy"])
    try fixture.store.verify("toy")
  }

  /// The names of pax archives are UTF-8, whatever the user's language is.
  @Test(arguments: ["modèle", "модель", "模型", "toy"]) func namesMayHaveAnyLetters(_ name: String) throws {
    let fixture = try ModelFixture()
    let toy = ModelFixture.toy("toy-ctc")
    let archive = try fixture.archive { archive in
      for file in try FileManager.default.contentsOfDirectory(atPath: toy.path).sorted() {
        archive.addExtended("\(name)/\(file)", try Data(contentsOf: toy.appendingPathComponent(file)))
      }
    }
    #expect(try Self.importing(archive, fixture).description.family == .nemoCTC)
    try fixture.store.verify("toy")
  }

  @Test func extendedNameThatLeavesTheFolderIsRefused() throws {
    let fixture = try ModelFixture()
    let archive = try fixture.archive { archive in
      try ModelFixture.add("toy-ctc", below: "toy/", to: &archive)
      archive.addExtended("../é", Data("evil".utf8))
    }
    #expect(ModelFixture.kind { try Self.importing(archive, fixture) } == .unsafeArchive)
    #expect(fixture.siblings == ["model.tar", "models"])
  }

  @Test(.tagged(.childProcess), arguments: [("bzip2", "bz2"), ("gzip", "gz"), ("xz", "xz")])
  func compressedArchiveIsUnpacked(program: String, suffix: String) throws {
    let fixture = try ModelFixture()
    let archive = try fixture.archive { try ModelFixture.add("toy-ctc", below: "toy/", to: &$0) }
    try TarArchive.compress(archive, with: program)
    let compressed = URL(fileURLWithPath: archive.path + "." + suffix)
    #expect(try Self.importing(compressed, fixture).description.family == .nemoCTC)
  }

  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    var kind = TarArchive.Kind.file
    var link = ""
    var testDescription: String { "\(kind) \(name.debugDescription) \(link)" }
  }

  @Test(arguments: [
    Attack(name: "../evil"), Attack(name: "toy/../../evil"), Attack(name: "toy/../../../../../tmp/evil"),
    Attack(name: "/tmp/longhand-evil"), Attack(name: ".."), Attack(name: "..\\evil"), Attack(name: "C:evil"),
    Attack(name: "toy/\u{1B}[2J"), Attack(name: "../evil/", kind: .folder),
    Attack(name: "toy/link", kind: .symbolicLink, link: "/etc/passwd"),
    Attack(name: "toy/link", kind: .symbolicLink, link: "../../evil"),
    Attack(name: "toy/link", kind: .hardLink, link: "/etc/passwd"),
    Attack(name: "toy/link", kind: .hardLink, link: "toy/tokens.txt"),
    Attack(name: "toy/device", kind: .device),
  ])
  func entryThatLeavesTheFolderIsRefused(attack: Attack) throws {
    for isFirst in [false, true] {
      let fixture = try ModelFixture()
      let archive = try fixture.archive { archive in
        if !isFirst { try ModelFixture.add("toy-ctc", below: "toy/", to: &archive) }
        let data = attack.kind == .file ? Data("evil".utf8) : Data()
        archive.add(attack.name, data, kind: attack.kind, link: attack.link)
        if isFirst { try ModelFixture.add("toy-ctc", below: "toy/", to: &archive) }
      }
      #expect(ModelFixture.kind { try Self.importing(archive, fixture) } == .unsafeArchive)
      #expect(fixture.entries.isEmpty)
      #expect(fixture.siblings == ["model.tar", "models"])
      #expect(!FileManager.default.fileExists(atPath: "/tmp/longhand-evil"))
    }
  }

  @Test func fileThatIsThereTwiceIsRefused() throws {
    let fixture = try ModelFixture()
    let twice = try fixture.archive { archive in
      try ModelFixture.add("toy-ctc", below: "toy/", to: &archive)
      archive.add("toy/./tokens.txt", Data("other".utf8))
    }
    #expect(ModelFixture.kind { try Self.importing(twice, fixture) } == .malformed)
    let both = try fixture.archive { archive in
      archive.add("toy", Data("a file".utf8))
      try ModelFixture.add("toy-ctc", below: "toy/", to: &archive)
    }
    let kind = ModelFixture.kind { try Self.importing(both, fixture) }
    #expect(kind == .malformed || kind == .storage)
    #expect(fixture.entries.isEmpty)
  }

  @Test func damagedArchiveIsRefused() throws {
    let fixture = try ModelFixture()
    let archive = try fixture.archive { try ModelFixture.add("toy-ctc", below: "toy/", to: &$0) }
    let whole = try Data(contentsOf: archive)
    for data in [Data(), Data("no archive".utf8), whole.prefix(100_000), whole.prefix(10_000)] {
      try data.write(to: archive)
      #expect(ModelFixture.kind { try Self.importing(archive, fixture) } == .malformed)
      #expect(fixture.entries.isEmpty)
    }
  }

  @Test(.tagged(.childProcess), arguments: ["gzip", "bzip2"])
  func archiveThatUnpacksToFarMoreThanItsSizeIsRefused(program: String) throws {
    let fixture = try ModelFixture()
    for name in ["toy/model.onnx", "toy/unwanted.bin"] {
      let archive = try fixture.archive { $0.add(name, Data(count: 8 << 20)) }
      try TarArchive.compress(archive, with: program)
      let bomb = URL(fileURLWithPath: archive.path + (program == "gzip" ? ".gz" : ".bz2"))
      #expect(FileDownload.length(of: bomb) < 40_000)
      #expect(ModelFixture.kind { try Self.importing(bomb, fixture) } == .unsafeArchive)
      #expect(fixture.entries.isEmpty)
      try FileManager.default.removeItem(at: bomb)
    }
  }

  @Test func limitsOfBytesAndEntriesHold() throws {
    let fixture = try ModelFixture()
    let archive = try fixture.archive { archive in
      try ModelFixture.add("toy-ctc", below: "toy/", to: &archive)
      for number in 0..<20 { archive.add("toy/\(number)", Data(count: 10)) }
    }
    func kind(_ change: (inout ModelArchive.Limits) -> Void) -> ModelError.Kind? {
      var importer = ModelImporter(store: fixture.store)
      change(&importer.limits)
      return ModelFixture.kind { try importer.run(from: archive, name: "toy", languages: ["en"]) }
    }
    #expect(kind { $0.entries = 21 } == .unsafeArchive)
    #expect(kind { $0.bytes = 400_000 } == .unsafeArchive)
    #expect(fixture.entries.isEmpty)
    #expect(kind { $0.entries = 22 } == nil)
  }
}
