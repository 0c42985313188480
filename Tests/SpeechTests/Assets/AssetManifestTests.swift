import Foundation
import Testing

@testable import Speech

@Suite("Manifests of models")
struct AssetManifestTests {
  private static func read(_ change: (inout AssetManifest) -> Void) throws -> AssetManifest {
    var manifest = AssetFixture.manifest()
    change(&manifest)
    return try AssetManifest.read(JSONEncoder().encode(manifest), locale: "en-US")
  }

  @Test("are read")
  func reading() throws {
    let manifest = try Self.read { _ in }
    #expect(manifest == AssetFixture.manifest())
    #expect(manifest.size == 208_000)
    #expect(try Self.read { $0.locale = "en_us" }.locale == "en_us")
  }

  @Test(
    "may not name files outside of the model's folder",
    arguments: [
      "../evil", "/etc/passwd", "a/../../evil", "a//b", "", ".", "..", "a/./b", "a/", ".hidden", "a\\..\\b",
      "a\u{0}b", "~/x", "a b", "ä", "%2e%2e/evil", "C:x", String(repeating: "a", count: 600),
    ])
  func traversal(path: String) {
    #expect(throws: AssetError.badManifest("a path leaves the model's folder")) {
      try Self.read { $0.files[0].path = path }
    }
  }

  @Test("may not have absurd sizes", arguments: [-1, .min, .max, (16 << 30) + 1, 16 << 30])
  func sizes(size: Int64) {
    #expect(throws: AssetError.badManifest("a size is absurd")) {
      try Self.read { $0.files[0].size = size }
    }
  }

  @Test("may not be of another language, format or form")
  func others() {
    #expect(throws: AssetError.self) { try Self.read { $0.locale = "de-DE" } }
    #expect(throws: AssetError.self) { try Self.read { $0.format = 2 } }
    #expect(throws: AssetError.self) { try Self.read { $0.files[0].sha256 = "abc" } }
    #expect(throws: AssetError.self) {
      try Self.read { $0.files[0].sha256 = String(repeating: "x", count: 64) }
    }
    #expect(throws: AssetError.badManifest("a path is there twice")) {
      try Self.read { $0.files.append(.init(path: "EN-US/MDEF", size: 1, sha256: $0.files[0].sha256)) }
    }
    #expect(throws: AssetError.badManifest("a path is a file and a folder")) {
      try Self.read { $0.files.append(.init(path: "en-us", size: 1, sha256: $0.files[0].sha256)) }
    }
    #expect(throws: AssetError.badManifest("it has too many files")) {
      try Self.read { $0.files = Array(repeating: $0.files[0], count: 5000) }
    }
    #expect(throws: AssetError.incomplete("en-us.lm.bin")) {
      try Self.read { $0.files.removeAll { $0.path == "en-us.lm.bin" } }
    }
    for text in [
      "", "[]", "{}", "null", #"{"format":1,"locale":"en-US","version":"","files":[{"size":1e99}]}"#,
    ] {
      #expect(throws: AssetError.badManifest("it is not of the form that is expected")) {
        try AssetManifest.read(Data(text.utf8), locale: "en-US")
      }
    }
    #expect(throws: AssetError.badManifest("it is too long")) {
      try AssetManifest.read(Data(count: (1 << 20) + 1), locale: "en-US")
    }
  }

  @Test("are refused before anything is written beside the place", arguments: ["../evil", "/tmp/evil"])
  func hostileSource(path: String) async throws {
    let fixture = try AssetFixture()
    var manifest = AssetFixture.manifest()
    manifest.files.append(.init(path: path, size: 4, sha256: manifest.files[0].sha256))
    try fixture.write(Data("evil".utf8), path: "evil")
    try fixture.writeManifest(manifest)
    await #expect(throws: SFSpeechError.self) {
      try await AssetInstallationRequest(
        locales: [AssetFixture.english], store: fixture.store(.folder(fixture.source))
      ).downloadAndInstall()
    }
    #expect(fixture.entries.isEmpty)
  }

  @Test("are refused if the disk has too little space")
  func space() async throws {
    let fixture = try AssetFixture()
    var installer = AssetInstaller(
      place: fixture.place, source: .folder(fixture.source), locale: "en-US")
    installer.freeSpace = { _ in 207_999 }
    await #expect(throws: AssetError.noSpace(needed: 208_000)) { try await installer.run { _, _ in } }
    #expect(fixture.entries.isEmpty)
    #expect(SFSpeechError.insufficientResources ~= AssetError.speechError(for: AssetError.noSpace(needed: 1)))
    installer.freeSpace = { _ in 208_000 }
    try await installer.run { _, _ in }
    #expect(fixture.isInstalledWhole)
  }
}
