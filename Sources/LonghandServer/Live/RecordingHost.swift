import FileSupport
import Foundation
import Longhand
import Synchronization

/// Makes the server's recordings, one at a time.
final class RecordingHost: Sendable {
  /// What the host is doing.
  enum Phase: String, Sendable { case idle, recording, paused, disconnected, finishing }

  /// The recording that is being made.
  private struct Current {
    /// The browser whose microphone is recorded; nil for devices of the server.
    let browser: BrowserCapture?
    /// Nil while the recording starts.
    var session: LiveSession?
    /// What was asked for.
    var wanted = Phase.recording

    var phase: Phase { wanted == .recording && browser?.isDisconnected == true ? .disconnected : wanted }
  }

  private struct State {
    var current: Current?
    /// Numbers the documents. It starts with the time, so that a later server continues with greater numbers.
    var documentNumber = Int(clamping: Date().timeIntervalSince1970 * 1000)
    var hasFailed = false
    /// The stream of the last browser whose recording was stopped.
    var stopped: String?
  }

  private let library: Library
  private let options: TranscriptionOptions
  private let hub: LiveHub
  private let freeBytes: @Sendable () -> Int64?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - library: gets the recordings.
  ///   - options: how recordings are transcribed.
  ///   - freeBytes: the free space on the disk of the library; nil if it is unknown.
  init(
    _ library: Library, options: TranscriptionOptions, hub: LiveHub,
    freeBytes: (@Sendable () -> Int64?)? = nil
  ) {
    self.library = library
    self.options = options
    self.hub = hub
    self.freeBytes = freeBytes ?? { [uploads = library.uploads] in uploads.freeBytes }
    publish()
  }

  /// The state of the recording, as the API sends it. A document with a greater `reading` is newer.
  var document: JSONValue { .object(members) }

  private var members: [(key: String, value: JSONValue)] {
    state.withLock { state in
      state.documentNumber += 1
      return [
        ("session", state.current?.session.map { .string($0.id) } ?? .null),
        ("state", .string((state.current?.phase ?? .idle).rawValue)),
        ("reading", .integer(state.documentNumber)),
      ]
    }
  }

  private var phase: Phase { state.withLock { $0.current?.phase ?? .idle } }

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
  ///   - rate: the rate of a browser's microphone, in Hz.
  ///   - choice: how it is transcribed; nil for the options of the server.
  ///   - translates: whether a second text in English is made.
  /// - Returns: the document, with the name of the `stream` for a browser.
  /// - Throws: `HTTPError`.
  func start(
    sources: [String], rate: Int? = nil, choice: RecognitionChoice?, translates: Bool = false
  ) throws -> JSONValue {
    let capture = try RecordingSources.capture(named: sources, rate: rate)
    let browser = capture as? BrowserCapture
    var options = options.expecting(library.vocabularies.words.texts)
    if let choice { options = try library.resolved(options, choice) }
    options.translates = translates
    let isFree = state.withLock { state in
      guard state.current == nil else { return false }
      state.current = Current(browser: browser)
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
      guard let browser else { return document }
      Task { await watch(browser) }
      return .object(members + [("stream", .string(browser.stream))])
    } catch {
      state.withLock { $0.current = nil }
      publish()
      throw Self.startError(error)
    }
  }

  /// Pauses the recording.
  /// - Throws: `HTTPError` if there is none.
  func pause() throws {
    try change(from: .recording, to: .paused) { session, browser in
      if let browser { browser.pause() } else { session.pause() }
    }
  }

  /// Continues the recording.
  /// - Throws: `HTTPError` if none is paused.
  func resume() throws {
    try change(from: .paused, to: .recording) { session, browser in
      if let browser { browser.resume() } else { session.resume() }
    }
  }

  /// Continues a browser's recording with another browser, which the first one has left.
  /// - Parameter rate: the rate of its microphone, in Hz.
  /// - Returns: the document, with the name of the `stream`.
  /// - Throws: `HTTPError` if there is none.
  func takeOver(rate: Int) throws -> JSONValue {
    guard let known = state.withLock({ $0.current?.browser?.rate }) else { throw Self.noRecording }
    guard rate == known else {
      throw HTTPError(
        .conflict,
        "The recording has \(known) Hz, and this browser's microphone \(rate). Stop it, and start another one.",
        parameter: "sampleRate", code: "other_rate")
    }
    guard phase == .disconnected || phase == .paused else {
      throw HTTPError(
        .conflict, "Another browser records, and is connected. Pause the recording first.",
        code: "is_recording")
    }
    var stream = ""
    try change(from: phase, to: .recording) { _, browser in stream = browser?.takeOver() ?? "" }
    return .object(members + [("stream", .string(stream))])
  }

