import Foundation
import Synchronization

extension Library {
  /// Copies the audio of a file into the library and transcribes it.
  ///
  /// After a cancellation or a crash, `recover` continues the work. After an error, the library is unchanged.
  /// - Parameters:
  ///   - file: an audio file, or a video with audio.
  ///   - name: the name of the session; nil for the file's name.
  ///   - transcriber: its options set the language, the engine and the vocabulary.
  ///   - progress: called from any thread; the seconds never decrease.
  /// - Throws: `TranscriptionError`, `RecordingError`, `StoreError`, `CancellationError`.
  @discardableResult public func importFile(
    _ file: URL, name: String? = nil, by transcriber: FileTranscriber = FileTranscriber(),
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void = { _ in }
  ) async throws -> RecordedSession {
    let audio = try AudioFileSource(file)
    guard audio.duration > 0 else { throw TranscriptionError.noAudio }
    let options = transcriber.options
    let session = RecordedSession(
      source: name ?? file.lastPathComponent, locale: options.locale.identifier(.bcp47),
      engine: options.engine.rawValue, start: Date(), vocabulary: options.languageModel?.stamp)
    try store.begin(session)
    do {
      return try await take(audio, as: session, by: transcriber, progress: progress)
    } catch {
      try Task.checkCancellation()
      try? remove(session.id)
      throw error
    }
  }

  private func take(
    _ audio: AudioFileSource, as session: RecordedSession, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void
  ) async throws -> RecordedSession {
    var session = session
    let manifest = try await copy(audio, of: session)
    session.start = manifest.start
    session.duration = manifest.format.seconds(manifest.frames ?? 0)
    session.folder = recording(of: session.id).url.path
    try store.update(session)
    return try await transcribe(session, manifest, by: transcriber, progress: progress)
  }

  /// Transcribes the pending part of a recording that has ended, and completes its session.
  func transcribe(
    _ session: RecordedSession, _ manifest: RecordingManifest, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void
  ) async throws -> RecordedSession {
    var session = session
    if manifest.frames ?? 0 > 0 {
      let engine = try await transcriber.options.makeEngine(reportsPartials: false)
      session.engine = engine.selection.rawValue
      let audio = RecordingAudio(recording(of: session.id), manifest)
      let done = Mutex(FileTranscriber.Progress(processed: 0, duration: audio.duration))
      let warnings = try await SessionTranscription(
        store: store, session: session, engine: engine, audio: audio, gaps: { manifest.gaps },
        report: { event in
          guard case .progress(let time) = event else { return }
          progress(
            done.withLock { done in
              done.advance(to: time)
              return done
            })
        }
      ).run()
      try recording(of: session.id).replace(.oppositePhase, by: warnings)
    }
    return try complete(session, manifest)
  }

  /// Stores that all of a recording is processed.
  func complete(_ session: RecordedSession, _ manifest: RecordingManifest) throws -> RecordedSession {
    var session = session
    session.start = manifest.start
    session.duration = manifest.format.seconds(manifest.frames ?? 0)
    session.state = .complete
    try store.update(session)
    return session
  }

  /// Writes the samples of a file as a recording.
  private func copy(_ audio: AudioFileSource, of session: RecordedSession) async throws -> RecordingManifest {
    let format = RecordingFormat(sampleRate: audio.sampleRate, channels: audio.channels)
    let writer = try RecordingWriter(
      recording(of: session.id),
      RecordingManifest(
        id: session.id, start: session.start, source: session.source, format: format,
        statedDuration: audio.statedDuration, warnings: audio.warnings))
    for try await chunk in audio.chunks(from: 0) {
      writer.append(chunk, without: audio.gaps)
      // Limits the memory that the samples take.
      if writer.waitingSeconds >= 10 { try writer.flush() }
    }
    try writer.finish()
    return writer.manifest
  }
}
