import Foundation
import LonghandRecording
import LonghandVocabulary
import Synchronization

/// A database of transcripts: sessions, their segments with all revisions, their coverage, and an index of the words.
///
/// It is one SQLite file. Segments are on the disk when `append(_:to:)` returns. One connection writes and a few read, so
/// readers and writers do not wait for each other, in this process or another. A process needs one store for a folder;
/// other processes may use the same folder at once.
///
/// ```swift
/// let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transcripts")
/// let store = try TranscriptStore(at: folder)
/// let session = RecordedSession(source: "talk", locale: "en-US", engine: "analyzer", start: .now)
/// try store.begin(session)
/// let candidate = Candidate(text: "hello there", words: [], confidence: 0.9)
/// try store.append(Segment(id: 0, start: 0, end: 1.5, candidates: [candidate]), to: session.id)
/// print(try store.page(of: session.id, limit: 50).map(\.text))  // ["hello there"]
/// print(try store.search("hel").map(\.text))  // ["hello there"]
/// ```
public final class TranscriptStore: Sendable {
  /// The name of the file in the store's folder.
  public static let fileName = "transcripts.sqlite"

  /// The file.
  public let file: URL
  private let writer: Mutex<StoreDatabase>
  private let readers: StoreReaders
  /// The normalizer of the session that was written last, and what it was made from.
  let normalizers = Mutex<(spellings: String, normalizer: TranscriptNormalizer)?>(nil)

  /// Opens the store in a folder. Creates both if needed, readable only by their owner.
  ///
  /// - Throws: `StoreError`. A file that is not a store, or of another version, is not changed.
  public convenience init(at folder: URL) throws { try self.init(at: folder, pragmas: []) }

  /// - Parameter pragmas: run on each connection after the store's own, for tests of faults.
  init(at folder: URL, pragmas: [StaticString]) throws {
    file = folder.appendingPathComponent(Self.fileName)
    do {
      // Does nothing if the folder exists, also if it is read-only.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        file: folder.path,
        problem: .unreachable("the folder cannot be created: \(error.localizedDescription)"))
    }
    try Self.closeToOthers(folder)
    // A recording that continues while the device is locked writes its segments.
    FileProtection.completeUnlessOpen.protect(folder)
    writer = Mutex(try StoreDatabase.open(file, role: .writer, pragmas: pragmas))
    readers = StoreReaders(of: file, pragmas: pragmas)
  }

  /// Takes the right to write in the folder from other users: they could replace the store or its recordings.
  /// - Throws: `StoreError` if that is not possible.
  private static func closeToOthers(_ folder: URL) throws {
    let others: mode_t = 0o022
    var status = stat()
    guard stat(folder.path, &status) == 0, status.st_mode & others != 0 else { return }
    // A folder such as /tmp is meant for all users.
    if status.st_mode & 0o1000 == 0 {
      if chmod(folder.path, status.st_mode & 0o7777 & ~others) != 0, errno == EROFS { return }
      guard stat(folder.path, &status) == 0, status.st_mode & others != 0 else { return }
    }
    throw StoreError(
      file: folder.path,
      problem: .unreachable(
        "other users can write in the folder; choose another one, or run: chmod go-w on it"))
  }

  /// Runs `body` with the connection that writes; no other thread uses it meanwhile.
  func write<Result: Sendable>(_ body: @Sendable (StoreDatabase) throws -> Result) throws -> Result {
    try writer.withLock { try body($0) }
  }

  /// Runs `body` with a connection that reads; all it reads is of one moment.
  func read<Result: Sendable>(_ body: @Sendable (StoreDatabase) throws -> Result) throws -> Result {
    try readers.withConnection { database in try database.snapshot { try body(database) } }
  }

  /// Throws `StoreError` with `changed` if another revision than the current one is expected. Call it in the transaction of
  /// the change: of several changes that expect the same revision, one is made.
  func check(_ expected: Int?, _ current: Int) throws {
    if let expected, expected != current { throw error(.changed(expected: expected, current: current)) }
  }

  func error(_ problem: StoreError.Problem) -> StoreError { StoreError(file: file.path, problem: problem) }

  /// The key of a session that is not being erased.
  func number(of session: String, in database: StoreDatabase) throws -> Int {
    let number = try database.row(
      "SELECT number FROM session WHERE id = ? AND state <> 'erasing'", .text(session)
    ) { $0.integer(0) }
    guard let number else { throw error(.noSession(session)) }
    return number
  }
}
