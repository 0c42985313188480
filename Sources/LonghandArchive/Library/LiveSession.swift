import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts
import LonghandVocabulary
import Synchronization

/// Records and transcribes at the same time. A slow or failing recognizer or store never stops the recorder: the engine
/// reads the audio from the file, and can do so later.
///
/// ```swift
/// let session = try library.record(from: EngineCapture())
/// for await event in session.events { show(event) }   // until `session.stop()` is called
/// let recorded = try await session.finished()
/// ```
public final class LiveSession: Sendable {
  /// The end of a recording could not be written to the disk. The durable part of the recording is kept.
  public struct Unfinished: Error, Sendable, CustomStringConvertible {
    /// The problem and its remedy.
    public let description =
      "the end of the recording could not be written to the disk; run 'longhand recover'"
  }

  /// The events of the session. The stream ends when the transcription ends.
  public let events: AsyncStream<SessionEvent>
  /// The session's ID.
  public var id: String { session.id }
  /// The name of the recording for a reader.
  public var source: String { session.source }
  /// The format of the recording.
  public var format: RecordingFormat { audio.format }
  /// The duration of the audio on the disk, in seconds.
  public var duration: TimeInterval { audio.duration }
  /// The duration of what was captured so far, in seconds. While nothing is said, `duration` follows up to 5 seconds later.
  public var capturedDuration: TimeInterval { recorder.seconds }
  /// The gaps so far: audio that could not be captured.
  public var gaps: [RecordingGap] { recorder.manifest.gaps }

  private let library: Library
  private let session: RecordedSession
  private let options: TranscriptionOptions
  private let recorder: AudioRecorder
  private let plan: ChannelPlan
  private let audio: RecordingAudio
  private let transcribing: Task<[TranscriptWarning], any Error>
  /// Looks for the wish of another process to stop.
  private let watching: Task<Void, any Error>

  /// Starts to record.
  /// - Throws: `RecordingError`, or the error of the source if it cannot be opened.
  init(
    in library: Library, from source: any AudioCapture, as session: RecordedSession, id: UUID,
    engine: any TranscriptionEngine, options: TranscriptionOptions, limit: TimeInterval?,
    disk: any RecordingDisk, clock: @escaping @Sendable () -> TimeInterval
  ) throws {
    self.library = library
    self.session = session
    self.options = options
    let folder = library.recording(of: session.id)
    let recorder = try library.creating {
      try AudioRecorder(
        folder, id: id, from: source, limit: limit, silence: options.silence,
        channels: options.channels ?? source.channelMode,
        speakerNames: options.speakerNames + source.channelNames.dropFirst(options.speakerNames.count),
        voices: options.voices, choice: options.choice,
        disk: disk,
        clock: clock)
    }
    self.recorder = recorder
    let (events, continuation) = AsyncStream.makeStream(of: SessionEvent.self)
    self.events = events
    let audio = RecordingAudio(folder, format: recorder.manifest.format)
    self.audio = audio
    // A weak reference: if the disk fails at the end, the events do not end, and would keep the recorder's file open.
    let recorded = recorder.events
    let forwarding = Task { [weak recorder] in
      for await event in recorded {
        if case .durable(let frames) = event { audio.grow(to: frames, gaps: recorder?.manifest.gaps) }
        continuation.yield(.recording(event))
        // If the end cannot be written, `finished()` throws.
        if case .sourceEnded = event, let recorder { try? Self.end(recorder, audio) }
      }
    }
    let plan = ChannelPlan(recorder.manifest)
    self.plan = plan
    let transcription = SessionTranscription(
      store: library.store, session: session, engine: plan.engine(engine), audio: audio,
      gaps: { recorder.manifest.gaps }, report: { continuation.yield($0) },
      spellings: options.secondTextSpellings, normalizer: options.normalizer,
      translator: try options.translator(of: audio), plan: plan)
    let guessing = Task {
      guard let count = options.voices, !plan.isSeparate else { return }
      try await LiveVoices(count).follow(audio) { turns, engine in
        try library.store.changeSpeakers(of: session.id) { $0.setTurns(turns, by: engine) }
        continuation.yield(.speakersGuessed)
      }
    }
    let transcribing = Task {
      defer {
        guessing.cancel()
        continuation.finish()
      }
      do {
        var warnings = try await transcription.run()
        if !plan.isSeparate, !options.speakerNames.isEmpty {
          warnings.append(
            .unusedSpeakerNames(
              options.speakerNames, channels: recorder.manifest.format.channels, 0...audio.duration))
        }
        // No guess may come after what is final.
        guessing.cancel()
        _ = await guessing.result
        warnings += try await library.labelSpeakers(
          of: session.id, in: audio, options.voices, remembered: options.rememberedVoices)
        // The last events of the recorder may still be on their way.
        if recorder.manifest.state == .complete { await forwarding.value }
        return warnings
      } catch {
        if !(error is CancellationError) { continuation.yield(.transcriptionFailed(error.explanation)) }
        // The recording continues, and its events are still reported.
        _ = try? await audio.wait(for: .max)
        do { try transcription.leavePending() } catch { continuation.yield(.storeFailed(error.explanation)) }
        throw error
      }
    }
    self.transcribing = transcribing
    watching = Task { [weak recorder, stops = library.stopRequests, id = session.id] in
      while let state = recorder?.manifest.state {
        if stops.contains(id) {
          guard state == .recording else { return transcribing.cancel() }
          if let recorder { try? Self.end(recorder, audio) }
          continuation.yield(.recording(.sourceEnded))
          stops.remove(id)
        }
        try await Task.sleep(for: StopRequests.interval)
      }
    }
  }

