import FileSupport
import Foundation
import Longhand
import Synchronization

/// Continues sessions, one after the other: imports that were begun here, and interrupted sessions on request. It also
/// transcribes complete sessions again, and separates their voices.
final class RecoveryHost: Sendable {
  /// What is done with a session.
  enum Job {
    case recovery
    /// With the options of the server that the person has chosen for it.
    case transcription(TranscriptionOptions)
    case speakers(VoiceCount)
    case translation

    fileprivate var work: WaitingSessions.Work? { request.map(WaitingSessions.Work.init) }

    /// What a later server does if this one ends.
    fileprivate var request: PendingWork.Request? {
      switch self {
      case .recovery: nil
      case .transcription(let options): .transcription(options.choice ?? RecognitionChoice())
      case .speakers(let count): .speakers(count)
      case .translation: .translation
      }
    }
  }

  private struct State {
    var waiting: [(session: String, job: Job)] = []
    var current: String?
    var worker: Task<Void, Never>?
  }

  private let library: Library
  let options: TranscriptionOptions
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
  func resume(_ session: String) { _ = add(.recovery, session) }

  /// Does what an earlier server was asked for. It blocks the thread.
  func resumeWork() {
    for (id, request) in library.pendingWork.all {
      do {
        let session = try library.store.session(matching: id)
        switch request {
        case .speakers(let count): _ = add(.speakers(count), id)
        case .translation: _ = add(.translation, id)
        case .transcription(let choice): _ = add(try transcription(of: session, choice), id)
        }
      } catch {
        // The vocabulary or the model is gone.
        library.pendingWork.set(nil, on: id)
        var work = WaitingSessions.Work(request)
        (work.state, work.failure) = (.failed, error.explanation)
        waiting.set(work, on: id)
      }
    }
  }

  /// A new transcription of a complete session, in its language unless another one is chosen. It blocks the thread.
  /// - Throws: `HTTPError`.
  func transcription(of session: RecordedSession, _ choice: RecognitionChoice) throws -> Job {
    var options = options
    if choice.locale == nil { options.locale = library.locale(of: session, options) }
    return .transcription(try library.resolved(options, choice))
  }

  /// Does something with a session as soon as those before it are done.
  /// - Returns: whether nothing is done with it yet, or to be done.
  func add(_ job: Job, _ session: String) -> Bool {
    let isNew = state.withLock { state in
      guard state.current != session, !state.waiting.contains(where: { $0.session == session }) else {
        return false
      }
      state.waiting.append((session, job))
      if let work = job.work {
        waiting.set(work, on: session)
        library.pendingWork.set(job.request, on: session)
      }
      publish(state)
      guard state.worker == nil else { return true }
      state.worker = Task { [self] in
        while let next = next() { await perform(next.job, next.session) }
      }
      return true
    }
    hub.storeChanged()
    return isNew
  }

  /// Only what is not complete counts as waiting.
  private func publish(_ state: State) {
    waiting.set(state.waiting.filter { $0.job.work == nil }.map(\.session))
  }

  /// Takes a session out of those that wait, because it is deleted.
  func forget(_ session: String) {
    state.withLock { state in
      state.waiting.removeAll { $0.session == session }
      waiting.set(nil, on: session)
      library.pendingWork.set(nil, on: session)
      publish(state)
    }
  }

  private func next() -> (session: String, job: Job)? {
    state.withLock { state in
      let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      state.current = next?.session
      if next == nil { state.worker = nil }
      publish(state)
      return next
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

  private func perform(_ job: Job, _ session: String) async {
    guard var work = waiting.work(on: session), job.work != nil else { return await recover(session) }
    work.state = .running
    waiting.set(work, on: session)
    func show(_ progress: FileTranscriber.Progress) {
      work.percent = Int(clamping: 100 * progress.processed / max(progress.duration, 0.001))
      waiting.set(work, on: session)
    }
    do {
      switch job {
      case .recovery: break
      case .transcription(let options):
        try await library.retranscribe(
          session, by: FileTranscriber(options: options.expecting(library.words.texts)), progress: show)
      case .translation: try await library.translate(session, by: options, progress: show)
      case .speakers(let count):
        try await library.separateVoices(in: session, count, remembered: options.rememberedVoices)
      }
      work.state = .done
    } catch {
      // The next server does it.
      if error is CancellationError { return }
      (work.state, work.failure) = (.failed, error.explanation)
    }
    library.pendingWork.set(nil, on: session)
    waiting.set(work, on: session)
    hub.storeChanged()
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
