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
  package var needsRecovery: Bool { !isAlive && !state.isFinal }
}

extension Library {
  /// Whether a process works on a session: records, imports, transcribes, recovers or erases it.
  ///
  /// The system releases the lock that shows this when the process ends, also after a crash.
  /// - Parameter session: the session's ID.
  public func isInUse(_ session: String) -> Bool { SystemDisk().isInUse(recording(of: session).audio) }

  /// What is being done with a session, from the files of its recording. A final state needs no look at them.
  package func activity(of session: RecordedSession) -> SessionActivity {
    guard !session.state.isFinal else { return SessionActivity(state: session.state, isAlive: false) }
    let folder = recording(of: session.id)
    let isAlive = isInUse(session.id)
    switch session.state {
    case .erasing: return SessionActivity(state: .erasing, isAlive: isAlive)
    case _ where !isAlive && SessionQueue.contains(session.id, in: self):
      return SessionActivity(state: .queued, isAlive: true)
    case .failed where !isAlive: return SessionActivity(state: .failed, isAlive: false)
    case _ where !isAlive: return SessionActivity(state: .interrupted, isAlive: false)
    default: break
    }
    guard let manifest = try? RecordingManifest(of: folder) else {
      return SessionActivity(state: session.state, isAlive: true)
    }
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

  /// The sessions that `recover` continues, or whose erasure it finishes; the newest first.
  /// - Throws: `StoreError`.
  public func interruptedSessions() throws -> [RecordedSession] {
    try store.unfinishedSessions().filter { activity(of: $0).needsRecovery }
  }

  private static func percent(_ done: TimeInterval, of all: TimeInterval) -> Int? {
    all > 0 ? Int(max(0, min(99, 100 * done / all))) : nil
  }
}
