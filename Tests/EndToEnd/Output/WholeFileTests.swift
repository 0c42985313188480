import Foundation
import Testing

@testable import LonghandCommand

@Suite struct WholeFileTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, replaces: Bool = false) -> WholeFile {
    WholeFile(path: folder.path(name), replaces: replaces)
  }

  @Test func writtenFileIsReadableByItsOwnerOnly() throws {
    try file("a.txt").check()
    try file("a.txt").write("text")
    #expect(try folder.read("a.txt") == "text")
    #expect(folder.names == ["a.txt"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a.txt"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func existingFileIsNotReplaced() throws {
    try folder.write("old", to: "a.txt")
    for attempt in [file("a.txt").check, { try file("a.txt").write("new") }] {
      let failure = #expect(throws: Failure.self) { try attempt() }
      #expect(failure?.code == .outputExists)
      #expect(try #require(failure?.hint).contains("--force"))
    }
    #expect(try folder.read("a.txt") == "old")
    #expect(folder.names == ["a.txt"])
  }

  @Test func forceReplacesAnExistingFile() throws {
    try folder.write("old", to: "a.txt")
    try file("a.txt", replaces: true).check()
    try file("a.txt", replaces: true).write("new")
    #expect(try folder.read("a.txt") == "new")
    #expect(folder.names == ["a.txt"])
  }

  @Test func linkStaysALink() throws {
    try folder.write("old", to: "real/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a.txt"), withDestinationPath: folder.path("real/a.txt"))
    #expect(throws: Failure.self) { try file("a.txt").check() }
    try file("a.txt", replaces: true).write("new")
    #expect(try folder.read("real/a.txt") == "new")
    #expect(folder.names == ["a.txt", "real"])
  }

  @Test func brokenLinkIsNotReplaced() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a.txt"), withDestinationPath: folder.path("nowhere"))
    #expect(throws: Failure.self) { try file("a.txt").check() }
    #expect(throws: Failure.self) { try file("a.txt").write("new") }
    #expect(folder.names == ["a.txt"])
  }

  @Test func folderOrMissingFolderIsRefused() throws {
    try folder.write("x", to: "sub/x")
    #expect(throws: Failure.self) { try file("sub", replaces: true).check() }
    #expect(throws: Failure.self) { try file("none/a.txt").check() }
    #expect(throws: Failure.self) { try file("none/a.txt").write("new") }
  }

  @Test func deviceIsWrittenDirectly() throws {
    let device = WholeFile(path: "/dev/null", replaces: false)
    try device.check()
    try device.write("text")
    #expect(throws: Failure.self) { try WholeFile(path: "/dev/full", replaces: false).write("text") }
  }

  /// Of many writers one wins and the file is complete; the others get an error.
  @Test func oneOfManyWritersWins() async throws {
    let winners = await withTaskGroup(of: Int?.self) { group in
      for writer in 0..<32 {
        group.addTask {
          do {
            try file("a.txt").write(String(repeating: "\(writer) ", count: 20_000))
            return writer
          } catch {
            return nil
          }
        }
      }
      return await group.reduce(into: [Int]()) { winners, winner in
        if let winner { winners.append(winner) }
      }
    }
    #expect(winners.count == 1)
    #expect(try folder.read("a.txt") == String(repeating: "\(winners[0]) ", count: 20_000))
    #expect(folder.names == ["a.txt"])
  }
}