  /// Seconds of captured audio that wait for the disk.
  package var waitingSeconds: TimeInterval { recorder.waitingSeconds }

  /// Writes the captured audio now, without waiting for the recorder's timer.
  package func flush() { recorder.flush() }

  /// The name of who said a segment, by its channel; nil where the mix of the channels is transcribed.
  public func speakerName(of segment: Segment) -> String? {
    guard plan.isSeparate, let channel = segment.channel else { return nil }
    return plan.names.count > channel ? plan.names[channel] : "Channel \(channel + 1)"
  }

  /// Stops recording until `resume()`. Nothing is captured meanwhile.
  public func pause() { recorder.pause() }

  /// Continues to record after `pause()`. The pause is a gap with the reason `paused`, as long as the pause was.
  public func resume() { recorder.resume() }

  /// Ends the recording. The rest of the audio is still transcribed.
  /// - Throws: `RecordingError` if the end cannot be written to the disk. The durable audio is transcribed anyway.
  ///   `stop()` can be called again.
  public func stop() throws { try Self.end(recorder, audio) }

  private static func end(_ recorder: AudioRecorder, _ audio: RecordingAudio) throws {
    defer { audio.end() }
    let manifest = try recorder.stop()
    audio.grow(to: manifest.frames ?? 0, gaps: manifest.gaps)
  }

  /// Ends the recording and the transcription. `recover` transcribes the rest later.
  public func cancel() {
    try? stop()
    transcribing.cancel()
  }

  /// Waits until the transcription ends, and completes the session.
  /// - Throws: the error of the engine or of the store, or `Unfinished` if the end of the recording is not on the disk.
  ///   `recover` completes the session then. What could not be written is a gap at the end of the recording.
  @discardableResult public func finished() async throws -> RecordedSession {
    let warnings: [TranscriptWarning]
    defer {
      watching.cancel()
      library.stopRequests.remove(session.id)
    }
    do {
      warnings = try await transcribing.value
    } catch {
      // `recover` can take it up, also in this process.
      defer { recorder.close() }
      if recorder.manifest.state != .complete { try? recorder.abandon() }
      let state = error is CancellationError ? library.endOfCancelled(session.id) : .failed
      leave(state)
      throw state == .stopped ? WorkStopped(session: session.id) : error
    }
    guard recorder.manifest.state == .complete else {
      defer { recorder.close() }
      try? recorder.abandon()
      leave(.interrupted)
      throw Unfinished()
    }
    var session = session
    let changes = try library.language(of: &session, options, duration: recorder.manifest.duration)
    try library.recording(of: session.id).replaceWarnings(ofTranscription: changes + warnings)
    return try library.complete(session, recorder.manifest)
  }

  /// Stores that the work ended early. If the store cannot be written, `recover` finds out.
  private func leave(_ state: RecordedSession.State) {
    var session = session
    session.state = state
    session.duration = recorder.manifest.duration
    try? library.store.update(session)
  }
}

