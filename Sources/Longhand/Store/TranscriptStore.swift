import Foundation
import Synchronization

/// The transcripts of a user: sessions, their segments with every revision, what became of every second, and an index
/// of the words.
///
/// It is one SQLite file. What `append(_:to:)` was given is on the disk when it returns. Readers have a connection of
/// their own and neither wait for a writer nor make one wait, in this process or another; any number of stores may
/// have the same folder at once.
///
/// ```swift
/// let store = try TranscriptStore(at: folder)
/// let session = RecordedSession(source: "talk", locale: "en-US", engine: "analyzer", start: .now)
/// try store.begin(session)
/// try store.append(segment, to: session.id)
/// let last = try store.page(of: session.id, limit: 50)
/// ```
public final class TranscriptStore: Sendable {
  /// The name of the file in the store's folder.
  public static let fileName = "transcripts.sqlite"

  /// The file.
  public let file: URL
  private let writer: Mutex<StoreDatabase>
  private let reader: Mutex<StoreDatabase>

  /// Opens the store in a folder; makes both, readable by their owner alone, where they are missing.
  ///
  /// - Throws: `StoreError`, also where the file is not a store or a newer version's; it is then left as it was.
  public convenience init(at folder: URL) throws { try self.init(at: folder, pragmas: []) }

  /// - Parameter pragmas: run on both connections after the store's own; a test breaks something with them.
  init(at folder: URL, pragmas: [StaticString]) throws {
    file = folder.appendingPathComponent(Self.fileName)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        file: folder.path, problem: .unreachable("the folder cannot be made: \(error.localizedDescription)"))
    }
    writer = Mutex(try StoreDatabase(file, role: .writer, pragmas: pragmas))
    reader = Mutex(try StoreDatabase(file, role: .reader, pragmas: pragmas))
  }

  /// Works with the connection that writes, alone.
  func write<Result: Sendable>(_ body: @Sendable (StoreDatabase) throws -> Result) throws -> Result {
    try writer.withLock { try body($0) }
  }

  /// Works with the connection that reads; all that `body` reads is of one moment.
  func read<Result: Sendable>(_ body: @Sendable (StoreDatabase) throws -> Result) throws -> Result {
    try reader.withLock { database in try database.snapshot { try body(database) } }
  }

  func error(_ problem: StoreError.Problem) -> StoreError { StoreError(file: file.path, problem: problem) }

  /// The key of a session that is there to be read and written.
  func number(of session: String, in database: StoreDatabase) throws -> Int {
    let number = try database.row(
      "SELECT number FROM session WHERE id = ? AND state <> 'erasing'", .text(session)
    ) { $0.integer(0) }
    guard let number else { throw error(.noSession(session)) }
    return number
  }
}
