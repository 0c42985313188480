import Foundation
import Longhand

/// Sends what happens to sessions to the clients that follow them.
///
/// The store is the only source of segments, also for sessions that other processes record. While a client follows
/// anything, one thread reads the changes once and wakes all clients: immediately after `storeChanged()`, which reports
/// a change of this process, and every `pollInterval` for changes of other processes, or sooner while a client follows a
/// session that another process may be transcribing.
///
/// `@unchecked Sendable`: `condition` guards everything that changes. It is an `NSCondition` and not a `Mutex`, because
/// libmicrohttpd's threads wait for events with a deadline.
final class LiveHub: @unchecked Sendable {
  /// Seconds between two updates of values that change all the time, such as the length of a recording.
  private static let statusInterval = 1.0
  /// The most seconds between two looks for changes of other processes while a client follows a session that grows.
  private static let followInterval = 0.05
  /// Segments that are read at a time.
  static let pageSize = 100

  /// Events that belong to no single session.
  struct LibraryFeed {
    var sessions = SessionListFeed()
    var recording = SessionFeed.Newest()
    var followers = 0
  }

  private let library: Library
  private let store: TranscriptStore
  private let documents: SessionDocuments
  private let segments: SegmentEvents
  private let version: StoreVersion
  private let pollInterval: TimeInterval
  private let condition = NSCondition()
  private var feeds: [String: SessionFeed] = [:]
  private var libraryFeed = LibraryFeed()
  /// Sessions that this process records: it reports each change.
  private var reported: Set<String> = []
  /// Whether the store must be read without waiting for the next poll.
  private var isReadDue = false
  private var isStopped = false

  /// - Parameters:
  ///   - library: the library whose changes it sends.
  ///   - waiting: the sessions that wait for their turn.
  ///   - pollInterval: seconds between two looks for changes of other processes.
  /// - Throws: `StoreError`.
  init(
    _ library: Library, waiting: WaitingSessions = WaitingSessions(), pollInterval: TimeInterval = 0.25
  ) throws {
    self.library = library
    store = library.store
    segments = SegmentEvents(store: library.store)
    documents = SessionDocuments(library, waiting: waiting)
    version = try StoreVersion(of: library.store)
    self.pollInterval = pollInterval
    // A thread and not a task: it waits for the condition that libmicrohttpd's threads also use.
    Thread.detachNewThread { [self] in watch() }
  }

  /// Ends all waiting, for good.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  /// Whether the server stops.
  var isEnding: Bool { condition.withLock { isStopped } }

  /// Reads the store now. Call this after every change that this process has committed.
  func storeChanged() {
    condition.withLock {
      isReadDue = true
      condition.broadcast()
    }
  }

  /// Begins or ends that this process calls `storeChanged()` after every change of a session. Its followers need no frequent
  /// looks then.
  func setReported(_ session: String, _ isReported: Bool) {
    condition.withLock { reported = isReported ? reported.union([session]) : reported.subtracting([session]) }
  }

  /// Seconds between two looks for changes of other processes.
  static func interval(
    followed: some Sequence<String>, own: Set<String>, pollInterval: TimeInterval
  ) -> TimeInterval {
    followed.allSatisfy(own.contains) ? pollInterval : min(pollInterval, followInterval)
  }

  // MARK: Followers

  /// Starts to follow a session; `leave(_:)` ends it.
  /// - Returns: what there is of the session before the client.
  /// - Throws: `StoreError`.
  func join(_ session: String) throws -> SessionFeed {
    let status = try store.status(of: session)
    return condition.withLock {
      var feed = feeds[session] ?? SessionFeed(after: status.sequence)
      feed.followers += 1
      // The client has read the session already. What is known of it here may be older, and must not be sent after that.
      feed.joins += 1
      feed.report = nil
      feeds[session] = feed
      isReadDue = true
      condition.broadcast()
      return feed
    }
  }

  func leave(_ session: String) {
    condition.withLock {
      feeds[session]?.followers -= 1
      if feeds[session]?.followers == 0 { feeds[session] = nil }
    }
  }

  /// Starts to follow the list of sessions and the recording; `leave()` ends it.
  func join() {
    condition.withLock {
      libraryFeed.followers += 1
      isReadDue = true
      condition.broadcast()
    }
  }

  func leave() { condition.withLock { libraryFeed.followers -= 1 } }

  /// Waits until `find` returns a value, for at most a second.
  /// - Parameter find: called after every event, under the lock.
  /// - Returns: the value, if there is one, and whether the hub has stopped.
  func wait<Found>(
    for session: String, _ find: (SessionFeed) -> Found?
  ) -> (found: Found?, isStopped: Bool) {
    wait { feeds[session].flatMap(find) }
  }

  /// As `wait(for:_:)`, for the list of sessions and the recording.
  func waitForLibrary<Found>(_ find: (LibraryFeed) -> Found?) -> (found: Found?, isStopped: Bool) {
    wait { find(libraryFeed) }
  }

