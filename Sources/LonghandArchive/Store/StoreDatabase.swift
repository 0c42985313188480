import Foundation
import SQLite3
import Synchronization

/// One connection to the store's file. It must not be used by two threads at once, so each is in a `Mutex`.
///
/// Statements are static strings and values are bound, so no text of a user can become part of a statement.
final class StoreDatabase {
  /// What a connection may do.
  enum Role {
    case writer
    case reader
  }

  let file: String
  /// Whether it can only be read because the disk is full.
  private let isOnFullDisk: Bool
  private let handle: OpaquePointer
  private var statements: [String: StoreStatement] = [:]

  /// Opens the file. A writer creates it if needed, and brings its schema up to date. On a full disk the file can only be
  /// read.
  ///
  /// - Parameters:
  ///   - file: its folder must exist.
  ///   - pragmas: run after the store's own, for tests of faults.
  /// - Throws: `StoreError`.
  static func open(_ file: URL, role: Role, pragmas: [StaticString] = []) throws -> StoreDatabase {
    do {
      return try StoreDatabase(file, StoreAccess(file), role, pragmas)
    } catch let error as StoreError where error.problem == .diskFull && StoreAccess.size(of: file.path) > 0 {
      return try openOnFullDisk(file, role: role, pragmas: pragmas)
    }
  }

  /// Opens the file where there is no room for the index of its log. What a killed process left in the log is moved into
  /// the file.
  static func openOnFullDisk(_ file: URL, role: Role, pragmas: [StaticString] = []) throws -> StoreDatabase {
    if StoreAccess.size(of: file.path + "-wal") > 0 { try openAlone(file).emptyLog() }
    return try StoreDatabase(file, .immutable, role, pragmas, isOnFullDisk: true)
  }

  /// Opens the file for a change that needs next to no room. No other connection may use it meanwhile.
  static func openAlone(_ file: URL) throws -> StoreDatabase {
    try StoreDatabase(file, .alone, .reader, [])
  }

