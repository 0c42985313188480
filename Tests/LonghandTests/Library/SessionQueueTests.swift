import Foundation
import Longhand
import Testing

/// Sessions that wait for their turn in a server.
@Suite struct SessionQueueTests {
  /// They do not count as interrupted, and no other process takes them; after the server's end, both change.
  @Test func sessionThatWaitsIsNotInterrupted() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("queue-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try Library(at: folder)
    let sessions = try (0..<3).map { _ in
      var session = StoreFixture.session()
      session.state = .importing
      try server.store.begin(session)
      return session
    }
    // With files of its own, like another process.
    let library = try Library(at: folder)
    func states() -> [RecordedSession.State] { sessions.map { library.activity(of: $0).state } }
    #expect(states() == [.interrupted, .interrupted, .interrupted])
    var queue: SessionQueue? = SessionQueue(in: server)
    queue?.set(sessions.prefix(2).map(\.id))
    #expect(states() == [.queued, .queued, .interrupted])
    #expect(try library.interruptedSessions().map(\.id) == [sessions[2].id])
    let waiting = try await library.recover().compactMap {
      if case .inUse(let id) = $0 { id } else { nil }
    }
    #expect(Set(waiting) == Set(sessions.prefix(2).map(\.id)))
    queue?.set([sessions[1].id])
    #expect(states().prefix(2) == [.interrupted, .queued])
    queue = nil
    #expect(states()[1] == .interrupted)
  }
}
