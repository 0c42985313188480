import Foundation
import Longhand
import StoreAuditing
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

  // MARK: The order of segments

  /// What a store has, in the order in which people see it.
  private struct Contents: Equatable {
    var texts: [String]
    var revisions: [[SegmentRevision]]
    var speakers: [String?]
    var spans: [CoverageSpan]
    var found: [String]
  }

  private func contents(_ folder: URL) throws -> Contents {
    let store = try TranscriptStore(at: folder)
    #expect(try names(store) == StoreMigration.all.map(\.name))
    let session = try store.session(matching: "last").id
    let segments = try store.transcript(of: session).segments
    return Contents(
      texts: segments.map(\.text),
      revisions: try segments.map { try store.revisions(of: $0.id, in: session) },
      speakers: segments.map { $0.speaker?.speaker }, spans: try store.coverageSpans(of: session),
      found: try store.search("leaks").map(\.text))
  }

  /// A store as the version before wrote it, in which segments are numbered in their order.
  /// - Parameter added: statements that are run on it.
  private func numbered(_ added: String = "", _ body: (URL) throws -> Void) throws {
    try Folder.temporary { folder in
      let sql = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("unordered-store.sql")
      let script = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(open(sys.argv[2]).read() + sys.argv[3])
        database.commit()
        """
      _ = try Program.output(
        of: [
          "python3", "-c", script, folder.appendingPathComponent(TranscriptStore.fileName).path, sql.path,
          added,
        ])
      try body(folder)
    }
  }

  @Test(.tagged(.childProcess)) func segmentsOfTheVersionBeforeKeepTheirOrderAndGetKeys() throws {
    try numbered { folder throws in
      let found = try contents(folder)
      #expect(
        found.texts == [
          "that plus three three", "", "Yes it is", "like fall out.", "no leaks don't and",
          "enclosed a close",
          "and the pillows what",
        ])
      #expect(
        found.revisions.map { $0.map(\.segment.revision) } == [5, 2, 2, 1, 3, 2, 1].map { Array(0..<$0) })
      #expect(found.revisions.map { $0.last?.segment.id } == Array(0..<7))
      #expect(found.speakers == [nil, nil, "person1", nil, nil, nil, nil])
      #expect(found.found == ["no leaks don't and"])
      let store = try TranscriptStore(at: folder)
      let session = try store.session(matching: "last").id
      // The steps that were taken back are made again, and a division goes between two segments.
      #expect(try store.steps(of: session) == .init(last: 2, next: 3))
      #expect(try store.redo(in: session, step: 3)?.segments == [4])
      #expect(try store.undo(in: session)?.segments == [4])
      #expect(try store.undo(in: session, step: 2)?.segments == [5])
      #expect(try store.edit([2], to: ["Yes", "it is"], in: session)?.segments == [2, 7])
      #expect(try store.steps(of: session).last > 3)
      #expect(try store.transcript(of: session).segments.map(\.id) == [0, 1, 2, 7, 3, 4, 5, 6])
      #expect(try store.audit().problems == [])
    }
  }

  /// Assignments held for times and channels, and the later ones won.
  @Test(.tagged(.childProcess)) func assignmentsOfTheVersionBeforeHoldForTheirSegments() throws {
    let added = """
      INSERT INTO speaker VALUES (1, 1, 'person2', 'Ben', 'person', NULL, NULL, NULL);
      UPDATE revision SET channel = 1 WHERE segment = 6;
      UPDATE revision SET start = 3.35, "end" = 3.35 WHERE segment = 1;
      INSERT INTO speaker_turn SELECT session, start, "end", 'person2', NULL, 0, 1 FROM current_revision WHERE segment = 3;
      INSERT INTO speaker_turn SELECT session, start, "end", 'person1', NULL, 0, 2 FROM current_revision WHERE segment = 6;
      INSERT INTO speaker_turn SELECT session, start, "end", 'person1', NULL, NULL, 4 FROM current_revision WHERE segment = 4;
      INSERT INTO speaker_turn SELECT session, start, "end", 'person2', NULL, NULL, 3 FROM current_revision WHERE segment = 4;
      INSERT INTO speaker_turn SELECT session, start, "end", 'person2', 0.7, NULL, NULL FROM current_revision WHERE segment = 0;
      """
    try numbered(added) { folder throws in
      #expect(
        try contents(folder).speakers == ["person2", nil, "person1", "person2", "person1", nil, nil])
      let store = try TranscriptStore(at: folder)
      let speakers = try store.speakers(of: store.session(matching: "last").id)
      #expect(speakers.assignments == [2: "person1", 3: "person2", 4: "person1"])
      #expect(speakers.turns.map(\.speaker) == ["person2"])
      let schema = try store.write { database in
        try database.rows("SELECT sql FROM sqlite_schema WHERE name = 'speaker_turn'") { $0.text(0) }
      }
      #expect(schema.first?.contains("position") == false)
    }
  }

  /// A process that is killed after each statement of the migration leaves a store that is migrated the next time.
  @Test(.tagged(.childProcess)) func killedMigrationLosesNothing() throws {
    var whole: Contents?
    try numbered { whole = try contents($0) }
    let statements = StoreMigration.all.dropFirst(2).flatMap { migration in
      migration.statements.flatMap {
        $0.description.components(separatedBy: ";\n").filter { !$0.allSatisfy(\.isWhitespace) }
      } + ["INSERT INTO migration VALUES ('\(migration.name)')", "COMMIT", "BEGIN IMMEDIATE"]
    }
    #expect(statements.count == 28)
    let script = """
      import os, signal, sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.execute("BEGIN IMMEDIATE")
      for statement in sys.argv[2:]:
        database.execute(statement)
      # So that a part of it is in the log.
      database.execute("PRAGMA cache_spill = 1")
      os.kill(os.getpid(), signal.SIGKILL)
      """
    for count in 0...statements.count {
      try numbered { folder throws in
        let file = folder.appendingPathComponent(TranscriptStore.fileName)
        #expect(throws: (any Error).self) {
          try Program.output(of: ["python3", "-c", script, file.path] + statements.prefix(count))
        }
        #expect(try contents(folder) == whole, "killed after \(count) statements")
      }
    }
  }
}
