import Foundation
import SQLite3

/// An error of the store. Nothing was changed, unless the error says so.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Problem: Sendable, Hashable {
    /// The disk is full.
    case diskFull
    /// The file or its folder is not writable.
    case readOnly
    /// The file cannot be created, opened or read; the text says why.
    case unreachable(String)
    /// The file is not a transcript store.
    case foreign
    /// A newer version of Longhand wrote the file; the text is the name of a migration that this one does not know.
    case newerVersion(String)
    /// A version of Longhand from before its first release wrote the file.
    case unreleasedVersion
    /// Another program kept the file locked for too long.
    case locked
    /// The contents of the file are damaged; the text says where.
    case damaged(String)
    /// No session has this ID.
    case noSession(String)
    /// Several IDs start with this text; some of them.
    case ambiguousSession(String, [String])
    /// A session with this ID exists already.
    case sessionExists(String)
    /// The session has no such segment, or no such revision of it.
    case noSegment(Int)
    /// Something was changed meanwhile: the revision that was expected, and the current one.
    case changed(expected: Int, current: Int)
    /// Segments do not follow each other in this order, because others came between them or because they never did. Their IDs.
    case separated([Int])
    /// The segment is not the next one: the ID that comes next, and the one that was given.
    case outOfOrder(expected: Int, given: Int)
    /// The segment is committed with other contents, and committed segments do not change.
    case alreadyCommitted(Int)
    /// The value cannot be stored; the text says why.
    case invalid(String)
    /// The session's text was removed, but copies may remain in the file until the erasure is run again; the text says why.
    case erasureIncomplete(String)
    /// The session was removed, but copies of its text may remain in the file until it can be rewritten.
    case erasureNeedsRoom
  }

  /// The file's path.
  public var file: String
  /// What is wrong.
  public var problem: Problem

  package init(file: String, problem: Problem) {
    self.file = file
    self.problem = problem
  }

  /// Whether a change does not fit any more, because there was another one since.
  package var isConflict: Bool {
    switch problem {
    case .changed, .separated: true
    default: false
    }
  }

  /// Whether the contents of the file are damaged, so that a part of it cannot be used.
  var isDamage: Bool {
    switch problem {
    case .damaged, .unreachable: true
    default: false
    }
  }

  /// The log's index cannot be made: SQLITE_IOERR_SHMOPEN and SQLITE_IOERR_SHMSIZE, macros that Swift does not see.
  private static let noRoomForIndex: Set<Int32> = [SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8]

  /// Converts a result code of SQLite.
  init(file: String, code: Int32, message: String) {
    self.file = file
    problem =
      switch code & 0xFF {
      case _ where Self.noRoomForIndex.contains(code): .diskFull
      case SQLITE_FULL: .diskFull
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      case SQLITE_NOTADB: .foreign
      case SQLITE_CORRUPT: .damaged(message)
      default: .unreachable(message)
      }
  }

  /// Converts the `errno` of a file operation.
  init(file: String, failure: Int32) {
    self.file = file
    problem =
      switch failure {
      case EACCES, EPERM, EROFS: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      default: .unreachable(String(cString: strerror(failure)))
      }
  }

  /// The file, what is wrong, and what to do.
  public var description: String { "\(file): \(what)\(remedy.map { "; \($0)" } ?? "")" }

  /// What is wrong, without the file.
  public var what: String { words.what }
  /// What to do; nil if `what` says it.
  public var remedy: String? { words.remedy }

  private var words: (what: String, remedy: String?) {
    switch problem {
    case .diskFull:
      ("the disk is full", "free some space and try again (committed segments are safe)")
    case .readOnly:
      (
        "it is not writable",
        "make the file and its folder writable, or choose another folder"
      )
    case .unreachable(let why):
      ("it cannot be used: \(why)", "check that its folder exists, is yours and has free space")
    case .foreign:
      ("it is not a transcript store", "move it away, or choose another folder")
    case .newerVersion(let name):
      (
        "a newer version of Longhand wrote it (this program does not know the migration '\(name)')",
        "update Longhand"
      )
    case .unreleasedVersion:
      (
        "a version of Longhand from before 0.1.0 wrote it, and this version cannot read it",
        """
        export its transcripts with that version, then move this file to another folder and run 'longhand recover', \
        which transcribes the recordings of the library again
        """
      )
    case .locked:
      ("another program is writing it", "try again when it has finished")
    case .damaged(let what):
      ("it is damaged: \(what)", "restore it from a backup, or move it away to start a new one")
    case .noSession(let id):
      ("no session has an ID that starts with '\(id)', or this name", "list the sessions to see their IDs")
    case .ambiguousSession(let id, let ids):
      (
        "several sessions have an ID that starts with '\(id)', or this name (\(ids.joined(separator: ", ")))",
        "give more characters of the ID"
      )
    case .sessionExists(let id):
      ("a session with the ID '\(id)' exists already", "use a new ID")
    case .noSegment(let id):
      ("the session has no segment \(id), or not this revision of it", "check the numbers in the transcript")
    case .changed(let expected, let current):
      (
        "revision \(expected) was expected, but \(current) is the current one",
        "look at it, and repeat the change"
      )
    case .separated(let ids):
      (
        "the segments \(ids.map(String.init).joined(separator: ", ")) do not follow each other",
        "look at them, and repeat the change"
      )
    case .outOfOrder(let expected, let given):
      ("segment \(given) was given, but segment \(expected) comes next", "append the segments in order")
    case .alreadyCommitted(let id):
      ("segment \(id) is already committed with other contents", "add a revision instead")
    case .invalid(let why):
      (why, nil)
    case .erasureIncomplete(let why):
      ("the erasure is incomplete, and erased text may still be in the file (\(why))", "run it again")
    case .erasureNeedsRoom:
      (
        "the session is deleted, but the disk is full, so bytes of its text may still be in the file",
        "free some space, and run 'longhand recover'"
      )
    }
  }
}
