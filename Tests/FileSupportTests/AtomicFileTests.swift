import FileSupport
import Foundation
import Testing

@Suite struct AtomicFileTests {
  private let folder: URL
  private var path: String { folder.appendingPathComponent("file").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("atomic-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func removeFolder() { try? FileManager.default.removeItem(at: folder) }

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func publish(_ text: String, replacing: Bool) throws {
    let file = try AtomicFile(path)
    try file.write(Data(text.utf8))
    try file.publish(replacing: replacing)
  }

  @Test func fileHasItsNameOnlyAfterPublishing() throws {
    defer { removeFolder() }
    let file = try AtomicFile(path, permissions: 0o600)
    try file.write(Data("one ".utf8))
    try file.write(Data("two".utf8))
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.publish()
    #expect(try text() == "one two")
    #expect(try entries() == ["file"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func unpublishedFileLeavesTheOldOne() throws {
    defer { removeFolder() }
    try publish("old", replacing: true)
    do {
      let file = try AtomicFile(path)
      try file.write(Data("new".utf8))
    }
    #expect(try text() == "old")
    #expect(try entries() == ["file"])
  }

  @Test func existingFileIsReplacedOnlyOnRequest() throws {
    defer { removeFolder() }
    try publish("first", replacing: false)
    #expect(throws: AtomicFile.Failure(number: EEXIST)) { try publish("second", replacing: false) }
    #expect(try text() == "first")
    #expect(try entries() == ["file"])
    try publish("third", replacing: true)
    #expect(try text() == "third")
    #expect(try entries() == ["file"])
  }

  @Test func failuresNameTheSystemErrorAndThePath() throws {
    defer { removeFolder() }
    let missing = folder.appendingPathComponent("missing/file").path
    let failure = #expect(throws: AtomicFile.Failure.self) { try AtomicFile(missing) }
    #expect(failure?.number == ENOENT)
    let error = try #require(failure).cocoaError(path: missing)
    #expect(error.code == .fileNoSuchFile)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == missing)
    // A device that is always full.
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    #expect(throws: AtomicFile.Failure(number: ENOSPC)) { try AtomicFile.write(Data("x".utf8), to: full) }
  }
}
