/// The schema of the store, version by version.
enum StoreMigration {
  /// Step n creates version n + 1. A released step never changes; a change of the schema is a new step.
  static let steps: [StaticString] = [
    version1, version2, version3, version4, version5, version6, version7, version8, version9,
    version10, version11, version12,
  ]

  /// Marks the file as a transcript store: "LONG" in ASCII.
  private static let mark = 0x4C4F_4E47

  /// The version of the schema in a file; 0 for an empty file. Does not change the file.
  ///
  /// - Throws: `StoreError` if the version is newer than `known`, or if the file is not a transcript store.
  static func version(of database: StoreDatabase, known: Int = steps.count) throws -> Int {
    // In one statement, because another process may create the tables meanwhile.
    let (mark, tables, version) =
      try database.row(
        """
        SELECT application_id, (SELECT count(*) FROM sqlite_schema), user_version
        FROM pragma_application_id, pragma_user_version
        """
      ) { ($0.integer(0), $0.integer(1), $0.integer(2)) } ?? (0, 0, 0)
    if mark == 0, tables == 0, version == 0 { return 0 }
    guard mark == Self.mark else { throw StoreError(file: database.file, problem: .foreign) }
    guard version <= known else {
      throw StoreError(file: database.file, problem: .newerVersion(version, known: known))
    }
    return version
  }

  /// Brings the schema up to date. Each step is applied as a whole or not at all.
  static func run(on database: StoreDatabase, steps: [StaticString] = steps) throws {
    while try version(of: database, known: steps.count) < steps.count {
      try database.transaction {
        // Read again, because another process may have applied the step meanwhile.
        let version = try version(of: database, known: steps.count)
        if version < steps.count { try database.execute(steps[version]) }
      }
    }
  }

  /// The index of the newest version, to create it again.
  static let index: StaticString = """
    CREATE VIRTUAL TABLE word_index USING fts5 (
      text, content = 'revision', content_rowid = 'number', prefix = '1 2 3',
      tokenize = 'unicode61 remove_diacritics 2'
    );
    """

  /// A row of `revision` never changes; the current row of a segment has the greatest `revision`. `text` is the text of the
  /// selected candidate, for the index, which has only current revisions.
  private static let version1: StaticString = """
    CREATE TABLE session (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      start REAL NOT NULL,            -- seconds since 2001 in UTC, as a Date counts them
      state TEXT NOT NULL,
      source TEXT NOT NULL,
      locale TEXT NOT NULL,
      engine TEXT NOT NULL,
      duration REAL NOT NULL,         -- seconds
      vocabulary_name TEXT,
      vocabulary_sha256 TEXT,
      folder TEXT
    );
    CREATE INDEX session_by_start ON session (start, id);
    CREATE TABLE revision (
      number INTEGER PRIMARY KEY,
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      segment INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      start REAL NOT NULL,            -- seconds from the start of the audio, as "end"
      "end" REAL NOT NULL,
      selection INTEGER NOT NULL,
      rule TEXT NOT NULL,
      reason TEXT NOT NULL,
      date REAL NOT NULL,             -- as session.start
      text TEXT NOT NULL,
      candidates BLOB NOT NULL,       -- see CandidateCoding
      judgement TEXT,                 -- of a language model, where one was asked
      UNIQUE (session, segment, revision)
    );
    CREATE VIEW current_revision AS
      SELECT * FROM revision AS this WHERE revision = (
        SELECT max(revision) FROM revision WHERE session = this.session AND segment = this.segment);
    CREATE VIRTUAL TABLE word_index USING fts5 (
      text, content = 'revision', content_rowid = 'number', prefix = '1 2 3',
      tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TABLE coverage_span (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      start REAL NOT NULL,            -- seconds from the start of the audio, as "end"
      "end" REAL NOT NULL,
      kind TEXT NOT NULL,
      reason TEXT NOT NULL
    );
    CREATE INDEX coverage_span_by_session ON coverage_span (session, start);
    PRAGMA application_id = 0x4C4F4E47;
    PRAGMA user_version = 1;
    """

  /// Who made a version of a segment, and speech without words as a kind of its own.
  private static let version2: StaticString = """
    ALTER TABLE revision ADD COLUMN author TEXT NOT NULL DEFAULT 'recognizer';
    UPDATE revision SET author = 'person' WHERE rule = 'user' OR reason = 'chosen by the user';
    UPDATE coverage_span SET kind = 'wordless' WHERE kind = 'silent' AND reason <> '';
    PRAGMA user_version = 2;
    """

