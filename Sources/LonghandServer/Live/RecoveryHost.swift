import Foundation
import Longhand
import Synchronization

/// Continues sessions, one after the other: imports that were begun here, and interrupted sessions on request.
final class RecoveryHost: Sendable {
  private struct State {
    var waiting: [String] = []
    var current: String?
    var worker: Task<Void, Never>?
  }

  private let library: Library
  private let options: TranscriptionOptions
  private let hub: LiveHub
  private let waiting: WaitingSessions
  private let state = Mutex(State())

  /// - Parameters:
  ///   - library: has the sessions.
  ///   - options: how sessions are transcribed. The language and the engine are those of each session.
  ///   - waiting: gets the sessions that wait for their turn.
  init(_ library: Library, options: TranscriptionOptions, hub: LiveHub, waiting: WaitingSessions) {
    self.library = library
    self.options = options
    self.hub = hub
    self.waiting = waiting
  }

  /// Whether a session is being continued.
  var isBusy: Bool { state.withLock { $0.worker != nil } }

  /// Continues a session as soon as those before it are done, unless this is already to be done. When this returns,
  /// `Library.activity(of:)` may not show it yet.
  func resume(_ session: String) {
    state.withLock { state in
      guard state.current != session, !state.waiting.contains(session) else { return }
      state.waiting.append(session)
      waiting.set(state.waiting)
      guard state.worker == nil else { return }
      state.worker = Task { [self] in
        while let next = next() { await recover(next) }
      }
    }
    hub.storeChanged()
  }

  /// Takes a session out of those that wait, because it is deleted.
  func forget(_ session: String) {
    state.withLock { state in
      state.waiting.removeAll { $0 == session }
      waiting.set(state.waiting)
    }
  }

  private func next() -> String? {
    state.withLock { state in
      state.current = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      if state.current == nil { state.worker = nil }
      waiting.set(state.waiting)
      return state.current
    }
  }

  /// Interrupts all work, and waits for its end. It can be resumed.
  func stop() async {
    let worker = state.withLock { state in
      state.waiting = []
      waiting.set([])
      return state.worker
    }
    worker?.cancel()
    await worker?.value
  }

  private func recover(_ session: String) async {
    let outcome = try? await library.recover(
      session: session, by: FileTranscriber(options: options.expecting(library.words.texts)))
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
    hub.update(session) { $0.notices.add(notice) }
  }
}
