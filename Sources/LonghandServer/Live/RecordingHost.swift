import FileSupport
import Foundation
import Longhand
import Synchronization

/// Makes the server's recordings, one at a time.
final class RecordingHost: Sendable {
  /// What the host is doing.
  enum Phase: String, Sendable { case idle, recording, paused, finishing }

  /// The recording that is being made.
  private struct Current {
    /// Nil while the recording starts.
    var session: LiveSession?
    var phase = Phase.recording
  }

  private struct State {
    var current: Current?
    /// Numbers the documents. It starts with the time, so that a later server continues with greater numbers.
    var documentNumber = Int(clamping: Date().timeIntervalSince1970 * 1000)
    var hasFailed = false
  }

  private let library: Library
  private let options: TranscriptionOptions
  private let hub: LiveHub
  private let state = Mutex(State())

  /// - Parameters:
  ///   - library: gets the recordings.
  ///   - options: how recordings are transcribed.
  init(_ library: Library, options: TranscriptionOptions, hub: LiveHub) {
    self.library = library
    self.options = options
    self.hub = hub
    publish()
  }

  /// The state of the recording, as the API sends it. A document with a greater `reading` is newer.
  var document: JSONValue {
    state.withLock { state in
      state.documentNumber += 1
      return .object([
        ("session", state.current?.session.map { .string($0.id) } ?? .null),
        ("state", .string((state.current?.phase ?? .idle).rawValue)),
        ("reading", .integer(state.documentNumber)),
      ])
    }
  }

  /// The code of the language that is spoken, without a region, such as `en`; nil if it is detected.
  var language: String? {
    options.detectsLanguage ? nil : options.locale.language.languageCode?.identifier.lowercased()
  }

  /// Whether anything is being recorded or transcribed here.
  var isBusy: Bool { state.withLock { $0.current != nil } }

  /// Whether this session is being recorded or transcribed here.
  func isMaking(_ session: String) -> Bool { state.withLock { $0.current?.session?.id == session } }

  /// Starts to record.
  /// - Parameters:
  ///   - sources: the names of sources, which are recorded at once; none for the default one.
  ///   - choice: how it is transcribed; nil for the options of the server.
  /// - Throws: `HTTPError`.
  func start(sources: [String], choice: RecognitionChoice?) throws {
    let capture = try RecordingSources.capture(named: sources)
    var options = options.expecting(library.vocabularies.words.texts)
    if let choice { options = try library.resolved(options, choice) }
    let isFree = state.withLock { state in
      guard state.current == nil else { return false }
      state.current = Current()
      return true
    }
    guard isFree else {
      throw HTTPError(.conflict, "A recording is in progress. Stop it first.", code: "is_recording")
    }
    do {
      let session = try BlockingBridge.wait { [library, options] in
        try await library.record(from: capture, options: options)
      }
      state.withLock { $0.current?.session = session }
      publish()
      Task { await follow(session) }
    } catch {
      state.withLock { $0.current = nil }
      publish()
      throw Self.startError(error)
    }
  }

  /// Pauses the recording.
  /// - Throws: `HTTPError` if there is none.
  func pause() throws { try change(from: .recording, to: .paused) { $0.pause() } }

  /// Continues the recording.
  /// - Throws: `HTTPError` if none is paused.
  func resume() throws { try change(from: .paused, to: .recording) { $0.resume() } }

  /// Ends the recording. The rest of it is still transcribed.
  /// - Throws: `HTTPError` if there is none, or if the disk does not accept its end.
  func stop() throws {
    let session = try state.withLock { state in
      guard let session = state.current?.session, state.current?.phase != .finishing else {
        throw Self.noRecording
      }
      state.current?.phase = .finishing
      return session
    }
    publish()
    do { try session.stop() } catch { throw HTTPError(error) }
  }

  /// Ends the recording, if there is one, and waits until all of it is transcribed.
  /// - Returns: whether every recording of this server was completed.
  func finish() async -> Bool {
    while state.withLock({ $0.current != nil }) {
      try? stop()
      try? await Task.sleep(for: .milliseconds(20))
    }
    return !state.withLock(\.hasFailed)
  }

