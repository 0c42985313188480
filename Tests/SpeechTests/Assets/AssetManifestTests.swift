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

  @Test func manifestIsDecoded() throws {
    let manifest = try Self.read { _ in }
    #expect(manifest == AssetFixture.manifest())
    #expect(manifest.size == 208_000)
    #expect(try Self.read { $0.locale = "en_us" }.locale == "en_us")
  }

  @Test(
    arguments: [
      "../evil", "/etc/passwd", "a/../../evil", "a//b", "", ".", "..", "a/./b", "a/", ".hidden", "a\\..\\b",
      "a\u{0}b", "~/x", "a b", "ä", "%2e%2e/evil", "C:x", String(repeating: "a", count: 600),
    ])
  func pathOutsideOfTheModelIsRefused(path: String) {
    #expect(throws: AssetError.badManifest("a path is not allowed: \(path.prefix(80).debugDescription)")) {
      try Self.read { $0.files[0].path = path }
    }
  }

  @Test(arguments: [-1, .min, .max, (16 << 30) + 1, 16 << 30])
  func sizeOutOfRangeIsRefused(size: Int64) {
    #expect(throws: AssetError.self) {
      try Self.read { $0.files[0].size = size }
    }
  }

  @Test func wrongLanguageFormatOrSyntaxIsRefused() {
    #expect(throws: AssetError.self) { try Self.read { $0.locale = "de-DE" } }
    #expect(throws: AssetError.self) { try Self.read { $0.format = 2 } }
    #expect(throws: AssetError.self) { try Self.read { $0.files[0].sha256 = "abc" } }
    #expect(throws: AssetError.self) {
      try Self.read { $0.files[0].sha256 = String(repeating: "x", count: 64) }
    }
    #expect(throws: AssetError.badManifest("it lists EN-US/MDEF twice")) {
      try Self.read { $0.files.append(.init(path: "EN-US/MDEF", size: 1, sha256: $0.files[0].sha256)) }
    }
    #expect(throws: AssetError.badManifest("a path is both a file and a folder")) {
      try Self.read { $0.files.append(.init(path: "en-us", size: 1, sha256: $0.files[0].sha256)) }
    }
    #expect(throws: AssetError.badManifest("it lists more than 4096 files")) {
      try Self.read { $0.files = Array(repeating: $0.files[0], count: 5000) }
    }
    #expect(throws: AssetError.incomplete("en-us.lm.bin")) {
      try Self.read { $0.files.removeAll { $0.path == "en-us.lm.bin" } }
    }
    for text in [
      "", "[]", "{}", "null", #"{"format":1,"locale":"en-US","version":"","files":[{"size":1e99}]}"#,
    ] {
      #expect(throws: AssetError.badManifest("it is not JSON with the required fields")) {
        try AssetManifest.read(Data(text.utf8), locale: "en-US")
      }
    }
    #expect(throws: AssetError.badManifest("it is longer than 1048576 bytes")) {
      try AssetManifest.read(Data(count: (1 << 20) + 1), locale: "en-US")
    }
  }

  @Test(arguments: ["../evil", "/tmp/evil"])
  func manifestWithUnsafePathIsRefusedBeforeWriting(path: String) async throws {
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

  @Test func modelLargerThanTheDiskIsRefused() async throws {
    let fixture = try AssetFixture()
    var installer = AssetInstaller(
      folder: fixture.models, source: .folder(fixture.source), locale: "en-US")
    installer.freeSpace = { _ in 207_999 }
    await #expect(throws: AssetError.noSpace(needed: 208_000)) { try await installer.run { _, _ in } }
    #expect(fixture.entries.isEmpty)
    #expect(SFSpeechError.insufficientResources ~= AssetError.speechError(for: AssetError.noSpace(needed: 1)))
    installer.freeSpace = { _ in 208_000 }
    try await installer.run { _, _ in }
    #expect(fixture.isInstalledCompletely)
  }
}
