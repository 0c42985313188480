import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscripts
import Synchronization

/// A person stopped the work on a session. What was transcribed is in the library.
public struct WorkStopped: Error, Sendable, Hashable, CustomStringConvertible {
  /// The ID of the session.
  public let session: String
  /// What happened, for a reader.
  public var description: String { "the work on the session \(session.prefix(8)) was stopped" }
}

/// What people want to stop, in a folder of the library with an empty file for each session. The process that works on the
/// session, or is going to, sees it and removes it when it has stopped.
package struct StopRequests: Sendable {
  /// How often a process looks for them. A stopped work must free its processor within a second.
  package static let interval = Duration.milliseconds(100)
  /// In place of a session, for the watched folder.
  package static let watching = "watching"

  /// Seconds after which nobody waits for a request any more: its process was killed.
  private static let lifetime = 60.0

  private let url: URL

  init(_ url: URL) { self.url = url }

  /// The IDs of the sessions.
  package var all: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter(contains)
  }

  package func contains(_ session: String) -> Bool {
    // Most of the time there is none.
    guard isOpen(session) else { return false }
    let path = file(of: session).path
    let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    return date.map { -$0.timeIntervalSinceNow < Self.lifetime } ?? false
  }

  /// Whether nobody has done what is wanted yet.
  func isOpen(_ session: String) -> Bool { access(file(of: session).path, F_OK) == 0 }

  func add(_ session: String) throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data().write(to: file(of: session))
  }

  /// - Returns: whether there was one.
  @discardableResult package func remove(_ session: String) -> Bool { unlink(file(of: session).path) == 0 }

  private func file(of session: String) -> URL { url.appendingPathComponent(session) }
}

extension Library {
  /// How often a process looks whether the work has stopped: until it gives up, and until it is certain that no server is
  /// going to do a pending work. Looks are counted and not time, which passes on a busy machine without anyone's having run.
  private static let (looks, looksForServers) = (1000, 100)
  private static let intervalOfLooks = Duration.milliseconds(20)

  /// Stops what is being done with a session, or waits to be done, by this process or another one. What was transcribed is
  /// kept with its coverage, and `recover(session:)` continues it. A new transcription of a complete session, a translation and
  /// a separation of voices leave it as it was. A recording ends, and the rest of it is still transcribed, unless this is
  /// called again.
  /// - Parameter id: the session's ID.
  /// - Returns: whether there was anything to stop. It has stopped then.
  /// - Throws: `StoreError`, `RecordingError.inUse` if the process does not stop, `CancellationError`, an error of Foundation
  ///   if the library cannot be written.
  @discardableResult public func stop(_ id: String) async throws -> Bool {
    let session = try store.session(matching: id).id
    guard isWorkedOn(session) else { return false }
    try stopRequests.add(session)
    defer { stopRequests.remove(session) }
    var look = 0
    while stopRequests.isOpen(session), isWorkedOn(session) {
      look += 1
      if look > Self.looksForServers, pendingWork.contains(session), !isInUse(session) {
        pendingWork.set(nil, on: session)
      } else if look > Self.looks {
        throw RecordingError.inUse(path: recording(of: session).audio.path)
      }
      try await Task.sleep(for: Self.intervalOfLooks)
    }
    return true
  }

  /// Stops what is being done with a session, and erases its audio and its transcript.
  /// - Throws: as `stop(_:)` and `erase(_:force:)`.
  public func stopAndErase(_ id: String) async throws {
    try await stopAll(id)
    try erase(id)
  }

  /// Stops what is done with a session, also the transcription of the rest of a recording.
  package func stopAll(_ id: String) async throws {
    for _ in 0..<3 {
      guard try await stop(id) else { return }
    }
  }

  /// Stops importing the files that arrive in a folder, also in a server that runs.
  /// - Returns: whether a folder was watched.
  /// - Throws: `RecordingError`, `CancellationError`, an error of Foundation if the library cannot be written.
  package func stopWatching() async throws -> Bool {
    try stopRequests.add(StopRequests.watching)
    defer { stopRequests.remove(StopRequests.watching) }
    for _ in 0..<50 {
      guard stopRequests.isOpen(StopRequests.watching) else { return true }
      try await Task.sleep(for: .milliseconds(100))
    }
    var watched = WatchedFiles(of: self)
    guard watched.folder != nil else { return false }
    watched.folder = nil
    try watched.save(in: self)
    return true
  }

  /// The sessions with which something is done, or going to be done, the newest first.
  /// - Throws: `StoreError`.
  package func sessionsWorkedOn() throws -> [(session: RecordedSession, activity: SessionActivity)] {
    try store.sessions(limit: .max).map(now).filter { session, activity in
      activity.isAlive || isInUse(session.id) || pendingWork.contains(session.id)
    }
  }

  /// Whether anything is done with a session, or going to be done.
  package func isWorkedOn(_ session: String) -> Bool {
    guard let stored = try? stored(session) else { return false }
    return activity(of: stored).isAlive || isInUse(session) || pendingWork.contains(session)
  }

  /// The state of a session whose work was cancelled.
  func endOfCancelled(_ session: String) -> RecordedSession.State {
    stopRequests.contains(session) ? .stopped : .interrupted
  }

  /// Does work on a session, which is cancelled as soon as a person wants to stop it.
  /// - Throws: `WorkStopped` then, else what `work` throws.
  func stoppable<Result: Sendable>(
    _ session: String, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let isStopped = Atomic(false)
    defer { stopRequests.remove(session) }
    do {
      return try await Task { try await work() }.value(lookingEvery: StopRequests.interval) {
        [stopRequests] in
        let isRequested = stopRequests.contains(session)
        if isRequested { isStopped.store(true, ordering: .sequentiallyConsistent) }
        return isRequested
      }
    } catch {
      if isStopped.load(ordering: .sequentiallyConsistent) { throw WorkStopped(session: session) }
      throw error
    }
  }
}
