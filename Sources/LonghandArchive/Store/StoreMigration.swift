/// A named change of the store's schema. The names of those that a file has are in its table `migration`.
struct StoreMigration: Sendable {
  let name: String
  let statements: [StaticString]

  /// All migrations, in the order in which they are applied. A released one never changes; a change of the schema is a new
  /// one at the end.
  static let all = [
    StoreMigration(name: "0.1.0", statements: [tables, index]),
    StoreMigration(name: "steps of a person's edits", statements: [steps]),
    StoreMigration(name: "order of segments", statements: [order]),
    StoreMigration(name: "speakers of segments", statements: [assignments]),
    StoreMigration(name: "translations", statements: [translations]),
    StoreMigration(name: "speakers of parts of segments", statements: [assignedParts]),
    StoreMigration(name: "turns by the number of voices", statements: [numberedTurns]),
  ]

  /// Marks the file as a transcript store: "LONG" in ASCII.
  private static let mark = 0x4C4F_4E47

  /// The migrations that a file does not have; all for an empty file. Does not change the file.
  ///
  /// - Throws: `StoreError` if the file is not a transcript store, or if it has a migration that is not in `known`.
  static func pending(in database: StoreDatabase, known: [StoreMigration] = all) throws -> [StoreMigration] {
    // In one statement, because another process may create the tables meanwhile.
    let (mark, tables, version, isNamed) =
      try database.row(
        """
        SELECT application_id, (SELECT count(*) FROM sqlite_schema), user_version,
          EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migration')
        FROM pragma_application_id, pragma_user_version
        """
      ) { ($0.integer(0), $0.integer(1), $0.integer(2), $0.integer(3) == 1) } ?? (0, 0, 0, false)
    if mark == 0, tables == 0, version == 0 { return known }
    guard mark == Self.mark else { throw StoreError(file: database.file, problem: .foreign) }
    guard isNamed else { throw StoreError(file: database.file, problem: .unreleasedVersion) }
    let names = Set(try database.rows("SELECT name FROM migration ORDER BY rowid") { $0.text(0) })
    if let newer = names.subtracting(known.map(\.name)).min() {
      throw StoreError(file: database.file, problem: .newerVersion(newer))
    }
    return known.filter { !names.contains($0.name) }
  }

  /// Applies the migrations that a file does not have, each as a whole or not at all.
  static func run(on database: StoreDatabase, _ known: [StoreMigration] = all) throws {
    while try !pending(in: database, known: known).isEmpty {
      try database.transaction {
        // Read again, because another process may have applied it meanwhile.
        guard let next = try pending(in: database, known: known).first else { return }
        for statement in next.statements { try database.execute(statement) }
        try database.run("INSERT INTO migration (name) VALUES (?)", .text(next.name))
      }
    }
  }

  /// The index of words, which an erasure creates again.
  static let index: StaticString = """
    CREATE VIRTUAL TABLE word_index USING fts5 (
      text, content = 'revision', content_rowid = 'number', prefix = '1 2 3',
      tokenize = 'unicode61 remove_diacritics 2'
    );
    """

  /// A row of `revision` never changes; the current row of a segment has the greatest `revision`. `text` is the text of the
  /// selected candidate, for the index, which has only current revisions. The label of a segment's speaker is worked out
  /// when it is read, see SessionSpeakers. Times of `start` and `end` are seconds from the start of the audio.
  private static let tables: StaticString = """
    CREATE TABLE migration (name TEXT NOT NULL UNIQUE);
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
      folder TEXT,
      name TEXT,                      -- that a person gave it
      model_name TEXT,                -- of the recognizer
      model_sha256 TEXT,
      spellings TEXT,                 -- a vocabulary, see Vocabulary.spellings
      failure TEXT,                   -- why its transcription failed
      note TEXT,
      tags TEXT,                      -- a JSON array
      punctuation_name TEXT,          -- of the punctuation model
      punctuation_sha256 TEXT,
      speakers_revision INTEGER NOT NULL DEFAULT 0  -- the changes of its speakers
    );
    CREATE INDEX session_by_start ON session (start, id);
    CREATE INDEX session_by_name ON session (name) WHERE name IS NOT NULL;
    CREATE INDEX session_unfinished ON session (start) WHERE state NOT IN ('complete', 'incomplete');
    CREATE TABLE revision (
      number INTEGER PRIMARY KEY,
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      segment INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      selection INTEGER NOT NULL,
      rule TEXT NOT NULL,
      reason TEXT NOT NULL,
      date REAL NOT NULL,             -- as session.start
      text TEXT NOT NULL,
      candidates BLOB NOT NULL,       -- see CandidateCoding
      judgement TEXT,                 -- of a language model, where one was asked
      author TEXT NOT NULL DEFAULT 'recognizer',
      channel INTEGER,                -- from 0; NULL for the mix of all
      UNIQUE (session, segment, revision)
    );
    CREATE INDEX revision_by_session ON revision (session);
    CREATE VIEW current_revision AS
      SELECT * FROM revision AS this WHERE revision = (
        SELECT max(revision) FROM revision WHERE session = this.session AND segment = this.segment);
    CREATE TABLE coverage_span (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      kind TEXT NOT NULL,
      reason TEXT NOT NULL
    );
    CREATE INDEX coverage_span_by_session ON coverage_span (session, start);
    -- The second text of a revision, where it differs from the first, and the names in it.
    CREATE TABLE normalization (
      revision INTEGER PRIMARY KEY REFERENCES revision (number) ON DELETE CASCADE,
      text TEXT NOT NULL,
      spans TEXT NOT NULL             -- JSON
    );
    CREATE TABLE occurrence (
      revision INTEGER NOT NULL REFERENCES revision (number) ON DELETE CASCADE,
      term TEXT NOT NULL,
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      source_start INTEGER NOT NULL,  -- in the UTF-8 of the revision's text, as source_end
      source_end INTEGER NOT NULL
    );
    CREATE INDEX occurrence_by_revision ON occurrence (revision);
    CREATE INDEX occurrence_by_term ON occurrence (term COLLATE NOCASE);
    CREATE TABLE speaker (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      name TEXT,                      -- that a person gave
      basis TEXT NOT NULL,
      merged_into TEXT,
      engine TEXT,                    -- what separated the voice
      recognized TEXT,                -- the name of the remembered voice
      UNIQUE (session, id)
    );
    CREATE TABLE speaker_turn (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      speaker TEXT NOT NULL,
      confidence REAL,
      channel INTEGER,                -- as revision.channel
      position INTEGER                -- of a person's assignment, in their order; NULL for a guess by the voice
    );
    CREATE INDEX speaker_turn_by_session ON speaker_turn (session, start);
    -- Words of a channel that are echoes of another one, see EchoWord.
    CREATE TABLE echo (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      channel INTEGER NOT NULL,       -- from 0
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      word TEXT NOT NULL
    );
    CREATE INDEX echo_by_session ON echo (session, start);
    PRAGMA application_id = 0x4C4F4E47;
    """

