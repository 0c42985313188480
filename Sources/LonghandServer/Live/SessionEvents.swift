import Foundation

/// What happens to one session, for one client: texts from a place on, none lost, none twice, in order.
///
/// `@unchecked Sendable`: its connection's thread alone uses it.
final class SessionEvents: HTTPContent, @unchecked Sendable {
  private let hub: LiveHub
  private let session: String
  private var keepalive: Keepalive
  private var sequence: Int
  private var partial = 0
  private var level = 0
  private var about = 0
  private var notice = 0
  private var isEnded = false
  private var isBegun = false

  /// - Parameters:
  ///   - sequence: of the last text that the client has; nil for the newest there is.
  ///   - client: who follows.
  /// - Throws: `StoreError`.
  init(of session: String, after sequence: Int?, by hub: LiveHub, to client: any HTTPClient) throws {
    self.hub = hub
    self.session = session
    keepalive = Keepalive(client)
    let newest = try hub.join(session)
    self.sequence = sequence ?? newest
    // What went wrong before is no news.
    if let before = hub.wait(for: session, { $0.notice.count }).found { notice = before }
  }

  deinit { hub.leave(session) }

  func next() throws -> Data? {
    if isEnded { return nil }
    // So that the client knows at once that it is connected.
    if !isBegun {
      isBegun = true
      return ServerSentEvent.comment
    }
    while true {
      let (news, isStopped) = hub.wait(for: session) { self.news(in: $0) }
      if isStopped { return nil }
      switch news {
      case .events(let events): return keepalive.note(events)
      case .late:
        let older = try hub.older(of: session, after: sequence)
        // What is kept reaches back so far now, or the session is gone.
        guard let last = older.last else { continue }
        sequence = last.sequence
        return keepalive.note(older.reduce(into: Data()) { $0 += $1.event })
      case .end(let events):
        isEnded = true
        return events + ServerSentEvent.data("end", "{}")
      case nil:
        guard let comment = try keepalive.comment() else { continue }
        return comment
      }
    }
  }

  private enum News {
    case events(Data)
    case end(Data)
    /// Texts that are no longer kept.
    case late
  }

  private func news(in feed: SessionFeed) -> News? {
    guard let texts = feed.events(after: sequence) else { return feed.isGone ? .end(Data()) : .late }
    var events = Data()
    for text in texts {
      events += text.event
      sequence = text.sequence
    }
    // After the texts, because what is being said is what follows them.
    for (newest, told) in [
      (feed.notice, \SessionEvents.notice), (feed.partial, \.partial), (feed.level, \.level),
      (feed.session, \.about),
    ] where newest.count > self[keyPath: told] {
      events += newest.event
      self[keyPath: told] = newest.count
    }
    if feed.isEnded { return .end(events) }
    return events.isEmpty ? nil : .events(events)
  }
}

/// Whether a client that gets nothing is still there.
struct Keepalive {
  /// Seconds without an event after which a comment is sent.
  private static let interval = 15.0

  private let client: any HTTPClient
  private var last = ProcessInfo.processInfo.systemUptime

  /// The client is gone.
  struct Gone: Error {}

  init(_ client: any HTTPClient) { self.client = client }

  /// Something is sent.
  mutating func note(_ events: Data) -> Data {
    last = ProcessInfo.processInfo.systemUptime
    return events
  }

  /// A comment, if it is time for one.
  /// - Throws: `Gone`.
  mutating func comment() throws -> Data? {
    if client.isGone { throw Gone() }
    guard ProcessInfo.processInfo.systemUptime - last >= Self.interval else { return nil }
    return note(ServerSentEvent.comment)
  }
}
