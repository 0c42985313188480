import Foundation

/// The events of one session for one client: every segment after a sequence number, once and in order, and the newest
/// status, partial text, level and notice. `end` says that all of the session is recognized; changes by people follow.
///
/// `@unchecked Sendable`: only the thread of its connection uses it.
final class SessionEventStream: HTTPContent, @unchecked Sendable {
  private enum State { case unopened, open, complete, deleted }

  private let hub: LiveHub
  private let session: String
  private var keepalive: Keepalive
  private var state = State.unopened
  private var sequence: Int
  private var partial = 0
  private var level = 0
  private var status = 0
  /// How many second texts were sent or came before this client.
  private var secondTexts = 0
  private var notices = 0
  private var translated = 0

  /// - Parameters:
  ///   - sequence: the sequence number of the last segment that the client has; nil to start with the next one.
  ///   - client: the follower.
  /// - Throws: `StoreError`.
  init(of session: String, after sequence: Int?, by hub: LiveHub, to client: any HTTPClient) throws {
    self.hub = hub
    self.session = session
    keepalive = Keepalive(client)
    let feed = try hub.join(session)
    self.sequence = sequence ?? feed.newest
    // A notice or a state from before is out of date.
    (notices, status) = (feed.notices.count, feed.session.count)
    translated = feed.translated.count
  }

  deinit { hub.leave(session) }

  func next() throws -> Data? {
    if state == .deleted { return nil }
    // The first chunk comes at once, so that the client knows that it is connected.
    if state == .unopened {
      state = .open
      return ServerSentEvent.comment
    }
    while true {
      let (update, isStopped) = hub.wait(for: session) { self.update(from: $0) }
      if isStopped { return nil }
      switch update {
      case .events(let events): return keepalive.note(events)
      case .late:
        let older = try hub.older(of: session, after: sequence)
        // Without any, the feed keeps these segments again, or the session was deleted.
        guard let last = older.last else { continue }
        sequence = last.sequence
        return keepalive.note(older.reduce(into: Data()) { $0 += $1.event })
      case .end(let events, let reason):
        state = reason
        return keepalive.note(events + ServerSentEvent.data("end", "{}"))
      case nil:
        guard let comment = try keepalive.comment() else { continue }
        return comment
      }
    }
  }

  private enum Update {
    case events(Data)
    case end(Data, State)
    /// The feed no longer keeps the next segments.
    case late
  }

  private func update(from feed: SessionFeed) -> Update? {
    guard let segments = feed.events(after: sequence) else {
      return feed.state == .deleted ? .end(Data(), .deleted) : .late
    }
    var events = Data()
    for segment in segments {
      events += segment.event
      sequence = segment.sequence
    }
    events += feed.secondTexts.events(after: secondTexts) + feed.notices.events(after: notices)
    (secondTexts, notices) = (feed.secondTexts.count, feed.notices.count)
    events += feed.translated.events(after: translated)
    translated = feed.translated.count
    // After the segments: a partial text continues the last segment.
    for (newest, sent) in [
      (feed.partial, \SessionEventStream.partial), (feed.level, \.level), (feed.session, \.status),
    ] where newest.count > self[keyPath: sent] {
      events += newest.event
      self[keyPath: sent] = newest.count
    }
    if feed.state == .deleted { return .end(events, .deleted) }
    if feed.state == .complete, state == .open { return .end(events, .complete) }
    return events.isEmpty ? nil : .events(events)
  }
}

/// Changes of the list of sessions and of the server's recording, for one client.
///
/// `@unchecked Sendable`: only the thread of its connection uses it.
final class LibraryEventStream: HTTPContent, @unchecked Sendable {
  private let hub: LiveHub
  private var keepalive: Keepalive
  private var sessions = 0
  private var recording = 0
  private var isOpen = false

  init(by hub: LiveHub, to client: any HTTPClient) {
    self.hub = hub
    keepalive = Keepalive(client)
    hub.join()
    // The client requests the list itself. The state of the recording is sent at once.
    if let before = hub.waitForLibrary({ $0.sessions.count }).found { sessions = before }
  }

  deinit { hub.leave() }

  func next() throws -> Data? {
    if !isOpen {
      isOpen = true
      return ServerSentEvent.comment
    }
    while true {
      let (events, isStopped) = hub.waitForLibrary { library -> Data? in
        var events = Data()
        events += library.sessions.event(after: self.sessions) ?? Data()
        if library.recording.count > self.recording { events += library.recording.event }
        self.sessions = library.sessions.count
        self.recording = library.recording.count
        return events.isEmpty ? nil : events
      }
      if isStopped { return nil }
      if let events { return keepalive.note(events) }
      if let comment = try keepalive.comment() { return comment }
    }
  }
}

/// Sends a comment when there are no events for a while, and notices that the client has closed the connection.
struct Keepalive {
  /// Seconds without an event after which a comment is sent.
  private static let interval = 15.0

  private let client: any HTTPClient
  private var last = ProcessInfo.processInfo.systemUptime
  /// Whether the client sends nothing more.
  private var isSilent = false

  /// The client has closed the connection.
  struct Gone: Error {}

  init(_ client: any HTTPClient) { self.client = client }

  /// Notes that events are sent now.
  mutating func note(_ events: Data) -> Data {
    last = ProcessInfo.processInfo.systemUptime
    return events
  }

  /// A comment, if one is due.
  /// - Throws: `Gone`.
  mutating func comment() throws -> Data? {
    switch client.presence {
    case .gone: throw Gone()
    case .silent where !isSilent:
      // The comment shows whether the client is still there.
      isSilent = true
      return note(ServerSentEvent.comment)
    case .silent, .open: break
    }
    guard ProcessInfo.processInfo.systemUptime - last >= Self.interval else { return nil }
    return note(ServerSentEvent.comment)
  }
}
