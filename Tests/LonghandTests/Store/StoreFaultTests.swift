import Foundation
import Testing

@testable import Longhand

@Suite struct StoreFaultTests {
  @Test func filesAreReadableOnlyByTheirOwner() throws {
    try StoreFixture.temporary { store in
      _ = try store.add(["one"])
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      #expect(try mode(store.folder.path) == 0o700)
      let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
      #expect(names == ["", "-shm", "-wal"].map { TranscriptStore.fileName + $0 })
      for name in names { #expect(try mode(store.folder.appendingPathComponent(name).path) == 0o600) }
    }
  }

  @Test func fullDiskIsReportedAndLosesNothing() throws {
    try StoreFixture.temporary(pragmas: ["PRAGMA max_page_count = 60"]) { store in
      let session = try store.add([])
      let text = String(repeating: "word ", count: 60)
      expect(.diskFull) {
        for id in 0..<1000 { try store.append(StoreFixture.segment(id, text), to: session) }
      }
      let count = try store.page(of: session, limit: 1000).count
      #expect(count > 2)
      #expect(count < 1000)
      // Here too, and where there is room the next one follows.
      let roomy = try TranscriptStore(at: store.folder)
      #expect(try roomy.search("word", limit: 1000).count == count)
      try roomy.append(StoreFixture.segment(count, "and on"), to: session)
    }
  }

  @Test func errorNamesFolderThatCannotBeCreated() throws {
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("file")
      try Data().write(to: file)
      #expect {
        try TranscriptStore(at: file.appendingPathComponent("store"))
      } throws: {
        guard let error = $0 as? StoreError, case .unreachable = error.problem else { return false }
        return error.file == file.appendingPathComponent("store").path
      }
    }
  }

  @Test(.enabled(if: NSUserName() != "root", "nothing is forbidden to root"))
  func errorNamesReadOnlyFolder() throws {
    try Folder.temporary { folder in
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
      expect(.readOnly) { _ = try TranscriptStore(at: folder) }
    }
  }

  @Test func errorNamesReadOnlyFile() throws {
    try StoreFixture.temporary { store in
      expect(.readOnly) {
        _ = try TranscriptStore(at: store.folder, pragmas: ["PRAGMA query_only = ON"]).add([])
      }
    }
  }

  @Test func damageIsReportedWithoutACrash() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      let changes: [StaticString] = [
        "UPDATE revision SET selection = 7", "UPDATE revision SET candidates = x'00'",
        "UPDATE revision SET candidates = '[]', selection = 0",
      ]
      for change in changes {
        try store.write { try $0.execute(change) }
        expect(.damaged("segment 0 cannot be read")) { _ = try store.page(of: session, limit: 1) }
      }
    }
  }
}
