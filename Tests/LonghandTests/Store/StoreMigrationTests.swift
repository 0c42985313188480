import Foundation
import TestSupport
import Testing

@testable import Longhand

@Suite struct StoreMigrationTests {
  private func version(_ store: TranscriptStore) throws -> Int? {
    try store.write { try $0.row("PRAGMA user_version") { $0.integer(0) } }
  }

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

  @Test func fileOfNewerVersionIsNotChanged() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      try store.write { try $0.execute("PRAGMA user_version = 99") }
      expect(.newerVersion(99, known: StoreMigration.steps.count)) {
        _ = try TranscriptStore(at: store.folder)
      }
      #expect(try version(store) == 99)
      #expect(try store.transcript(of: session).text == "one")
    }
  }

  @Test func laterMigrationStepKeepsData() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      let step: StaticString = "ALTER TABLE session ADD COLUMN later TEXT; PRAGMA user_version = 13"
      for _ in 0..<2 {
        try store.write { try StoreMigration.run(on: $0, steps: StoreMigration.steps + [step]) }
      }
      #expect(try version(store) == 13)
      #expect(try store.transcript(of: session).text == "one")
    }
  }

  /// Earlier versions stored a person's choice as a rule, and speech without words as silence.
  @Test func choicesAndSpeechWithoutWordsOfEarlierVersionsAreKnown() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      _ = try store.revise(0, in: session, selection: .init(index: 0, rule: "user"), reason: "")
      try store.setCoverage(
        [.init(start: 0, end: 1, kind: .silent), .init(start: 1, end: 3, kind: .silent, reason: "why")],
        of: session)
      let first: StaticString = """
        DROP INDEX revision_by_session; DROP INDEX session_by_name; DROP INDEX session_unfinished;
        ALTER TABLE revision DROP COLUMN author; ALTER TABLE session DROP COLUMN name;
        ALTER TABLE session DROP COLUMN model_name; ALTER TABLE session DROP COLUMN model_sha256;
        ALTER TABLE session DROP COLUMN spellings; DROP TABLE normalization; DROP TABLE occurrence;
        ALTER TABLE session DROP COLUMN failure; ALTER TABLE session DROP COLUMN note;
        ALTER TABLE session DROP COLUMN tags; ALTER TABLE session DROP COLUMN punctuation_name;
        ALTER TABLE session DROP COLUMN punctuation_sha256;
        ALTER TABLE revision DROP COLUMN channel; DROP TABLE speaker; DROP TABLE speaker_turn; DROP TABLE echo;
        PRAGMA user_version = 1
        """
      try store.write { try $0.execute(first) }
      let again = try TranscriptStore(at: store.folder)
      #expect(try again.revisions(of: 0, in: session).map(\.author) == [.recognizer, .person])
      #expect(try again.coverageSpans(of: session).map(\.kind) == [.silent, .wordless])
    }
  }

  @Test func failedMigrationStepChangesNothing() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      let step: StaticString = "DELETE FROM revision; PRAGMA user_version = 13; CREATE TABLE session (x)"
      #expect(throws: StoreError.self) {
        try store.write { try StoreMigration.run(on: $0, steps: StoreMigration.steps + [step]) }
      }
      #expect(try version(store) == StoreMigration.steps.count)
      #expect(try store.transcript(of: session).text == "one")
      #expect(try TranscriptStore(at: store.folder).search("one").count == 1)
    }
  }

  /// A library of version 7 with all that it can have: candidates in its form, with voices and sources.
  @Test(arguments: 0..<4) func libraryOfVersion7IsReadAsItWas(seed: UInt64) throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      let segments = RandomTranscripts.transcript(seed: seed).segments.map { segment in
        var segment = segment
        segment.revision = 0
        segment.candidates = segment.candidates.withoutMarks
        return segment
      }
      try store.append(segments, to: session)
      try store.changeSpeakers(of: session) { $0.addChannels(2, names: ["Anna"]) }
      let transcript = try store.transcript(of: session)
      try store.write { database in
        for segment in segments {
          let data = Data.earlierForm(of: segment.candidates)
          try database.run(
            "UPDATE revision SET candidates = ? WHERE segment = ?", .data(data), .integer(segment.id))
        }
        try database.execute(
          "DROP INDEX revision_by_session; DROP INDEX session_by_name; DROP INDEX session_unfinished; DROP TABLE echo; ALTER TABLE speaker DROP COLUMN engine; ALTER TABLE speaker DROP COLUMN recognized; ALTER TABLE session DROP COLUMN punctuation_name; ALTER TABLE session DROP COLUMN punctuation_sha256; PRAGMA user_version = 7"
        )
      }
      let again = try TranscriptStore(at: store.folder)
      #expect(try version(again) == StoreMigration.steps.count)
      let read = try again.transcript(of: session)
      #expect(read == transcript)
      let candidates = segments.flatMap(\.candidates)
      #expect(read.segments.flatMap(\.candidates).map(\.source) == candidates.map(\.source))
      let words = read.segments.flatMap(\.candidates).flatMap(\.words)
      #expect(words.map(\.voice) == candidates.flatMap(\.words).map(\.voice))
      #expect(words.map(\.confidence) == candidates.flatMap(\.words).map(\.confidence))
      #expect(try again.audit().problems == [])
    }
  }
}