  private init(
    _ file: URL, _ access: StoreAccess, _ role: Role, _ pragmas: [StaticString], isOnFullDisk: Bool = false
  ) throws {
    (self.file, self.isOnFullDisk) = (file.path, isOnFullDisk)
    if access == .readWrite, role == .writer { try Self.create(file) }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(access.name(of: file), &opened, access.flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw StoreError(file: file.path, code: code, message: "out of memory") }
    handle = opened
    try check(code)
    sqlite3_extended_result_codes(handle, 1)
    // Long enough for an erasure by another process; a writer that gives up would lose a segment.
    try execute("PRAGMA busy_timeout = 30000")
    if access == .alone { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // Before any change, because the file may belong to another program. A reader comes after a writer.
    if role == .writer { _ = try StoreMigration.pending(in: self) }
    // Temporary tables stay in memory, because a temporary file would be outside of the library.
    try execute(
      """
      PRAGMA temp_store = MEMORY;
      PRAGMA cell_size_check = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -16384;
      """)
    if access == .readWrite {
      try execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;")
    }
    for pragma in pragmas { try execute(pragma) }
    switch (access, role) {
    case (.readWrite, .writer): try StoreMigration.run(on: self)
    case (.alone, _): break
    default: try execute("PRAGMA query_only = ON")
    }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement.handle) }
    sqlite3_close_v2(handle)
  }

  /// Creates an empty file that only its owner may read; SQLite gives its log and index the same mode.
  ///
  /// The file is linked into place, which fails if another process was first. It is not opened after that, because closing
  /// it would release the locks of all connections that this process has to it.
  private static func create(_ file: URL) throws {
    guard !FileManager.default.fileExists(atPath: file.path) else { return }
    let draft = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
    let descriptor = Foundation.open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(file: file.path, failure: errno) }
    close(descriptor)
    defer { try? FileManager.default.removeItem(at: draft) }
    try? FileManager.default.linkItem(at: draft, to: file)
  }

  /// Runs statements that have no values.
  func execute(_ sql: StaticString) throws { try execute(text: sql.description) }

  /// Runs statements whose text is not static: those of pragmas, which cannot have values. It must not be a user's.
  func execute(text sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// Runs a statement that has no rows.
  func run(_ sql: StaticString, _ values: StoreValue...) throws {
    try step(sql, values) { _ in }
  }

  /// The rows of a statement.
  func rows<Row>(
    _ sql: StaticString, _ values: StoreValue..., read: (StoreStatement) throws -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try step(sql, values) { rows.append(try read($0)) }
    return rows
  }

  /// The first row of a statement; nil if there is none.
  func row<Row>(
    _ sql: StaticString, _ values: StoreValue..., read: (StoreStatement) throws -> Row
  ) throws -> Row? {
    var row: Row?
    try step(sql, values) { statement in if row == nil { row = try read(statement) } }
    return row
  }

  /// Runs `body` in a transaction: all of it or nothing is stored, and is on the disk when this returns.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try enclosed("BEGIN IMMEDIATE", body)
  }

  /// Runs `body` so that all it reads is of one moment.
  func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try enclosed("BEGIN", body) }

  /// Moves the log into the file and empties it.
  ///
  /// - Throws: `StoreError` with `locked` if readers prevent it.
  func emptyLog() throws {
    let isBusy = try row("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
    if isBusy != false { throw StoreError(file: file, problem: .locked) }
  }

  /// Rewrites the file without the bytes that removed rows left in it.
  ///
  /// The copy that this needs is as long as the file. It is a file in the store's folder without a name, so that a killed
  /// process leaves nothing.
  /// - Parameter inMemory: whether the copy is in memory.
  /// - Throws: `StoreError` with `diskFull` too if the file is too long to be in memory.
  func vacuum(inMemory: Bool = false) throws {
    if inMemory {
      let size = try row("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") {
        $0.integer(0)
      }
      guard size ?? 0 <= Self.maxCopy else { throw StoreError(file: file, problem: .diskFull) }
      return try run("VACUUM")
    }
    // SQLite has one folder for the temporary files of a process; other connections have none.
    try Self.temporaryFolder.withLock { _ in
      // An SQLite without this pragma would use the system's temporary folder.
      if sqlite3_compileoption_used("OMIT_DEPRECATED") == 0 {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let quoted = folder.replacing("'", with: "''")
        try execute(text: "PRAGMA temp_store_directory = '\(quoted)'")
        try execute("PRAGMA temp_store = FILE")
      }
      defer { try? execute("PRAGMA temp_store = MEMORY") }
      try run("VACUUM")
    }
  }

  private static let temporaryFolder = Mutex(())
  /// Bytes of the longest file that is copied in memory.
  private static let maxCopy = 256 << 20

  /// Removes the index from the schema without reading it, because it is damaged. Its pages are unused until `vacuum`.
  func dropIndex() throws {
    try execute("PRAGMA writable_schema = ON")
    defer { try? execute("PRAGMA writable_schema = RESET") }
    try execute("DELETE FROM sqlite_schema WHERE name GLOB 'word_index*'")
    // Other connections have to read the schema again.
    let version = try row("PRAGMA schema_version") { $0.integer(0) } ?? 0
    try execute(text: "PRAGMA schema_version = \(version + 1)")
  }

  private func enclosed<Result>(_ begin: StaticString, _ body: () throws -> Result) throws -> Result {
    try run(begin)
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // Some errors, such as a full disk, may already have ended the transaction.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func step(
    _ sql: StaticString, _ values: [StoreValue], row: (StoreStatement) throws -> Void
  ) throws {
    let statement = try statement(sql)
    defer {
      sqlite3_reset(statement.handle)
      sqlite3_clear_bindings(statement.handle)
    }
    try check(statement.bind(values))
    while true {
      let code = sqlite3_step(statement.handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { return try check(code) }
      try row(statement)
    }
  }

  private func statement(_ sql: StaticString) throws -> StoreStatement {
    let text = sql.description
    if let statement = statements[text] { return statement }
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared else { throw StoreError(file: file, problem: .invalid("a statement is empty")) }
    let statement = StoreStatement(handle: prepared)
    statements[text] = statement
    return statement
  }

  private func check(_ code: Int32) throws {
    guard code != SQLITE_OK else { return }
    let error = StoreError(file: file, code: code, message: String(cString: sqlite3_errmsg(handle)))
    throw isOnFullDisk && error.problem == .readOnly ? StoreError(file: file, problem: .diskFull) : error
  }
}
