import Foundation
import Longhand

/// Tells everybody who follows a session, or the list of sessions, what happens.
///
/// The store is the only source of what was said, also for sessions that other processes record: one thread asks it,
/// while anybody follows, whether something was written, reads that once and wakes all who wait.
///
/// `@unchecked Sendable`: `condition` guards everything that changes.
final class LiveHub: @unchecked Sendable {
  /// Seconds between two looks at the store.
  private static let pace = 0.01
  /// Seconds between two looks at what changes with every look, such as a session's length.
  private static let slowPace = 1.0
  /// Texts that are read at once.
  static let page = 100

  /// What concerns no session in particular.
  struct General {
    var sessions = SessionFeed.Newest()
    var recording = SessionFeed.Newest()
    var followers = 0
  }

  private let store: TranscriptStore
  private let documents: SessionDocuments
  private let version: StoreVersion
  private let condition = NSCondition()
  private var feeds: [String: SessionFeed] = [:]
  private var general = General()
  private var isStopped = false

  /// - Parameters:
  ///   - library: for this alone, so that nobody else waits for its connections.
  /// - Throws: `StoreError`.
  init(_ library: Library) throws {
    store = library.store
    documents = SessionDocuments(library)
    version = try StoreVersion(of: library.store)
    Thread.detachNewThread { [self] in watch() }
  }

  /// Ends all waiting, for good.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  // MARK: Following

  /// Begins to follow a session; `leave` ends it.
  /// - Returns: the newest text's sequence number.
  /// - Throws: `StoreError`.
  func join(_ session: String) throws -> Int {
    let standing = try store.status(of: session)
    return condition.withLock {
      var feed = feeds[session] ?? SessionFeed(after: standing.sequence)
      feed.followers += 1
      feeds[session] = feed
      condition.broadcast()
      return feed.newest
    }
  }

  func leave(_ session: String) {
    condition.withLock {
      feeds[session]?.followers -= 1
      if feeds[session]?.followers == 0 { feeds[session] = nil }
    }
  }

  /// Begins to follow everything else; `leave()` ends it.
  func join() {
    condition.withLock {
      general.followers += 1
      condition.broadcast()
    }
  }

  func leave() { condition.withLock { general.followers -= 1 } }

  /// Waits until `look` finds something, or a second has passed.
  /// - Parameter look: is given what there is of the session; called again and again, under the lock.
  /// - Returns: what it found; nil if nothing. `isStopped` if nothing will ever come.
  func wait<Found>(
    for session: String, _ look: (SessionFeed) -> Found?
  ) -> (found: Found?, isStopped: Bool) {
    wait { feeds[session].flatMap(look) }
  }

  /// As `wait(for:_:)`, for what concerns no session.
  func waitForGeneral<Found>(_ look: (General) -> Found?) -> (found: Found?, isStopped: Bool) {
    wait { look(general) }
  }

  private func wait<Found>(_ look: () -> Found?) -> (found: Found?, isStopped: Bool) {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: 1)
      while !isStopped {
        if let found = look() { return (found, false) }
        guard condition.wait(until: deadline) else { return (look(), isStopped) }
      }
      return (nil, true)
    }
  }

  /// The texts after one, for somebody who is too late for what is kept.
  /// - Throws: `StoreError`.
  func older(of session: String, after sequence: Int) throws -> [(sequence: Int, event: Data)] {
    try store.changes(of: session, after: sequence, limit: Self.page).map(Self.event)
  }

  // MARK: Telling

  /// Tells what happens to a session beside what is in the store.
  func tell(_ session: String, _ change: (inout SessionFeed) -> Void) {
    condition.withLock {
      guard var feed = feeds[session] else { return }
      change(&feed)
      feeds[session] = feed
      condition.broadcast()
    }
  }

  /// Tells what the server records.
  func tellRecording(_ event: Data) {
    condition.withLock {
      general.recording.set(event)
      condition.broadcast()
    }
  }

  // MARK: The store

  private struct Watched {
    var version: Int?
    /// When the slow things were looked at.
    var slow: TimeInterval = 0
    /// Whether something was written since then.
    var isStale = false
    var sessions: [RecordedSession] = []
  }

  private func watch() {
    var watched = Watched()
    while true {
      let wanted: (feeds: [String: SessionStatus?], general: Bool)? = condition.withLock {
        while !isStopped, feeds.isEmpty, general.followers == 0 {
          // Whoever comes next has not seen what changes meanwhile.
          watched = Watched()
          condition.wait()
        }
        return isStopped ? nil : (feeds.mapValues(\.standing), general.followers > 0)
      }
      guard let wanted else { return }
      look(at: wanted.feeds, general: wanted.general, &watched)
      Thread.sleep(forTimeInterval: Self.pace)
    }
  }

  private func look(at feeds: [String: SessionStatus?], general: Bool, _ watched: inout Watched) {
    // Asked before anything is read: what is written meanwhile is then seen the next time.
    let now = ProcessInfo.processInfo.systemUptime
    let version = try? version.current()
    let isChanged = version != watched.version
    watched.version = version
    if isChanged { watched.isStale = true }
    let isSlow = watched.isStale && now - watched.slow >= Self.slowPace
    for (session, standing) in feeds {
      if isChanged || standing == nil { readTexts(of: session) }
      if isSlow || standing == nil { readStanding(of: session, unless: standing) }
    }
    guard isSlow else { return }
    watched.slow = now
    watched.isStale = false
    guard general, let list = try? store.sessions(limit: .max), list != watched.sessions else { return }
    watched.sessions = list
    condition.withLock {
      self.general.sessions.set(ServerSentEvent.data("sessions", "{}"))
      condition.broadcast()
    }
  }

  private func readTexts(of session: String) {
    while true {
      guard let newest = condition.withLock({ feeds[session]?.newest }) else { return }
      do {
        let changes = try store.changes(of: session, after: newest, limit: Self.page)
        guard !changes.isEmpty else { return }
        let events = changes.map(Self.event)
        tell(session) { feed in
          for (sequence, event) in events { feed.add(event, sequence: sequence) }
        }
      } catch {
        return endIfGone(session, error)
      }
    }
  }

  private func readStanding(of session: String, unless told: SessionStatus?) {
    do {
      let standing = try store.status(of: session)
      guard standing != told else { return }
      let event = ServerSentEvent.data("session", try documents.change(standing))
      // What was said before it was complete comes before the end.
      if standing.session.state == .complete { readTexts(of: session) }
      tell(session) { feed in
        feed.standing = standing
        feed.session.set(event)
        if standing.session.state == .complete { feed.isEnded = true }
      }
    } catch {
      endIfGone(session, error)
    }
  }

  private func endIfGone(_ session: String, _ error: any Error) {
    guard let error = error as? StoreError, case .noSession = error.problem else { return }
    tell(session) { ($0.isGone, $0.isEnded) = (true, true) }
  }

  private static func event(_ change: SegmentChange) -> (sequence: Int, event: Data) {
    let segment = JSONDocument().segment(change.segment)
    return (change.sequence, ServerSentEvent.data("segment", segment, id: change.sequence))
  }
}
