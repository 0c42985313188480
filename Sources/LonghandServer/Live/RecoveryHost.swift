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
    /// Sessions that are about to be added.
    var reserved: Set<String> = []
    var current: String?
    /// Whether readers see by its lock that `current` is worked on, so that it no longer waits for them.
    var hasBegun = false
    var worker: Task<Void, Never>?
    /// Looks for what people want to stop.
    var watch: Task<Void, any Error>?
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

  /// Continues a session as soon as those before it are done, unless this is already to be done.
  func resume(_ session: String) { _ = add(.recovery, session) }

  /// A session that comes into the library is waiting from the start, so that it never seems to be interrupted. `release`
  /// ends this.
  func reserve(_ session: String) {
    state.withLock { state in
      state.reserved.insert(session)
      publish(state)
    }
  }

  func release(_ session: String) {
    state.withLock { state in
      guard state.reserved.remove(session) != nil else { return }
      publish(state)
    }
  }

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
      state.reserved.remove(session)
      if let work = job.work {
        waiting.set(work, on: session)
        library.pendingWork.set(job.request, on: session)
      }
      publish(state)
      guard state.worker == nil else { return true }
      state.worker = Task { [self] in
        while let next = next() { await perform(next.job, next.session) }
      }
      state.watch = Task { [self] in
        while true {
          try await Task.sleep(for: StopRequests.interval)
          for session in library.stopRequests.all { stopWaiting(session) }
        }
      }
      return true
    }
    hub.storeChanged()
    return isNew
  }

  /// Only what is not complete counts as waiting.
  private func publish(_ state: State) {
    let next = state.waiting.filter { $0.job.work == nil }.map(\.session)
    waiting.set(
      (state.hasBegun ? [] : [state.current].compactMap(\.self)) + next + state.reserved.sorted(),
      order: state.waiting.map(\.session))
  }

  /// Takes a session out of those that wait.
  func forget(_ session: String) {
    state.withLock { state in
      remove(session, from: &state)
      publish(state)
    }
  }

  private func remove(_ session: String, from state: inout State) {
    state.waiting.removeAll { $0.session == session }
    state.reserved.remove(session)
    waiting.set(nil, on: session)
    library.pendingWork.set(nil, on: session)
  }

  /// Stops a session that waits, because a person wants it. The work on the one whose turn it is stops by itself.
  private func stopWaiting(_ session: String) {
    let isStopped = state.withLock { state in
      guard state.waiting.contains(where: { $0.session == session }) else { return false }
      remove(session, from: &state)
      // Before it no longer waits: otherwise it would seem to be interrupted until then.
      if var stored = try? library.store.session(matching: session), !stored.state.isFinal {
        stored.state = .stopped
        try? library.store.update(stored)
      }
      publish(state)
      library.stopRequests.remove(session)
      return true
    }
    if isStopped { hub.storeChanged() }
  }

  /// Where a session goes among those that wait.
  enum Move: String, Decodable { case first, up, down, last }

  /// Changes the order in which sessions wait.
  /// - Returns: the order; nil if the session does not wait.
  func move(_ session: String, _ move: Move) -> [String]? {
    let order = state.withLock { state -> [String]? in
      guard let index = state.waiting.firstIndex(where: { $0.session == session }) else { return nil }
      let one = state.waiting.remove(at: index)
      let last = state.waiting.count
      let place =
        switch move {
        case .first: 0
        case .up: max(0, index - 1)
        case .down: min(last, index + 1)
        case .last: last
        }
      state.waiting.insert(one, at: place)
      publish(state)
      return state.waiting.map(\.session)
    }
    hub.storeChanged()
    return order
  }

  private func next() -> (session: String, job: Job)? {
    state.withLock { state in
      let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      state.current = next?.session
      // A complete session does not wait for readers.
      state.hasBegun = next?.job.work != nil
      if next == nil {
        state.worker = nil
        state.watch?.cancel()
      }
      publish(state)
      return next
    }
  }

  /// Interrupts all work, and waits for its end. It can be resumed.
  func stop() async {
    let worker = state.withLock { state in
      state.waiting = []
      state.watch?.cancel()
      publish(state)
      return state.worker
    }
    worker?.cancel()
    await worker?.value
  }

  private func perform(_ job: Job, _ session: String) async {
    guard var work = waiting.work(on: session), job.work != nil else { return await recover(session) }
    work.state = .running
    waiting.set(work, on: session)
    let show = { @Sendable [waiting, running = work] (progress: FileTranscriber.Progress) in
      var work = running
      work.percent = Int(clamping: 100 * progress.processed / max(progress.duration, 0.001))
      waiting.set(work, on: session)
    }
    do {
      switch job {
      case .recovery: break
      case .transcription(let options):
        try await library.retranscribe(
          session, by: FileTranscriber(options: options.expecting(library.vocabularies.words.texts)),
          progress: show)
      case .translation: try await library.translate(session, by: options, progress: show)
      case .speakers(let count):
        try await library.separateVoices(in: session, count, remembered: options.rememberedVoices)
      }
      (work.state, work.percent) = (.done, waiting.work(on: session)?.percent)
    } catch is WorkStopped {
      waiting.set(nil, on: session)
      library.pendingWork.set(nil, on: session)
      return hub.storeChanged()
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
      session: session, by: FileTranscriber(options: options.expecting(library.vocabularies.words.texts))
    ) { [self] in
      state.withLock { state in
        state.hasBegun = true
        publish(state)
      }
    }
    switch outcome {
    case .failed(_, let reason): report(.error, "The session cannot be continued: \(reason)", to: session)
    case .incomplete(_, let loss): report(.warning, "A part of the session is missing: \(loss)", to: session)
    case .inUse: report(.warning, "Another program is working on this session.", to: session)
    case .complete, .erased, .stopped, nil: break
    }
    hub.storeChanged()
  }

  private func report(_ severity: LiveEventEncoder.Severity, _ text: String, to session: String) {
    let notice = LiveEventEncoder.notice(severity, text)
    hub.update(session) { $0.notices.add(notice) }
  }
}
