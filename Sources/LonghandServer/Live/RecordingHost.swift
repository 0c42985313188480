import AVFAudio
import Foundation
import Longhand
import Synchronization

/// The one recording that the server makes at a time.
final class RecordingHost: Sendable {
  /// How far it is.
  enum State: String, Sendable { case idle, recording, paused, finishing }

  /// A recording that is being made; without a session as long as it begins.
  private struct Current {
    var session: LiveSession?
    var state = RecordingHost.State.recording
  }

  private let library: Library
  private let options: TranscriptionOptions
  private let hub: LiveHub
  private let current = Mutex<Current?>(nil)
  /// Counts the readings of what is recorded, from the server's start on, so that one of an earlier server is less.
  private let readings = Mutex(Int(Date().timeIntervalSince1970 * 1000))
  private let hasFailed = Mutex(false)

  /// - Parameters:
  ///   - library: for this alone, so that no reader holds up the recorder.
  ///   - options: how it is listened to.
  init(_ library: Library, options: TranscriptionOptions, hub: LiveHub) {
    self.library = library
    self.options = options
    self.hub = hub
    tell()
  }

  /// What is recorded, as the API writes it. Of two that come by different ways the one with the greater `reading` is the
  /// later.
  var document: JSONValue {
    readings.withLock { reading in
      reading += 1
      return current.withLock { current in
        .object([
          ("session", current?.session.map { .string($0.id) } ?? .null),
          ("state", .string((current?.state ?? .idle).rawValue)), ("reading", .integer(reading)),
        ])
      }
    }
  }

  /// The language that is listened for, without its country, such as `en`.
  var language: String? { options.locale.language.languageCode?.identifier.lowercased() }

  /// Whether this is the session that is recorded, or still listened to.
  func isMaking(_ session: String) -> Bool { current.withLock { $0?.session?.id == session } }

  /// Begins to record.
  /// - Parameters:
  ///   - source: a source's name; nil for the usual one.
  ///   - locale: the language; nil for the usual one.
  /// - Throws: `HTTPError`.
  func start(source: String?, locale: String?) throws {
    let capture = try source.map { try Self.source(named: $0) } ?? EngineCapture()
    var options = options
    if let locale { options.locale = Locale(identifier: locale) }
    let isFree = current.withLock { current in
      guard current == nil else { return false }
      current = Current()
      return true
    }
    guard isFree else {
      throw HTTPError(.conflict, "a recording is being made already; stop it first", code: "is_recording")
    }
    do {
      let session = try BlockingBridge.wait { [library, options] in
        try await library.record(from: capture, options: options)
      }
      current.withLock { $0?.session = session }
      tell()
      Task { await follow(session) }
    } catch {
      current.withLock { $0 = nil }
      tell()
      throw Self.refusal(error, locale)
    }
  }

  /// Records nothing until `resume()`.
  /// - Throws: `HTTPError` if nothing is recorded.
  func pause() throws { try change(from: .recording, to: .paused) { $0.pause() } }

  /// Goes on.
  /// - Throws: `HTTPError` if nothing is paused.
  func resume() throws { try change(from: .paused, to: .recording) { $0.resume() } }

  /// Ends the recording; what was recorded is still listened to.
  /// - Throws: `HTTPError` if nothing is recorded, or the disk does not take its end.
  func stop() throws {
    let session = try current.withLock { current in
      guard let session = current?.session, current?.state != .finishing else { throw Self.nothing }
      current?.state = .finishing
      return session
    }
    tell()
    do { try session.stop() } catch { throw HTTPError(.serverError, "\(error)") }
  }

  /// Ends the recording, if there is one, and waits until all of it was heard.
  /// - Returns: whether every recording of this server came to a good end.
  func finish() async -> Bool {
    while current.withLock({ $0 != nil }) {
      try? stop()
      try? await Task.sleep(for: .milliseconds(20))
    }
    return !hasFailed.withLock { $0 }
  }

  private static let nothing = HTTPError(.conflict, "nothing is being recorded", code: "not_recording")

  private func change(from old: State, to new: State, _ body: (LiveSession) -> Void) throws {
    let session = try current.withLock { current in
      guard let session = current?.session, current?.state == old || current?.state == new else {
        throw Self.nothing
      }
      current?.state = new
      return session
    }
    body(session)
    tell()
  }

  private func tell() { hub.tellRecording(ServerSentEvent.data("recording", document)) }

  // MARK: What happens

  private func follow(_ session: LiveSession) async {
    var reports = LiveReports(session)
    for await event in session.events {
      if case .recording(.sourceEnded) = event { current.withLock { $0?.state = .finishing } }
      let news = reports.take(event, now: ProcessInfo.processInfo.systemUptime)
      guard !news.isEmpty else { continue }
      hub.tell(session.id) { feed in
        for piece in news {
          switch piece {
          case .partial(let event): feed.partial.set(event)
          case .level(let event): feed.level.set(event)
          case .notice(let event): feed.notice.set(event)
          }
        }
      }
    }
    do {
      _ = try await session.finished()
    } catch {
      hasFailed.withLock { $0 = true }
      let notice = LiveReports.notice(.error, "\(error)")
      hub.tell(session.id) { $0.notice.set(notice) }
    }
    current.withLock { $0 = nil }
    tell()
  }

  // MARK: Sources

  /// What can be recorded, as the API writes it.
  /// - Throws: `HTTPError`.
  static func sources() throws -> JSONValue {
    .object([
      (
        "sources",
        .array(
          try all().map { source in
            .object([("name", .string(source.name)), ("description", .string(source.description))])
          })
      )
    ])
  }

  private static func all() throws -> [CaptureDevice] {
    do {
      return try CaptureDevice.all()
    } catch {
      throw HTTPError(.unavailable, error.localizedDescription, code: "no_sound_server")
    }
  }

  private static func source(named name: String) throws -> EngineCapture {
    guard let source = try all().first(where: { $0.name == name }) else {
      throw HTTPError(.badRequest, "there is no source \(name)", parameter: "source")
    }
    return EngineCapture(source: source)
  }

  private static func refusal(_ error: any Error, _ locale: String?) -> HTTPError {
    switch error {
    case TranscriptionError.unsupportedLocale(let locale):
      HTTPError(.badRequest, "the recognizer does not know the language \(locale)", parameter: "locale")
    case let error as CaptureError: HTTPError(.unavailable, error.description, code: "no_input")
    case let error as RecordingError where error.isFullDisk: HTTPError(.diskFull, error.description)
    default: HTTPError(error)
    }
  }
}
