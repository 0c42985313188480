import Longhand
import Synchronization

/// The sessions that wait for their turn to be imported or continued by this server.
final class WaitingSessions: Sendable {
  private let ids = Mutex<[String]>([])
  /// Shows them to other processes.
  private let queue: SessionQueue?

  /// - Parameter library: where other processes see the sessions; nil to show them to none.
  init(in library: Library? = nil) { queue = library.map(SessionQueue.init) }

  /// In the order of their turns.
  var all: [String] { ids.withLock { $0 } }

  func set(_ sessions: [String]) {
    ids.withLock { $0 = sessions }
    queue?.set(sessions)
  }

  func contains(_ session: String) -> Bool { ids.withLock { $0.contains(session) } }
}
