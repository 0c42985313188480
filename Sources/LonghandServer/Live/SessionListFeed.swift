import Foundation
import Longhand

/// What changes in the list of sessions: a pure value. Clients load the whole list again only if it has other sessions, names
/// or tags; else they load the sessions that changed, such as one that is being transcribed.
struct SessionListFeed {
  /// A row of the list.
  struct Row: Equatable {
    var session: RecordedSession
    /// What is being done with a session that is not complete.
    var activity: SessionActivity?
    /// The number of sessions whose turn comes before, if the session waits for its own.
    var position: Int?
    /// What is done again with a complete session.
    var work: WaitingSessions.Work?

    /// Whether the list has the row at another place, or with other facts that lead to it.
    fileprivate func isListed(as other: Row) -> Bool {
      session.id == other.session.id && session.name == other.session.name
        && session.tags == other.session.tags && session.start == other.session.start
    }
  }

  /// The number of changes so far.
  private(set) var count = 0
  /// The number of the last change of the list itself.
  private var lastOfList = 0
  /// The number of the last change of each session after that.
  private var lastOfRows: [String: Int] = [:]

  /// Compares two states of the list, and notes what has changed.
  mutating func note(_ old: [Row], _ new: [Row]) {
    if old.count != new.count || !zip(old, new).allSatisfy({ $0.isListed(as: $1) }) {
      count += 1
      lastOfList = count
      lastOfRows = [:]
      return
    }
    let changed = zip(old, new).filter { $0 != $1 }.map(\.1.session.id)
    guard !changed.isEmpty else { return }
    count += 1
    for id in changed { lastOfRows[id] = count }
  }

  /// The event for a client that knows the first `known` changes; nil if there is nothing new.
  func event(after known: Int) -> Data? {
    guard known < count else { return nil }
    guard lastOfList <= known else { return ServerSentEvent.data("sessions", "{}") }
    let changed = lastOfRows.filter { $0.value > known }.keys.sorted()
    return ServerSentEvent.data("sessions", .object([("changed", .array(changed.map(JSONValue.string)))]))
  }
}
