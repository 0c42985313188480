import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandArchive

@Suite struct StoreMigrationTests {
  @Test(.tagged(.childProcess)) func fileOfAnotherProgramIsNotChanged() throws {
    for contents in [Data("a letter".utf8), Data(repeating: 7, count: 9000)] {
      try Folder.temporary { folder in
        let file = folder.appendingPathComponent(TranscriptStore.fileName)
        try contents.write(to: file)
        expect(.foreign) { _ = try TranscriptStore(at: folder) }
        #expect(try Data(contentsOf: file) == contents)
      }
    }
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent(TranscriptStore.fileName)
      let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE theirs (x)')"
      _ = try Program.output(of: ["python3", "-c", script, file.path])
      let before = try Data(contentsOf: file)
      expect(.foreign) { _ = try TranscriptStore(at: folder) }
      #expect(try Data(contentsOf: file) == before)
    }
  }

  private static let later = StoreMigration(
    name: "later", statements: ["ALTER TABLE session ADD COLUMN later TEXT"])

  private func names(_ store: TranscriptStore) throws -> [String] {
    try store.write { try $0.rows("SELECT name FROM migration ORDER BY rowid") { $0.text(0) } }
  }

  @Test func appliedMigrationsAreNamedInFile() throws {
    try StoreFixture.temporary { store in
      let again = try TranscriptStore(at: store.folder)
      for store in [store, again] { #expect(try names(store) == StoreMigration.all.map(\.name)) }
    }
  }

  @Test func fileOfNewerVersionIsNotChanged() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      try store.write { try StoreMigration.run(on: $0, StoreMigration.all + [Self.later]) }
      let before = try Data(contentsOf: store.file)
      expect(.newerVersion("later")) { _ = try TranscriptStore(at: store.folder) }
      #expect(try Data(contentsOf: store.file) == before)
      #expect(try store.transcript(of: session).text == "one")
    }
  }

  /// A store from before the first release has the mark and no names.
  @Test func fileOfUnreleasedVersionIsNotChanged() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      try store.write { try $0.execute("DROP TABLE migration; PRAGMA user_version = 12") }
      try store.write { try $0.emptyLog() }
      let before = try Data(contentsOf: store.file)
      expect(.unreleasedVersion) { _ = try TranscriptStore(at: store.folder) }
      #expect(try Data(contentsOf: store.file) == before)
      #expect(try store.transcript(of: session).text == "one")
    }
  }

  @Test func laterMigrationKeepsDataAndIsAppliedOnce() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      for _ in 0..<2 {
        try store.write { try StoreMigration.run(on: $0, StoreMigration.all + [Self.later]) }
      }
      #expect(try names(store) == StoreMigration.all.map(\.name) + ["later"])
      #expect(try store.transcript(of: session).text == "one")
    }
  }

  @Test func failedMigrationChangesNothing() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      let wrong = StoreMigration(
        name: "wrong", statements: ["DELETE FROM revision", "CREATE TABLE session (x)"])
      #expect(throws: StoreError.self) {
        try store.write { try StoreMigration.run(on: $0, StoreMigration.all + [wrong]) }
      }
      #expect(try names(store) == StoreMigration.all.map(\.name))
      #expect(try store.transcript(of: session).text == "one")
      #expect(try TranscriptStore(at: store.folder).search("one").count == 1)
    }
  }
}