  /// Takes a piece of a browser's audio.
  /// - Parameters:
  ///   - piece: whole samples.
  ///   - offset: the position of its first byte in the stream.
  /// - Returns: how many bytes of the stream were received, and the state of the recording.
  /// - Throws: `HTTPError`.
  func receive(_ piece: Data, at offset: Int64, of stream: String) throws -> JSONValue {
    guard piece.count % 2 == 0, offset % 2 == 0 else {
      throw HTTPError(.badRequest, "Samples have two bytes each. Send whole ones.", parameter: "offset")
    }
    let (browser, session) = try sender(of: stream)
    // What is not taken is kept by the browser.
    guard session.waitingSeconds < Self.maxWaiting,
      (freeBytes() ?? .max) - Int64(piece.count) >= Self.reserve
    else { throw HTTPError.diskFull }
    let wasDisconnected = browser.isDisconnected
    do {
      let received = try browser.append(piece, at: offset, of: stream)
      // The browser forgets what was received.
      session.flush()
      if wasDisconnected { publish() }
      return progress(received)
    } catch PieceReceiver.Refusal.hole(let received) {
      throw HTTPError(
        .conflict, "The server has \(received) bytes. Send those from there on.", parameter: "offset",
        code: "wrong_offset")
    } catch is PieceReceiver.Refusal {
      throw Self.noStream
    }
  }

  /// How many bytes of a stream were received, and the state of the recording.
  /// - Throws: `HTTPError`.
  func received(of stream: String) throws -> JSONValue {
    let (browser, _) = try sender(of: stream)
    guard let received = try? browser.received(of: stream) else { throw Self.noStream }
    return progress(received)
  }

  private func progress(_ bytes: Int64) -> JSONValue {
    .object([("received", .integer(Int(bytes))), ("state", .string(phase.rawValue))])
  }

  private func sender(of stream: String) throws -> (browser: BrowserCapture, session: LiveSession) {
    try state.withLock { state in
      if let stopped = state.stopped, AccessToken.areEqual(stopped, stream) {
        throw HTTPError(
          .conflict, "The recording was stopped. Its rest is being transcribed.", code: "stopped")
      }
      guard let current = state.current, let browser = current.browser, let session = current.session,
        current.wanted != .finishing, AccessToken.areEqual(browser.stream, stream)
      else { throw Self.noStream }
      return (browser, session)
    }
  }

  /// Reports when a browser is disconnected, and ends its recording if it does not come back.
  private func watch(_ browser: BrowserCapture) async {
    var reported = Phase.recording
    while state.withLock({ $0.current?.browser === browser && $0.current?.wanted != .finishing }) {
      if browser.isGone { return browser.end() }
      if phase != reported {
        reported = phase
        publish()
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Ends the recording. The rest of it is still transcribed.
  /// - Throws: `HTTPError` if there is none, or if the disk does not accept its end.
  func stop() throws {
    let session = try state.withLock { state in
      guard let session = state.current?.session, state.current?.wanted != .finishing else {
        throw Self.noRecording
      }
      state.current?.wanted = .finishing
      state.stopped = state.current?.browser?.stream
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

  private static let noStream = HTTPError(
    .notFound, "No recording takes this browser's microphone. Start one with POST /api/recording.",
    code: "no_stream")

  /// Seconds of a browser's audio that may wait for the disk.
  private static let maxWaiting = 5.0
  /// Bytes that a browser's audio leaves free on the disk.
  private static let reserve: Int64 = 32 << 20

  private func change(
    from old: Phase, to new: Phase, _ body: (LiveSession, BrowserCapture?) -> Void
  ) throws {
    let (session, browser) = try state.withLock { state in
      guard let current = state.current, let session = current.session,
        [old, new].contains(current.wanted) || current.phase == old
      else { throw Self.noRecording }
      state.current?.wanted = new
      return (session, current.browser)
    }
    body(session, browser)
    publish()
  }

  private func publish() { hub.updateRecording(ServerSentEvent.data("recording", document)) }

  /// Sends the events of a recording to its followers, until all of it is transcribed.
  private func follow(_ session: LiveSession) async {
    var encoder = LiveEventEncoder(session)
    hub.setReported(session.id, true)
    defer { hub.setReported(session.id, false) }
    for await event in session.events {
      if case .recording(.sourceEnded) = event {
        state.withLock { state in
          state.current?.wanted = .finishing
          if let browser = state.current?.browser, !browser.isGone { state.stopped = browser.stream }
        }
      }
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