  private static let steps: StaticString = """
    ALTER TABLE session ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;  -- that were not taken back, see TranscriptStore.step
    ALTER TABLE revision ADD COLUMN step INTEGER;   -- of the session's steps; NULL for all other revisions
    ALTER TABLE revision ADD COLUMN paragraph TEXT; -- see Segment.ParagraphEdge; NULL where the rule decides
    CREATE INDEX revision_by_step ON revision (session, step) WHERE step IS NOT NULL;
    """

  /// From here on `revision.segment` is a key, which says nothing about the order. Rows of `segment` never change. A step that
  /// was taken back and is forgotten gets a negative number, so that no number is used again.
  private static let order: StaticString = """
    CREATE TABLE segment (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      rank TEXT NOT NULL,             -- see SegmentRank
      key INTEGER NOT NULL,           -- revision.segment
      PRIMARY KEY (session, rank),
      UNIQUE (session, key)
    ) WITHOUT ROWID;
    INSERT INTO segment (session, rank, key)
      SELECT DISTINCT session, printf('%08x', segment + 1), segment FROM revision;
    CREATE VIEW current_segment AS
      SELECT this.*, segment.rank
      FROM segment CROSS JOIN revision AS this ON this.session = segment.session AND this.segment = segment.key
      WHERE this.revision = (
        SELECT max(revision) FROM revision WHERE session = segment.session AND segment = segment.key);
    """

  /// A translation has times of its own: segments may be divided and joined, and what was said stays.
  private static let translations: StaticString = """
    CREATE TABLE translation (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      text TEXT NOT NULL,
      model TEXT NOT NULL             -- its name
    );
    CREATE INDEX translation_by_session ON translation (session, start);
    """

  /// Who speaks when in the mix if there is a number of voices. See TurnsByNumber.
  private static let numberedTurns: StaticString = """
    CREATE TABLE numbered_turn (
      session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
      voices INTEGER NOT NULL,
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      speaker TEXT NOT NULL,          -- any name
      confidence REAL,
      engine TEXT NOT NULL            -- what separated the voices
    );
    CREATE INDEX numbered_turn_by_session ON numbered_turn (session, voices, start);
    """

  /// Times, not words: the words of a segment may change. See AssignedPart.
  private static let assignedParts: StaticString = """
    CREATE TABLE assigned_part (
      session INTEGER NOT NULL,
      segment INTEGER NOT NULL,
      start REAL NOT NULL,
      "end" REAL NOT NULL,
      speaker TEXT NOT NULL,          -- as a person said
      FOREIGN KEY (session, segment) REFERENCES segment (session, key) ON DELETE CASCADE
    );
    CREATE INDEX assigned_part_by_segment ON assigned_part (session, segment);
    """

  /// Before, a person's assignment held for a time: it becomes that of the segments whose middle is in it.
  private static let assignments: StaticString = """
    CREATE TABLE assignment (
      session INTEGER NOT NULL,
      segment INTEGER NOT NULL,
      speaker TEXT NOT NULL,          -- as a person said
      PRIMARY KEY (session, segment),
      FOREIGN KEY (session, segment) REFERENCES segment (session, key) ON DELETE CASCADE
    ) WITHOUT ROWID;
    INSERT OR REPLACE INTO assignment (session, segment, speaker)
      WITH turn AS MATERIALIZED (SELECT * FROM speaker_turn WHERE position IS NOT NULL),
        this AS (SELECT session, segment, channel, (start + "end") / 2 AS middle FROM current_segment)
      SELECT session, segment, speaker FROM this CROSS JOIN turn USING (session)
      WHERE coalesce(turn.channel = this.channel, 1)
        AND CASE WHEN start = "end" THEN middle = start ELSE start < middle AND middle < "end" END
      ORDER BY position;
    DELETE FROM speaker_turn WHERE position IS NOT NULL;
    ALTER TABLE speaker_turn DROP COLUMN position;
    """
}
