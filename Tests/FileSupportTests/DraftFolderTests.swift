import FileSupport
import Foundation
import Testing

@Suite struct DraftFolderTests {
  private let parent: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("drafts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    parent = url.path
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: parent) }

  @Test func onlyFoldersWithoutAProcessAreRemoved() throws {
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let living = try DraftFolder(DraftFolder.path(in: parent, prefix: "draft-"))
    let abandoned = DraftFolder.path(in: parent, prefix: "draft-")
    for folder in [abandoned, "\(parent)/draft-mine", DraftFolder.path(in: parent, prefix: "other-")] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("text".utf8).write(to: URL(fileURLWithPath: "\(folder)/file"))
    }
    let link = DraftFolder.path(in: parent, prefix: "draft-")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(parent)/draft-mine")
    DraftFolder.removeAbandoned(in: parent, prefix: "draft-")
    #expect(!FileManager.default.fileExists(atPath: abandoned))
    #expect(FileManager.default.fileExists(atPath: living.path))
    #expect(FileManager.default.fileExists(atPath: "\(parent)/draft-mine/file"))
    #expect(try names().count == 4)
    living.remove()
    #expect(try names().count == 3)
  }

  @Test func folderIsItsOwnersAlone() throws {
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let draft = try DraftFolder(DraftFolder.path(in: parent, prefix: "draft-"))
    let attributes = try FileManager.default.attributesOfItem(atPath: draft.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    withExtendedLifetime(draft) {}
  }
}
