import Foundation
import SQLite3

/// Why the store could not do what was asked of it. Nothing of what was asked has then been done, unless it says so.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Problem: Sendable, Hashable {
    /// There is no room on the disk.
    case diskFull
    /// The file or its folder may not be written.
    case readOnly
    /// The file cannot be made, opened or read; the text says why.
    case unreachable(String)
    /// The file is not a transcript store.
    case foreign
    /// A newer version of Longhand wrote the file: its version, and the newest that this one knows.
    case newerVersion(Int, known: Int)
    /// Somebody else was writing for longer than one waits.
    case locked
    /// What stands in the file is not what was written.
    case damaged(String)
    /// No session has such an id.
    case noSession(String)
    /// More than one session's id begins like this; some of them.
    case ambiguousSession(String, [String])
    /// There is already a session with this id.
    case sessionExists(String)
    /// The session has no such segment, or no such revision of it.
    case noSegment(Int)
    /// Segments follow each other: the id that comes next, and the one that was given.
    case outOfOrder(expected: Int, given: Int)
    /// The segment was committed with other content, and what is committed does not change.
    case alreadyCommitted(Int)
    /// The value cannot be stored; the text says why.
    case invalid(String)
    /// The session's text is gone, but a copy may remain in the file until the erasure is run again; the text says why.
    case erasureIncomplete(String)
  }

  /// The file's path.
  public var file: String
  /// What is wrong.
  public var problem: Problem

  /// Each field by its name.
  public init(file: String, problem: Problem) {
    self.file = file
    self.problem = problem
  }

  /// What SQLite's result code says, with its own words where there is no better.
  init(file: String, code: Int32, message: String) {
    self.file = file
    problem =
      switch code & 0xFF {
      case SQLITE_FULL: .diskFull
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      case SQLITE_NOTADB: .foreign
      case SQLITE_CORRUPT: .damaged(message)
      default: .unreachable(message)
      }
  }

  /// The file, what is wrong and what to do.
  public var description: String { "\(file): \(what)\(remedy.map { "; \($0)" } ?? "")" }

  /// What is wrong, without the file.
  public var what: String { words.what }
  /// What to do; nil where what is wrong says it.
  public var remedy: String? { words.remedy }

  private var words: (what: String, remedy: String?) {
    switch problem {
    case .diskFull:
      ("the disk is full", "free some room and try again (what was committed is safe)")
    case .readOnly:
      (
        "it may not be written",
        "give yourself the right to write it and its folder, or choose another folder"
      )
    case .unreachable(let why):
      ("it cannot be used: \(why)", "see that its folder exists, is yours and has room")
    case .foreign:
      ("it is not a transcript store", "move it away, or choose another folder")
    case .newerVersion(let version, let known):
      (
        "a newer version of Longhand wrote it (version \(version), this one knows \(known))",
        "update Longhand"
      )
    case .locked:
      ("another program is writing it", "try again when that is done")
    case .damaged(let what):
      ("it is damaged: \(what)", "restore it from a copy, or move it away to begin a new one")
    case .noSession(let id):
      ("there is no session '\(id)'", "list the sessions to see their ids")
    case .ambiguousSession(let id, let ids):
      ("more than one session begins with '\(id)' (\(ids.joined(separator: ", ")))", "type more of it")
    case .sessionExists(let id):
      ("there is a session '\(id)' already", "begin one with a new id")
    case .noSegment(let id):
      ("the session has no such segment \(id), or no such revision of it", "look at its last page")
    case .outOfOrder(let expected, let given):
      ("segment \(given) cannot be next, because \(expected) is", "append the segments in order")
    case .alreadyCommitted(let id):
      ("segment \(id) is committed with other content", "what is committed does not change: revise it")
    case .invalid(let why):
      (why, nil)
    case .erasureIncomplete(let why):
      ("the erasure is not complete, and what was erased may still be in the file (\(why))", "run it again")
    }
  }
}
