import FileSupport
import Foundation
import Longhand
import Synchronization

/// Makes the server's recordings, one at a time.
final class RecordingHost: Sendable {
  /// What the host is doing.
  enum Phase: String, Sendable { case idle, recording, paused, disconnected, finishing }

  /// The recording that is being made.
  struct Current {
    /// The browser whose microphone is recorded; nil for devices of the server.
    let browser: BrowserCapture?
    /// How it is transcribed; nil for the options of the server.
    let choice: RecognitionChoice?
    /// Nil while the recording starts.
    var session: LiveSession?
    /// What was asked for.
    var wanted = Phase.recording
    /// What is translated so far; nil if a translation is not wanted.
    var translation: Translation?

    var phase: Phase { wanted == .recording && browser?.isDisconnected == true ? .disconnected : wanted }
  }

  struct State {
    var current: Current?
    /// Numbers the documents of this server. It starts with the time for the pages of an older server, which compare the
    /// numbers of all servers.
    var documentNumber = Int(clamping: Date().timeIntervalSince1970 * 1000)
    var hasFailed = false
    /// The stream of the last browser whose recording was stopped.
    var stopped: String?
  }

  /// Names this server: only its documents can be compared.
  private let server = UUID().uuidString
  private let library: Library
  private let options: TranscriptionOptions
  private let hub: LiveHub
  let freeBytes: @Sendable () -> Int64?
  let state = Mutex(State())

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

  /// The state of the recording, as the API sends it. Of one `server`, a document with a greater `reading` is
  /// newer.
  var document: JSONValue { .object(members) }

  var members: [(key: String, value: JSONValue)] {
    state.withLock { state in
      state.documentNumber += 1
      return [
        ("session", state.current?.session.map { .string($0.id) } ?? .null),
        ("state", .string((state.current?.phase ?? .idle).rawValue)),
        ("server", .string(server)), ("reading", .integer(state.documentNumber)),
      ]
    }
  }

  var phase: Phase { state.withLock { $0.current?.phase ?? .idle } }

  /// The code of the language that is spoken, without a region, such as `en`; nil if it is detected.
  var language: String? {
    options.detectsLanguage ? nil : options.locale.language.languageCode?.identifier.lowercased()
  }

  /// Whether anything is being recorded or transcribed here.
  var isBusy: Bool { state.withLock { $0.current != nil } }

  /// Whether this session is being recorded or transcribed here.
  func isMaking(_ session: String) -> Bool { state.withLock { $0.current?.session?.id == session } }

  /// What is translated so far of a session that is recorded or transcribed here; nil if nothing is.
  func translation(of session: String) -> Translation? {
    state.withLock { state in
      guard let current = state.current, current.session?.id == session else { return nil }
      return current.translation.flatMap { $0.passages.isEmpty ? nil : $0 }
    }
  }

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
      state.current = Current(
        browser: browser, choice: choice,
        translation: translates
          ? Translation(model: options.modelStamp?.name ?? "the model", passages: []) : nil)
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
  /// - Parameter seconds: how long the pause was, as a browser that records measured it; nil if it did not.
  /// - Throws: `HTTPError` if none is paused.
  func resume(after seconds: TimeInterval? = nil) throws {
    try change(from: .paused, to: .recording) { session, browser in
      if let browser { browser.resume(seconds: seconds) } else { session.resume() }
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

  static let noRecording = HTTPError(
    .conflict, "No recording is in progress. Start one with POST /api/recording.", code: "not_recording")

  func change(
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

  func publish() { hub.updateRecording(ServerSentEvent.data("recording", document)) }

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
      if case .translated(_, let passage) = event {
        state.withLock { $0.current?.translation?.passages.append(passage) }
      }
      let events = encoder.encode(event, now: ProcessInfo.processInfo.systemUptime)
      guard !events.isEmpty else { continue }
      hub.update(session.id) { feed in
        for event in events {
          switch event {
          case .partial(let data): feed.partial.set(data)
          case .level(let data): feed.level.set(data)
          case .notice(let data): feed.notices.add(data)
          case .translated(let data): feed.translated.add(data)
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
  /// Whether the store has new segments or speakers when this event comes.
  var changesStore: Bool {
    switch self {
    case .committed, .storeBack, .speakersGuessed: true
    default: false
    }
  }
}