  private static let version3: StaticString = """
    ALTER TABLE session ADD COLUMN name TEXT;       -- that a person gave it
    PRAGMA user_version = 3;
    """

  private static let version4: StaticString = """
    ALTER TABLE session ADD COLUMN model_name TEXT; -- of the recognizer
    ALTER TABLE session ADD COLUMN model_sha256 TEXT;
    PRAGMA user_version = 4;
    """

  /// The second text of a revision, where it differs from the first, and the names in it.
  private static let version5: StaticString = """
    ALTER TABLE session ADD COLUMN spellings TEXT;  -- a vocabulary, see Vocabulary.spellings
    CREATE TABLE normalization (
      revision INTEGER PRIMARY KEY REFERENCES revision (number) ON DELETE CASCADE,
      text TEXT NOT NULL,
      spans TEXT NOT NULL             -- JSON
    );
    CREATE TABLE occurrence (
      revision INTEGER NOT NULL REFERENCES revision (number) ON DELETE CASCADE,
      term TEXT NOT NULL,
      start REAL NOT NULL,            -- seconds from the start of the audio, as "end"
      "end" REAL NOT NULL,
      source_start INTEGER NOT NULL,  -- in the UTF-8 of the revision's text, as source_end
      source_end INTEGER NOT NULL
    );
    CREATE INDEX occurrence_by_revision ON occurrence (revision);
    CREATE INDEX occurrence_by_term ON occurrence (term COLLATE NOCASE);
    PRAGMA user_version = 5;
    """

  /// What people write about a session, and why its transcription failed.
  private static let version6: StaticString = """
    ALTER TABLE session ADD COLUMN failure TEXT;
    ALTER TABLE session ADD COLUMN note TEXT;
    ALTER TABLE session ADD COLUMN tags TEXT;       -- a JSON array
    PRAGMA user_version = 6;
    """

  /// Who speaks, see SessionSpeakers. The label of a segment is worked out when it is read.
  private static let version7: StaticString = """
    ALTER TABLE revision ADD COLUMN channel INTEGER;  -- from 0; NULL for the mix of all
    CREATE TABLE speaker (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      name TEXT,                      -- that a person gave
      basis TEXT NOT NULL,
      merged_into TEXT,
      UNIQUE (session, id)
    );
    CREATE TABLE speaker_turn (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      start REAL NOT NULL,            -- seconds from the start of the audio, as "end"
      "end" REAL NOT NULL,
      speaker TEXT NOT NULL,
      confidence REAL,
      channel INTEGER,                -- as revision.channel
      position INTEGER                -- of a person's assignment, in their order; NULL for a guess by the voice
    );
    CREATE INDEX speaker_turn_by_session ON speaker_turn (session, start);
    PRAGMA user_version = 7;
    """

  /// New candidates are in the form of `CandidateWriter`, which earlier programs cannot read. Sessions are found by their
  /// name, and those that are not final, without a look at all others; and the rows of a session without a look at each.
  private static let version8: StaticString = """
    CREATE INDEX revision_by_session ON revision (session);
    CREATE INDEX session_by_name ON session (name) WHERE name IS NOT NULL;
    CREATE INDEX session_unfinished ON session (start) WHERE state NOT IN ('complete', 'incomplete');
    PRAGMA user_version = 8;
    """

  /// Words of a channel that are echoes of another one, see EchoWord.
  private static let version9: StaticString = """
    CREATE TABLE echo (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      channel INTEGER NOT NULL,       -- from 0
      start REAL NOT NULL,            -- seconds from the start of the audio, as "end"
      "end" REAL NOT NULL,
      word TEXT NOT NULL
    );
    CREATE INDEX echo_by_session ON echo (session, start);
    PRAGMA user_version = 9;
    """

  private static let version10: StaticString = """
    ALTER TABLE speaker ADD COLUMN engine TEXT;     -- what told the voice apart
    PRAGMA user_version = 10;
    """

  private static let version11: StaticString = """
    ALTER TABLE speaker ADD COLUMN recognized TEXT; -- the name of the remembered voice
    PRAGMA user_version = 11;
    """

  /// Words can have the marks of a punctuation model, see CandidateWriter, which earlier programs cannot read.
  private static let version12: StaticString = """
    ALTER TABLE session ADD COLUMN punctuation_name TEXT;   -- of the punctuation model
    ALTER TABLE session ADD COLUMN punctuation_sha256 TEXT;
    PRAGMA user_version = 12;
    """
}
