import Synchronization

/// The sessions that wait for their turn to be imported or continued by this server.
final class WaitingSessions: Sendable {
  private let ids = Mutex<[String]>([])

  /// In the order of their turns.
  var all: [String] { ids.withLock { $0 } }

  func set(_ sessions: [String]) { ids.withLock { $0 = sessions } }

  func contains(_ session: String) -> Bool { ids.withLock { $0.contains(session) } }
}
