import Foundation
import Longhand
import Synchronization

/// Continues interrupted sessions on request, each one at most once at a time.
final class RecoveryHost: Sendable {
  private let library: Library
  private let options: TranscriptionOptions
  private let hub: LiveHub
  private let tasks = Mutex<[String: Task<Void, Never>]>([:])

  /// - Parameters:
  ///   - library: used by this object only, so that no reader delays the transcription.
  ///   - options: how sessions are transcribed. The language and the engine are those of each session.
  init(_ library: Library, options: TranscriptionOptions, hub: LiveHub) {
    self.library = library
    self.options = options
    self.hub = hub
  }

  /// Begins to continue a session, unless this is being done. When this returns, `Library.activity(of:)` may not show it
  /// yet.
  func resume(_ session: String) {
    tasks.withLock { tasks in
      guard tasks[session] == nil else { return }
      tasks[session] = Task { [self] in
        await recover(session)
        self.tasks.withLock { $0[session] = nil }
      }
    }
  }

  /// Interrupts all work, and waits for its end. It can be resumed.
  func stop() async {
    for task in tasks.withLock({ Array($0.values) }) {
      task.cancel()
      await task.value
    }
  }

  private func recover(_ session: String) async {
    let outcome = try? await library.recover(session: session, by: FileTranscriber(options: options))
    switch outcome {
    case .failed(_, let reason): report(.error, "The session cannot be continued: \(reason)", to: session)
    case .incomplete(_, let loss): report(.warning, "A part of the session is missing: \(loss)", to: session)
    case .inUse: report(.warning, "Another program is working on this session.", to: session)
    case .complete, .erased, nil: break
    }
    hub.storeChanged()
  }

  private func report(_ severity: LiveEventEncoder.Severity, _ text: String, to session: String) {
    let notice = LiveEventEncoder.notice(severity, text)
    hub.update(session) { $0.notice.set(notice) }
  }
}
