import Foundation

/// What happens to the list of sessions and to what the server records, for one client.
///
/// `@unchecked Sendable`: its connection's thread alone uses it.
final class GeneralEvents: HTTPContent, @unchecked Sendable {
  private let hub: LiveHub
  private var keepalive: Keepalive
  private var sessions = 0
  private var recording = 0
  private var isBegun = false

  init(by hub: LiveHub, to client: any HTTPClient) {
    self.hub = hub
    keepalive = Keepalive(client)
    hub.join()
    // The client has asked, or will; what is recorded is told at once.
    if let before = hub.waitForGeneral({ $0.sessions.count }).found { sessions = before }
  }

  deinit { hub.leave() }

  func next() throws -> Data? {
    if !isBegun {
      isBegun = true
      return ServerSentEvent.comment
    }
    while true {
      let (events, isStopped) = hub.waitForGeneral { general -> Data? in
        var events = Data()
        if general.sessions.count > self.sessions { events += general.sessions.event }
        if general.recording.count > self.recording { events += general.recording.event }
        self.sessions = general.sessions.count
        self.recording = general.recording.count
        return events.isEmpty ? nil : events
      }
      if isStopped { return nil }
      if let events { return keepalive.note(events) }
      if let comment = try keepalive.comment() { return comment }
    }
  }
}