  private static let noRecording = HTTPError(
    .conflict, "No recording is in progress. Start one with POST /api/recording.", code: "not_recording")

  private func change(from old: Phase, to new: Phase, _ body: (LiveSession) -> Void) throws {
    let session = try state.withLock { state in
      guard let current = state.current, let session = current.session,
        current.phase == old || current.phase == new
      else { throw Self.noRecording }
      state.current?.phase = new
      return session
    }
    body(session)
    publish()
  }

  private func publish() { hub.updateRecording(ServerSentEvent.data("recording", document)) }

  /// Sends the events of a recording to its followers, until all of it is transcribed.
  private func follow(_ session: LiveSession) async {
    var encoder = LiveEventEncoder(session)
    hub.setReported(session.id, true)
    defer { hub.setReported(session.id, false) }
    for await event in session.events {
      if case .recording(.sourceEnded) = event { state.withLock { $0.current?.phase = .finishing } }
      // Otherwise the hub would find the new segments only at its next poll.
      if event.changesStore { hub.storeChanged() }
      if case .normalized(let segment, _) = event { hub.secondTextChanged(of: segment, in: session.id) }
      let events = encoder.encode(event, now: ProcessInfo.processInfo.systemUptime)
      guard !events.isEmpty else { continue }
      hub.update(session.id) { feed in
        for event in events {
          switch event {
          case .partial(let data): feed.partial.set(data)
          case .level(let data): feed.level.set(data)
          case .notice(let data): feed.notices.add(data)
          }
        }
      }
    }
    do {
      _ = try await session.finished()
    } catch is WorkStopped {
      // A person wanted it.
    } catch {
      state.withLock { $0.hasFailed = true }
      let notice = LiveEventEncoder.notice(.error, error.explanation)
      hub.update(session.id) { $0.notices.add(notice) }
    }
    state.withLock { $0.current = nil }
    hub.storeChanged()
    publish()
  }

  /// The sources that can be recorded, and how they are recognized, as the API sends it.
  /// - Throws: `HTTPError`.
  func sources() throws -> JSONValue {
    .object(
      try RecordingSources.members() + [
        ("model", options.modelStamp.map(JSONDocument.model) ?? .null),
        ("locale", .string(options.locale.identifier(.bcp47))),
        ("vocabulary", options.languageModel.map { .string($0.stamp.name) } ?? .null),
        ("words", .integer(options.expecting(library.vocabularies.words.texts).contextualStrings.count)),
      ])
  }

  private static func startError(_ error: any Error) -> HTTPError {
    switch error {
    case TranscriptionError.unsupportedLocale(let locale):
      HTTPError(
        .badRequest,
        "The recognizer does not support the language '\(locale)'. 'longhand doctor' lists the languages.",
        parameter: "locale")
    case let error as CaptureError: HTTPError(.unavailable, error.description, code: "no_input")
    default: HTTPError(error)
    }
  }
}

extension TranscriptionOptions {
  /// The same options with more words to expect.
  func expecting(_ words: [String]) -> TranscriptionOptions {
    var options = self
    options.contextualStrings += words.filter { !contextualStrings.contains($0) }
    return options
  }
}

extension SessionEvent {
  /// Whether the store has new segments when this event comes.
  var changesStore: Bool {
    switch self {
    case .committed, .storeBack: true
    default: false
    }
  }
}

/// Runs asynchronous work from a thread of libmicrohttpd, which waits for the result.
final class BlockingBridge<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  private init() {}

  /// Never call this from a task: it blocks the thread.
  /// - Throws: the error of the work.
  static func wait(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let bridge = BlockingBridge()
    Task {
      do {
        let value = try await work()
        bridge.result.withLock { $0 = .success(value) }
      } catch {
        bridge.result.withLock { $0 = .failure(error) }
      }
      bridge.done.signal()
    }
    bridge.done.wait()
    guard let result = bridge.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
