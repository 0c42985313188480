import Foundation
import Synchronization

/// A recording that is made and listened to at the same time. Nothing that the recognizer or the store does can stop the
/// recorder: what was not heard in time is heard later, from the file.
///
/// ```swift
/// let session = try library.record(from: EngineCapture())
/// for await event in session.events { show(event) }   // until someone calls `session.stop()`
/// let recorded = try await session.finished()
/// ```
public final class LiveSession: Sendable {
  /// The disk did not take the end of a recording; what was durable is there.
  public struct Unfinished: Error, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description = "the disk did not take the end of the recording; 'longhand recover' takes it up"
  }

  /// What happens, until everything has been heard.
  public let events: AsyncStream<SessionEvent>
  /// The session's id.
  public var id: String { session.id }
  /// How the samples are laid out.
  public var format: RecordingFormat { audio.format }
  /// Seconds of the recording that are on the disk.
  public var duration: TimeInterval { audio.duration }
  /// What could not be captured so far.
  public var gaps: [RecordingGap] { recorder.manifest.gaps }

  private let library: Library
  private let session: RecordedSession
  private let recorder: AudioRecorder
  private let audio: RecordingAudio
  private let listening: Task<Void, any Error>

  /// Begins to record.
  /// - Throws: `RecordingError`, and why the source cannot be opened.
  init(
    in library: Library, from source: any AudioCapture, as session: RecordedSession, id: UUID,
    engine: any TranscriptionEngine, limit: TimeInterval?, disk: any RecordingDisk,
    clock: @escaping @Sendable () -> TimeInterval
  ) throws {
    self.library = library
    self.session = session
    let folder = library.recording(of: session.id)
    let recorder = try AudioRecorder(
      folder, id: id, from: source, limit: limit, disk: disk, clock: clock)
    self.recorder = recorder
    let (events, continuation) = AsyncStream.makeStream(of: SessionEvent.self)
    self.events = events
    let audio = RecordingAudio(folder, format: recorder.manifest.format)
    self.audio = audio
    // Without the recorder itself: one whose end the disk does not take goes on telling, and would hold its file.
    let recorded = recorder.events
    Task { [weak recorder] in
      for await event in recorded {
        if case .durable(let frames) = event { audio.grow(to: frames) }
        continuation.yield(.recording(event))
        // `finished()` tells if the disk does not take that end.
        if case .sourceEnded = event, let recorder { try? Self.end(recorder, audio) }
      }
    }
    let transcription = SessionTranscription(
      store: library.store, session: session, engine: engine, audio: audio,
      gaps: { recorder.manifest.gaps }, report: { continuation.yield($0) })
    listening = Task {
      defer { continuation.finish() }
      do {
        try await transcription.run()
      } catch {
        continuation.yield(.transcriptionFailed("\(error)"))
        // The recording goes on, and is told of.
        _ = try? await audio.wait(for: .max)
        do { try transcription.leavePending() } catch { continuation.yield(.storeFailed("\(error)")) }
        throw error
      }
    }
  }

  /// Makes what was captured durable, at once: what the recorder does by itself all the time.
  package func flush() { recorder.flush() }

  /// Records nothing until `resume()`.
  public func pause() { recorder.pause() }

  /// Goes on recording.
  public func resume() { recorder.resume() }

  /// Ends the recording; what was recorded is still listened to.
  /// - Throws: `RecordingError` if the disk does not take its end. What was durable is listened to all the same, and
  ///   it can be tried again.
  public func stop() throws { try Self.end(recorder, audio) }

  private static func end(_ recorder: AudioRecorder, _ audio: RecordingAudio) throws {
    defer { audio.end() }
    audio.grow(to: try recorder.stop().frames ?? 0)
  }

  /// Gives up listening; the recording ends, and `recover` hears the rest.
  public func cancel() {
    try? stop()
    listening.cancel()
  }

  /// Waits until all was heard, and completes the session.
  /// - Throws: what the engine or the store failed of, `RecordingError` if the recording has no end on the disk;
  ///   then `recover` takes it up.
  @discardableResult public func finished() async throws -> RecordedSession {
    try await listening.value
    let manifest = recorder.manifest
    guard manifest.state == .complete else { throw Unfinished() }
    return try library.complete(session, manifest)
  }
}

extension Library {
  /// Records a source and listens to it.
  /// - Parameters:
  ///   - source: what is recorded.
  ///   - name: what the session is called; nil for the source's name.
  ///   - options: how it is listened to.
  ///   - reportsPartials: whether what may still change is told.
  ///   - limit: seconds after which the recording ends by itself; nil for no end.
  ///   - disk: where the recording is kept.
  ///   - clock: seconds that only grow; the default is the system's.
  /// - Throws: `RecordingError`, `TranscriptionError`, and why the source cannot be opened.
  public func record(
    from source: any AudioCapture, name: String? = nil, options: TranscriptionOptions = .init(),
    reportsPartials: Bool = true, limit: TimeInterval? = nil, disk: any RecordingDisk = SystemDisk(),
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) async throws -> LiveSession {
    let engine = try await options.makeEngine(reportsPartials: reportsPartials)
    return try record(
      from: source, name: name, options: options, engine: engine, limit: limit, disk: disk, clock: clock)
  }

  /// As `record(from:name:options:reportsPartials:limit:disk:clock:)`, with an engine of one's own.
  public func record(
    from source: any AudioCapture, name: String? = nil, options: TranscriptionOptions = .init(),
    engine: any TranscriptionEngine, limit: TimeInterval? = nil, disk: any RecordingDisk = SystemDisk(),
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) throws -> LiveSession {
    let id = UUID()
    let session = RecordedSession(
      id: id, source: name ?? source.name, locale: options.locale.identifier(.bcp47),
      engine: engine.selection.rawValue, start: Date(), vocabulary: options.languageModel?.stamp,
      folder: recording(of: id.uuidString.lowercased()).url.path)
    return try LiveSession(
      in: self, from: source, as: session, id: id, engine: engine, limit: limit, disk: disk, clock: clock)
  }
}

/// What happens while a recording is listened to.
public enum SessionEvent: Sendable, Hashable {
  /// What happens to the recording itself.
  case recording(RecordingEvent)
  /// What has been heard so far of speech that goes on; nil if nothing is left of it.
  case partial(TranscriptAccumulator.Partial?)
  /// A segment was committed: it is in the store, or waits for it, and never changes.
  case committed(Segment)
  /// The recognizer has come so many seconds far.
  case progress(TimeInterval)
  /// The recognizer failed on this stretch (seconds); the text says why.
  case failed(ClosedRange<TimeInterval>, String)
  /// The recognizer had to begin again at this time; the text says why.
  case restarted(TimeInterval, String)
  /// The store took nothing; what was said waits in memory and is tried again. The text says why.
  case storeFailed(String)
  /// The store took everything again.
  case storeBack
  /// No more can be heard, and the recording goes on; the text says why. `recover` goes on listening later.
  case transcriptionFailed(String)
}