  private func wait<Found>(_ find: () -> Found?) -> (found: Found?, isStopped: Bool) {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: 1)
      while !isStopped {
        if let found = find() { return (found, false) }
        guard condition.wait(until: deadline) else { return (find(), isStopped) }
      }
      return (nil, true)
    }
  }

  /// Segments after a sequence number, for a client that is too far behind for the feed.
  /// - Throws: `StoreError`.
  func older(of session: String, after sequence: Int) throws -> [(sequence: Int, event: Data)] {
    try segments.events(store.changes(of: session, after: sequence, limit: Self.pageSize), of: session)
  }

  // MARK: Events that are not in the store

  /// Changes the feed of a session, if a client follows it, and wakes its followers.
  func update(_ session: String, _ change: (inout SessionFeed) -> Void) {
    condition.withLock {
      guard var feed = feeds[session] else { return }
      change(&feed)
      feeds[session] = feed
      condition.broadcast()
    }
  }

  /// Sends a segment again whose second text has changed in the store.
  func secondTextChanged(of segment: Int, in session: String) {
    guard condition.withLock({ feeds[session] != nil }),
      let event = try? segments.written(segment, of: session)
    else {
      return
    }
    update(session) { $0.secondTexts.add(event) }
  }

  /// Reports the state of the server's recording.
  func updateRecording(_ event: Data) {
    condition.withLock {
      libraryFeed.recording.set(event)
      condition.broadcast()
    }
  }

  // MARK: The store

  /// What the watching thread knows from its last look at the store.
  private struct Watched {
    var version: Int?
    /// The version at the last look at values that change all the time.
    var statusVersion: Int?
    /// The time of the last look, and of the last look at values that change all the time.
    var lastLook: TimeInterval = 0
    var lastStatus: TimeInterval = 0
    /// Whether the store changed after `lastStatus`.
    var isStale = false
    var sessions: [RecordedSession] = []
    /// What clients know.
    var rows: [SessionListFeed.Row] = []
  }

  private func watch() {
    var watched = Watched()
    while let followed = waitForLook(&watched) {
      look(at: followed.feeds, library: followed.library, &watched)
    }
  }

  /// Waits until the store must be looked at.
  /// - Returns: what clients follow; nil after `stop()`.
  private func waitForLook(_ watched: inout Watched) -> (feeds: [String: SessionFeed], library: Bool)? {
    condition.withLock {
      while !isStopped {
        let growing = feeds.filter { $0.value.state == .open }.keys
        let interval = Self.interval(followed: growing, own: reported, pollInterval: pollInterval)
        let next = watched.lastLook + interval - ProcessInfo.processInfo.systemUptime
        if feeds.isEmpty, libraryFeed.followers == 0 {
          // The next follower must also get what changes until then.
          watched = Watched()
          condition.wait()
        } else if isReadDue || next <= 0 {
          isReadDue = false
          return (feeds, libraryFeed.followers > 0)
        } else {
          _ = condition.wait(until: Date(timeIntervalSinceNow: next))
        }
      }
      return nil
    }
  }

  private func look(at feeds: [String: SessionFeed], library: Bool, _ watched: inout Watched) {
    // The version is read first: a change during this look has another version, and is seen by the next look.
    let now = ProcessInfo.processInfo.systemUptime
    watched.lastLook = now
    let version = try? version.current()
    let isChanged = version != watched.version
    watched.version = version
    if isChanged { watched.isStale = true }
    // A process that works on a session can end without a change of the store.
    let isStatusDue = now - watched.lastStatus >= Self.statusInterval
    let isStatusStale = version != watched.statusVersion
    for (session, feed) in feeds {
      let report = feed.report
      let hasSegments = isChanged || report == nil ? readSegments(of: session) : false
      let isComplete = report?.status.session.state.isFinal == true
      if report == nil || (isComplete ? hasSegments || isStatusDue && isStatusStale : isStatusDue) {
        readStatus(of: session, for: feed)
      }
    }
    guard isStatusDue else { return }
    watched.lastStatus = now
    watched.statusVersion = version
    guard library, let list = watched.isStale ? try? store.sessions(limit: .max) : watched.sessions else {
      return
    }
    watched.isStale = false
    watched.sessions = list
    let waiting = documents.waiting.all
    let rows = list.map { known in
      let (session, activity) = self.library.now(known)
      return SessionListFeed.Row(
        session: session, activity: session.state.isFinal ? nil : activity,
        position: waiting.firstIndex(of: session.id), work: documents.waiting.work(on: session.id))
    }
    guard rows != watched.rows else { return }
    condition.withLock {
      libraryFeed.sessions.note(watched.rows, rows)
      condition.broadcast()
    }
    watched.rows = rows
  }

  /// Whether there are new ones.
  @discardableResult private func readSegments(of session: String) -> Bool {
    var hasAny = false
    while true {
      guard let newest = condition.withLock({ feeds[session]?.newest }) else { return hasAny }
      do {
        let changes = try store.changes(of: session, after: newest, limit: Self.pageSize)
        guard !changes.isEmpty else { return hasAny }
        hasAny = true
        let events = try segments.events(changes, of: session)
        update(session) { feed in
          for (sequence, event) in events { feed.add(event, sequence: sequence) }
        }
      } catch {
        endIfDeleted(session, error)
        return hasAny
      }
    }
  }

  private func readStatus(of session: String, for known: SessionFeed) {
    do {
      let reported = known.report
      let (status, activity) = try library.status(of: session)
      let report = SessionFeed.Report(
        status: status, speakers: try store.speakersRevision(of: session), activity: activity,
        position: documents.waiting.all.firstIndex(of: session))
      guard report != reported else { return }
      let isFinal = status.session.state.isFinal
      var event = ServerSentEvent.data("session", try documents.change(status, activity))
      if isFinal, reported?.status.session.state.isFinal != true, let last = try segments.last(of: session) {
        event = last + event
      }
      // The last segments come before the end.
      if isFinal { readSegments(of: session) }
      update(session) { feed in
        // A client that came meanwhile may have read more than this.
        guard feed.joins == known.joins else { return }
        feed.report = report
        feed.session.set(event)
        feed.state = isFinal ? .complete : .open
      }
    } catch {
      endIfDeleted(session, error)
    }
  }

  private func endIfDeleted(_ session: String, _ error: any Error) {
    guard let error = error as? StoreError, case .noSession = error.problem else { return }
    update(session) { $0.state = .deleted }
  }
}
