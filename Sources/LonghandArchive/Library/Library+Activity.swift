import Foundation
import LonghandRecording
import LonghandTranscripts

/// What is being done with a session.
package struct SessionActivity: Sendable, Hashable {
  /// The state of the session now. It is `interrupted` if no process works on a session that is not complete, and none is
  /// going to.
  package var state: RecordedSession.State
  /// How much of the work is done, from 0 to 99, while a file is imported or audio is transcribed; else nil.
  package var percent: Int?
  /// Whether a process works on the session or is going to: this one or another one.
  package var isAlive: Bool

  /// Whether `recover` has something to do.
  package var needsRecovery: Bool { !isAlive && !state.isFinal && state != .stopped }
  /// Whether a person can let the work go on.
  package var canResume: Bool { needsRecovery || !isAlive && state == .stopped }
}

extension Library {
  /// Whether a process works on a session: records, imports, transcribes, recovers or erases it.
  ///
  /// The system releases the lock that shows this when the process ends, also after a crash.
  /// - Parameter session: the session's ID.
  public func isInUse(_ session: String) -> Bool { SystemDisk().isInUse(recording(of: session).audio) }

  /// What is being done with a session, from the files of its recording. A final state needs no look at them.
  package func activity(of session: RecordedSession) -> SessionActivity { now(session).activity }

  /// A session as it is now, and what is being done with it. This is the only place that finds out the state of a session.
  ///
  /// The work on a session goes through doors: it waits in a queue, then a process has the lock, then the end is in the
  /// store. A process is through each door before it leaves the one before, and this looks at them in the same order. So
  /// a session that is behind none of them is interrupted.
  /// - Parameter known: the session as the store had it.
  package func now(_ known: RecordedSession) -> (session: RecordedSession, activity: SessionActivity) {
    guard !known.state.isFinal else { return (known, SessionActivity(state: known.state, isAlive: false)) }
    let isWaiting = SessionQueue.contains(known.id, in: self)
    let isAlive = isInUse(known.id)
    if isAlive, let activity = work(on: known) { return (known, activity) }
    // The work may have ended since `known` was read.
    var session = known
    do {
      guard let stored = try stored(known.id) else {
        return (known, SessionActivity(state: .erasing, isAlive: isAlive))
      }
      session = stored
    } catch {}
    let activity =
      switch session.state {
      case .complete, .incomplete: SessionActivity(state: session.state, isAlive: false)
      case .erasing: SessionActivity(state: .erasing, isAlive: isAlive)
      case _ where isAlive: SessionActivity(state: session.state, isAlive: true)
      case _ where isWaiting: SessionActivity(state: .queued, isAlive: true)
      case .failed, .stopped: SessionActivity(state: session.state, isAlive: false)
      default: SessionActivity(state: .interrupted, isAlive: false)
      }
    return (session, activity)
  }

  /// What the process does that has the lock of a session, by its recording; nil if the store knows better.
  private func work(on session: RecordedSession) -> SessionActivity? {
    let folder = recording(of: session.id)
    guard session.state != .erasing, let manifest = try? RecordingManifest(of: folder) else { return nil }
    switch manifest.state {
    case .recording: return SessionActivity(state: .recording, isAlive: true)
    case .importing:
      let copied = (try? StoredAudio(of: folder).duration) ?? 0
      return SessionActivity(
        state: .importing, percent: Self.percent(copied, of: manifest.origin?.duration ?? 0), isAlive: true)
    case .interrupted, .incomplete, .complete:
      let spans = (try? store.coverageSpans(of: session.id)) ?? []
      let done = spans.first { $0.kind == .pending }?.start ?? spans.last?.end ?? 0
      return SessionActivity(
        state: .transcribing, percent: Self.percent(done, of: manifest.duration), isAlive: true)
    }
  }

  /// The status of a session, and what is being done with it. A final state comes with all of the transcript.
  /// - Throws: `StoreError`.
  package func status(of id: String) throws -> (status: SessionStatus, activity: SessionActivity) {
    let activity = activity(of: try store.session(matching: id))
    // After the state: what was committed before the end is in it.
    let status = try store.status(of: id)
    let isFinal = status.session.state.isFinal
    return (status, isFinal || activity.state.isFinal ? self.activity(of: status.session) : activity)
  }

  /// The sessions that `recover` continues, or whose erasure it finishes; the newest first.
  /// - Throws: `StoreError`.
  public func interruptedSessions() throws -> [RecordedSession] {
    try store.unfinishedSessions().map(now).filter(\.activity.needsRecovery).map(\.session)
  }

  private static func percent(_ done: TimeInterval, of all: TimeInterval) -> Int? {
    all > 0 ? Int(max(0, min(99, 100 * done / all))) : nil
  }
}
