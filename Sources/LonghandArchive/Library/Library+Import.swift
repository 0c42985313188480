import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts
import LonghandVocabulary
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
  /// - Throws: `TranscriptionError`, `RecordingError`, `StoreError`, `CancellationError`, `WorkStopped`.
  @discardableResult public func importFile(
    _ file: URL, name: String? = nil, by transcriber: FileTranscriber = FileTranscriber(),
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void = { _ in }
  ) async throws -> RecordedSession {
    let audio = try AudioFileSource(file, tracks: transcriber.options.tracks)
    guard audio.duration > 0 else { throw TranscriptionError.noAudio }
    let options = try transcriber.options.resolved().request
    let transcriber = FileTranscriber(options: options)
    var session = RecordedSession(
      source: name ?? file.lastPathComponent, locale: options.locale.identifier(.bcp47),
      engine: options.engine.rawValue, model: options.modelStamp, start: Date(), state: .importing,
      vocabulary: options.languageModel?.stamp)
    session.folder = recording(of: session.id).url.path
    return try await stoppable(session.id) { [session] in
      var session = session
      // Kept until the end: it closes the file, and so ends the lock.
      var hold: RecordingWriter?
      defer { withExtendedLifetime(hold) {} }
      do {
        let writer = try begin(
          session, of: audio, ImportedFile(file, duration: audio.duration), options)
        hold = writer
        try await copy(audio, to: writer)
        session = try transcribing(session, writer.manifest)
        return try await transcribe(session, writer.manifest, by: transcriber, progress: progress)
      } catch {
        if Task.isCancelled {
          session.state = endOfCancelled(session.id)
          try? store.update(session)
          throw CancellationError()
        }
        try? remove(session.id)
        throw error
      }
    }
  }

  /// Begins the import of a file that was received for the library, unless a session has the same bytes. `recover` copies and
  /// transcribes it.
  /// - Parameters:
  ///   - upload: a completely received file.
  ///   - chosen: options that set the language, the engine and the vocabulary.
  /// - Returns: the session, with the ID of the upload or, if it was there before, another one.
  /// - Throws: `TranscriptionError` if the file has no audio that can be decoded, `RecordingError`, `StoreError`.
  package func begin(
    _ upload: Upload, _ chosen: () throws -> TranscriptionOptions
  ) throws -> RecordedSession {
    let sha256 = try uploads.sha256(of: upload)
    // Until the session is stored, no other thread or server begins one with the same bytes. It waits.
    let lock = uploads.lock()
    defer { withExtendedLifetime(lock) {} }
    if let known = try? store.session(matching: upload.id) { return try extend(known, by: upload, sha256) }
    if let known = try session(withFile: sha256, size: upload.size) { return known }
    let options = try chosen().resolved().request
    let file = uploads.content(of: upload)
    let audio = try AudioFileSource(file, tracks: options.tracks)
    guard audio.duration > 0 else { throw TranscriptionError.noAudio }
    var session = RecordedSession(
      id: UUID(uuidString: upload.id) ?? UUID(), source: upload.name,
      locale: options.locale.identifier(.bcp47), engine: options.engine.rawValue, model: options.modelStamp,
      start: Date(), state: .importing, vocabulary: options.languageModel?.stamp)
    session.folder = recording(of: session.id).url.path
    var origin = ImportedFile(file, duration: audio.duration)
    origin?.sha256 = sha256
    do {
      try begin(session, of: audio, origin, options).close()
    } catch {
      try? remove(session.id)
      throw error
    }
    return session
  }

  /// Begins to add the rest of a file, which has grown since it was imported, to its session, as `session(continuedBy:…)`
  /// finds it. The last segment, which may have been cut off, is recognized again, unless a person has changed it.
  private func extend(_ session: RecordedSession, by upload: Upload, _ sha256: String) throws
    -> RecordedSession
  {
    let folder = recording(of: session.id)
    guard session.state == .complete, try RecordingManifest(of: folder).origin?.sha256 != sha256 else {
      return session
    }
    let hold = try RecordingRecovery().hold(folder)
    defer { hold.close() }
    var manifest = try RecordingManifest(of: folder)
    let file = uploads.content(of: upload)
    guard let audio = try manifest.audio(of: file) else { return session }
    manifest.state = .importing
    manifest.origin = ImportedFile(file, duration: audio.duration)
    manifest.origin?.sha256 = sha256
    manifest.statedDuration = audio.statedDuration
    let warnings = (manifest.warnings ?? []).filter(\.code.isOfTranscription) + audio.warnings
    manifest.warnings = warnings.isEmpty ? nil : warnings
    // The store first: until the manifest is written, `recover` only recognizes the end of the old audio again.
    var session = session
    session.state = .importing
    try store.update(session)
    try store.reopenEnd(of: session)
    try SystemDisk().replace(folder.manifest, with: manifest.data())
    return session
  }

  /// The complete session whose audio was copied from the beginning of a file; nil if there is none, or if the file has no
  /// more audio.
  /// - Parameters:
  ///   - file: the file.
  ///   - size: the number of bytes that it had.
  ///   - sha256: the digest of these bytes, in lower-case hexadecimal digits.
  /// - Throws: `StoreError`, `RecordingError`, an error of Foundation if the file cannot be read.
  package func session(continuedBy file: URL, from size: Int64, _ sha256: String) throws -> RecordedSession? {
    guard let session = try session(withFile: sha256, size: size), session.state == .complete,
      try SHA256.hash(contentsOf: file, first: size).hexadecimal == sha256
    else { return nil }
    let manifest = try RecordingManifest(of: recording(of: session.id))
    guard let audio = try? manifest.audio(of: file), audio.duration > manifest.duration else { return nil }
    return session
  }

  /// The session whose audio was copied from a file with these bytes; nil if there is none.
  /// - Parameters:
  ///   - sha256: the digest of the bytes, in lower-case hexadecimal digits.
  ///   - size: the number of bytes.
  /// - Throws: `StoreError`.
  public func session(withFile sha256: String, size: Int64) throws -> RecordedSession? {
    try store.sessions(limit: .max).first { session in
      guard session.state != .erasing else { return false }
      let origin = try? RecordingManifest(of: recording(of: session.id)).origin
      guard let origin, origin.size == size else { return false }
      // 'longhand import' does not compute it.
      let digest =
        origin.sha256 ?? (origin.isUnchanged ? try? Self.sha256(of: URL(fileURLWithPath: origin.path)) : nil)
      return digest == sha256
    }
  }

  /// Creates the folder and the session of an import.
  private func begin(
    _ session: RecordedSession, of audio: AudioFileSource, _ origin: ImportedFile?,
    _ options: TranscriptionOptions
  ) throws -> RecordingWriter {
    let format = RecordingFormat(sampleRate: audio.sampleRate, channels: audio.channels)
    var manifest = RecordingManifest(
      id: session.id, start: session.start, source: session.source, format: format,
      statedDuration: audio.statedDuration, warnings: audio.warnings)
    (manifest.state, manifest.origin, manifest.silence) = (.importing, origin, options.silence)
    manifest.channelMode = audio.mode(options)
    let names = audio.names(options)
    manifest.speakerNames = names.isEmpty ? nil : names
    manifest.tracks = audio.tracks.isEmpty ? nil : audio.tracks
    manifest.timecode = audio.timecode
    (manifest.voices, manifest.choice) = (options.voices, options.choice)
    return try creating {
      let writer = try RecordingWriter(recording(of: session.id), manifest)
      try store.begin(session, spellings: options.secondTextSpellings)
      return writer
    }
  }

  /// Stores that the audio of a session is on the disk, and that its transcription begins.
  func transcribing(_ session: RecordedSession, _ manifest: RecordingManifest) throws -> RecordedSession {
    var session = session
    session.start = manifest.start
    session.duration = manifest.duration
    session.folder = recording(of: session.id).url.path
    session.state = .transcribing
    try store.update(session)
    return session
  }

  /// Transcribes the pending part of a recording that has ended, and completes its session.
  func transcribe(
    _ session: RecordedSession, _ manifest: RecordingManifest, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void
  ) async throws -> RecordedSession {
    var session = session
    if manifest.frames ?? 0 > 0 {
      let audio = RecordingAudio(recording(of: session.id), manifest)
      var options = transcriber.options
      options.locale = Locale(identifier: session.locale)
      if options.detectsLanguage {
        options.languages = try store.transcript(of: session.id).segments.languageTurns
      }
      let resolved = try options.resolved()
      let engine = try await EngineFactory(resolved).engine(reportsPartials: false)
      session.engine = engine.selection.rawValue
      session.model = resolved.modelStamp
      session.punctuation = resolved.punctuation
      let plan = try await plan(of: session.id, manifest, audio)
      let read = try plan.audio(of: audio)
      let done = Mutex(FileTranscriber.Progress(processed: 0, duration: audio.duration))
      let warnings = try await SessionTranscription(
        store: store, session: session, engine: plan.engine(engine), audio: audio, read: read,
        gaps: { manifest.gaps },
        report: { event in
          guard case .progress(let time) = event else { return }
          progress(
            done.withLock { done in
              done.advance(to: time)
              return done
            })
        }, plan: plan, followsSentences: true
      ).run()
      session.engine = engine.selection.rawValue
      let changes = try language(of: &session, options, duration: audio.duration)
      let found = (plan.warning.map { [$0] } ?? []) + changes + warnings
      try recording(of: session.id).replaceWarnings(ofTranscription: found)
      let failed = try await labelSpeakers(
        of: session.id, in: read, manifest.voices ?? resolved.voices,
        remembered: resolved.rememberedVoices)
      if !failed.isEmpty {
        try recording(of: session.id).replaceWarnings(ofTranscription: found + failed)
      }
    }
    return try complete(session, manifest)
  }

  /// Keeps the language of a session that was detected; until then, interrupted work goes on with detecting it.
  /// - Returns: where it changes.
  func language(
    of session: inout RecordedSession, _ options: TranscriptionOptions, duration: TimeInterval
  ) throws -> [TranscriptWarning] {
    guard options.detectsLanguage else { return [] }
    let segments = try store.transcript(of: session.id).segments
    session.locale = options.locale(of: segments).identifier(.bcp47)
    return segments.languageWarnings(duration)
  }

  /// The language in which a session is transcribed again if none is named: its own, or detected once more if it was.
  /// - Parameter options: what is used for a new session.
  package func locale(of session: RecordedSession, _ options: TranscriptionOptions) -> Locale {
    let wasDetected = (try? store.page(of: session.id, limit: 1))?.first?.language != nil
    return wasDetected && options.detectsLanguage ? options.locale : Locale(identifier: session.locale)
  }

  /// How the channels of a recording are transcribed. The first time it is decided and kept, so that interrupted work continues
  /// in the same way.
  private func plan(
    of session: String, _ manifest: RecordingManifest, _ audio: RecordingAudio
  ) async throws -> ChannelPlan {
    guard manifest.mixedChannels == nil, manifest.origin != nil,
      try store.page(of: session, limit: 1).isEmpty
    else {
      var plan = ChannelPlan(manifest)
      plan.warning = manifest.warnings?.first {
        [.separateChannels, .channelWithoutSpeech, .unusedSpeakerNames].contains($0.code)
      }
      return plan
    }
    let plan = try await ChannelPlan(
      manifest.channelMode, names: manifest.speakerNames ?? [], for: audio)
    try recording(of: session).replaceWarnings(
      ofTranscription: plan.warning.map { [$0] } ?? [], mode: plan.mode, mixed: plan.mixed)
    return plan
  }

  /// Stores that all of a recording is processed. What is missing at its end is a gap.
  func complete(_ session: RecordedSession, _ manifest: RecordingManifest) throws -> RecordedSession {
    let missing = manifest.missingEnd
    if let start = missing.first?.start { try store.setCoverage(missing, from: start, of: session.id) }
    var session = session
    session.start = manifest.start
    session.duration = manifest.duration
    session.state = manifest.state == .incomplete ? .incomplete : .complete
    try store.update(session)
    // Its audio is in the library now.
    if session.state == .complete { uploads.remove(session.id) }
    return session
  }

  /// Seconds of a gap that is not copied as samples.
  private static let skippedGap = 10.0

  /// Writes the samples of a file as a recording.
  func copy(_ audio: AudioFileSource, to writer: RecordingWriter) async throws {
    var (start, end): (Int64, Int64) = (0, 0)
    let gaps = audio.gaps.filter { $0.channel == nil }
    for gap in audio.gaps(ofAtLeast: { _ in Self.skippedGap }).map(Optional.some) + [nil] {
      for try await chunk in audio.chunks(from: start) {
        if let gap, chunk.start >= gap.start { break }
        writer.append(chunk, without: gaps)
        end = chunk.end
        // Limits the memory that the samples take.
        if writer.waitingSeconds >= 10 { try writer.flush() }
      }
      guard let gap else { break }
      // It takes no room on the disk, and no time.
      writer.skip(gap.frames, gap.reason)
      start = gap.start + gap.frames
      end = start
    }
    for gap in audio.gaps {
      guard let channel = gap.channel else { continue }
      writer.skip(channel: channel, at: gap.start - end, gap.frames, gap.reason)
    }
    try writer.finish()
  }
}