extension Library {
  /// Records a source and transcribes it at the same time.
  /// - Parameters:
  ///   - source: the source, such as `EngineCapture()` for the microphone.
  ///   - name: the name of the session; nil for the source's name.
  ///   - options: the language, the engine and the vocabulary.
  ///   - reportsPartials: whether text that may still change is reported.
  ///   - limit: seconds after which the recording ends by itself; nil for no limit.
  ///   - normalization: writes the second text, with its `entityNames`; nil for `options.normalizer`.
  ///   - disk: the disk for the recording; tests pass a faulty one.
  ///   - clock: seconds that never decrease; the default is the system's uptime.
  /// - Throws: `RecordingError`, `TranscriptionError`, or the error of the source if it cannot be opened.
  public func record(
    from source: any AudioCapture, name: String? = nil, options: TranscriptionOptions = .init(),
    reportsPartials: Bool = true, limit: TimeInterval? = nil, normalization: NormalizationCoordinator? = nil,
    disk: any RecordingDisk = SystemDisk(),
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) async throws -> LiveSession {
    var options = try options.resolved()
    if options.translates { try options.checkTranslation() }
    if let normalization { options.normalizer = await normalization.normalizer }
    try await source.requestPermission()
    let engine = try await EngineFactory(options).engine(reportsPartials: reportsPartials)
    return try record(
      from: source, name: name, options: options.request, engine: engine, limit: limit, disk: disk,
      clock: clock)
  }

  /// Records a source and transcribes it with the given engine; see
  /// `record(from:name:options:reportsPartials:limit:disk:clock:)`.
  package func record(
    from source: any AudioCapture, name: String? = nil, options: TranscriptionOptions = .init(),
    engine: any TranscriptionEngine, limit: TimeInterval? = nil, disk: any RecordingDisk = SystemDisk(),
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) throws -> LiveSession {
    let options = try options.resolved()
    let id = UUID()
    var session = RecordedSession(
      id: id, source: name ?? source.name, locale: options.locale.identifier(.bcp47),
      engine: engine.selection.rawValue, model: options.modelStamp, start: Date(),
      vocabulary: options.languageModel?.stamp,
      folder: recording(of: id.uuidString.lowercased()).url.path)
    session.punctuation = options.punctuation
    return try LiveSession(
      in: self, from: source, as: session, id: id, engine: engine, options: options.request, limit: limit,
      disk: disk, clock: clock)
  }
}

extension TranscriptionOptions {
  /// What the second text of a session's segments is written by; nil if they have none.
  var secondTextSpellings: Vocabulary? { normalizer?.spellings ?? languageModel?.spellings }

  /// What translates segments of audio; nil if no translation is wanted.
  fileprivate func translator(
    of audio: RecordingAudio
  ) throws(TranscriptionError) -> (@Sendable ([Segment]) async throws -> Translation)? {
    guard translates else { return nil }
    let options = try resolved()
    return { try await options.translation(of: audio, $0) }
  }
}

/// An event of a recording that is transcribed while it grows.
public enum SessionEvent: Sendable, Hashable {
  /// An event of the recorder.
  case recording(RecordingEvent)
  /// The text that is not final yet; nil if there is none any more.
  case partial(TranscriptAccumulator.Partial?)
  /// A segment was committed: it is in the store, or waits to be stored, and does not change any more.
  case committed(Segment)
  /// The language model has written the second text of the segment with this ID; it is in the store.
  case normalized(Int, NormalizedTranscript)
  /// The model has translated the segment with this ID into English. The store has the translation when all of it is made.
  case translated(Int, Translation.Passage)
  /// Who speaks so far was guessed, and is in the store. It may change until the recording is transcribed.
  case speakersGuessed
  /// The session gets no translation. The text is the reason.
  case translationFailed(String)
  /// The recognizer has processed the audio up to this time, in seconds.
  case progress(TimeInterval)
  /// There is speech in this range, in seconds, and no words were recognized; the text says what was detected.
  case wordless(ClosedRange<TimeInterval>, String)
  /// The recognizer failed on this range, in seconds; the text is the reason.
  case failed(ClosedRange<TimeInterval>, String)
  /// The recognizer started again at this time, in seconds; the text is the reason.
  case restarted(TimeInterval, String)
  /// The store could not be written. The segments wait in memory, and are written with the next attempt. The text is the
  /// reason.
  case storeFailed(String)
  /// The store was written again, with everything that waited.
  case storeBack
  /// The transcription ended with an error, and the recording continues. The text is the reason. `recover` transcribes
  /// the rest later.
  case transcriptionFailed(String)
}
