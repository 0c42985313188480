import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandArchive

@Suite struct StoreDurabilityTests {
  /// What a process that is killed leaves behind is what the files hold at that moment.
  @Test(.tagged(.childProcess)) func appendedSegmentsSurviveACrash() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      try store.append(StoreFixture.segment(1, "two"), to: session)
      try Folder.temporary { copy in
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(
            atPath: store.file.path + suffix,
            toPath: copy.appendingPathComponent(TranscriptStore.fileName).path + suffix)
        }
        #expect(try TranscriptStore(at: copy).transcript(of: session).text == "one two")
        #expect(try TranscriptStore(at: copy).search("two").count == 1)
      }
    }
  }

  /// And what survives a power failure is what was synchronized to the disk before the commit returned.
  @Test func commitWaitsForTheDisk() throws {
    try StoreFixture.temporary { store in
      let full = try store.write { try $0.row("PRAGMA synchronous") { $0.integer(0) } }
      let journal = try store.write { try $0.row("PRAGMA journal_mode") { $0.text(0) } }
      #expect(full == 2)
      #expect(journal == "wal")
    }
  }

  private static func count(_ database: StoreDatabase) throws -> Int? {
    try database.row("SELECT count(*) FROM revision") { $0.integer(0) }
  }

  @Test func readersAndWritersDoNotWait() throws {
    // With no patience at all, each call that has to wait fails.
    try StoreFixture.temporary(pragmas: ["PRAGMA busy_timeout = 0"]) { store in
      let session = try store.add(["one"])
      let other = try TranscriptStore(at: store.folder, pragmas: ["PRAGMA busy_timeout = 0"])
      try store.read { database in
        let before = try Self.count(database)
        try store.append(StoreFixture.segment(1, "two"), to: session)
        try other.append(StoreFixture.segment(2, "three"), to: session)
        let after = try Self.count(database)
        #expect(before == 1)
        #expect(after == 1)
      }
      try store.write { database in
        try database.run("BEGIN IMMEDIATE")
        try database.run("DELETE FROM revision")
        #expect(try other.transcript(of: session).text == "one two three")
        expect(.locked) { try other.append(StoreFixture.segment(3, "four"), to: session) }
        try database.run("ROLLBACK")
      }
    }
  }

  @Test(.tagged(.childProcess)) func otherProcessReadsDuringAWrite() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      let script = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1], isolation_level=None)
        database.execute("BEGIN")
        count = lambda: print(database.execute("SELECT count(*) FROM revision").fetchone()[0], flush=True)
        count()
        sys.stdin.readline()
        count()
        database.execute("COMMIT")
        count()
        """
      let reader = Process()
      reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      reader.arguments = ["python3", "-c", script, store.file.path]
      let (input, output) = (Pipe(), Pipe())
      (reader.standardInput, reader.standardOutput) = (input, output)
      try reader.run()
      let first = output.fileHandleForReading.availableData
      try store.append(StoreFixture.segment(1, "two"), to: session)
      try input.fileHandleForWriting.close()
      let rest = try output.fileHandleForReading.readToEnd() ?? Data()
      reader.waitUntilExit()
      #expect(String(decoding: first + rest, as: UTF8.self) == "1\n1\n2\n")
    }
  }

  @Test func severalStoresWriteAtOnce() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("longhand-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    // They also make the file and its schema at once.
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let store = try TranscriptStore(at: folder)
          let session = try store.add([])
          for id in 0..<20 { try store.append(StoreFixture.segment(id, "word"), to: session) }
        }
      }
      try await group.waitForAll()
    }
    let store = try TranscriptStore(at: folder)
    #expect(
      try store.sessions().map { try store.page(of: $0.id, limit: 50).count }
        == Array(repeating: 20, count: 8))
    #expect(try store.search("word", limit: 200).count == 160)
  }
}
