import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts
import LonghandVocabulary

extension Library {
  /// The result of recovering one session that did not end.
  public enum Recovered: Sendable {
    /// The session is complete now.
    case complete(RecordedSession)
    /// All audio in the library is transcribed, but a part of the session is missing. The text says which, and why.
    case incomplete(RecordedSession, String)
    /// The session was to be erased, and is erased now. The value is its ID.
    case erased(String)
    /// A person stopped the work. The value is the session's ID.
    case stopped(String)
    /// Another process works on it, or is going to. The value is the session's ID.
    case inUse(String)
    /// The recovery failed. The values are the session's ID and the reason. The audio is unchanged.
    case failed(String, String)
  }

  /// Finishes everything that was interrupted: recordings, imports, transcriptions and erasures. Sessions that are complete,
  /// or that a person stopped, are not changed, so this can be called any number of times.
  /// - Parameters:
  ///   - transcriber: its options set the vocabulary. The language and the engine are those of each session.
  ///   - progress: called with a session's ID and the progress of its transcription.
  /// - Throws: `CancellationError`, `StoreError` if the store cannot be read.
  public func recover(
    by transcriber: FileTranscriber = FileTranscriber(),
    progress: @escaping @Sendable (String, FileTranscriber.Progress) -> Void = { _, _ in }
  ) async throws -> [Recovered] {
    removeDrafts()
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: recordings.path)) ?? []
    // A session can be without a folder, and a folder without a session.
    let names = Set(folders.filter { UUID(uuidString: $0) != nil })
      .union(try store.unfinishedIDs())
    var recovered: [Recovered] = []
    for name in names.sorted() {
      if let session = try? stored(name) {
        let state = activity(of: session).state
        if state == .queued { recovered.append(.inUse(name)) }
        if state == .queued || state == .stopped { continue }
      }
      let outcome = try await recover(session: name, by: transcriber) { progress(name, $0) }
      if let outcome { recovered.append(outcome) }
    }
    return recovered
  }

  /// Finishes one session that was interrupted or stopped.
  /// - Parameters:
  ///   - id: the session's ID.
  ///   - transcriber: its options set the vocabulary. The language and the engine are those of the session.
  ///   - progress: called from any thread; the seconds never decrease.
  /// - Returns: nil if the session needs no recovery.
  /// - Throws: `CancellationError`.
  public func recover(
    session id: String, by transcriber: FileTranscriber = FileTranscriber(),
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void = { _ in }
  ) async throws -> Recovered? {
    try await recover(session: id, by: transcriber, progress: progress) {}
  }

  /// - Parameter begun: called when other processes can see that this one works on the session.
  package func recover(
    session id: String, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void = { _ in },
    begun: @escaping @Sendable () -> Void
  ) async throws -> Recovered? {
    do {
      return try await stoppable(id) {
        try await attempt(id, by: transcriber, progress: progress, begun)
      }
    } catch RecordingError.inUse {
      return .inUse(id)
    } catch is WorkStopped {
      return .stopped(id)
    } catch let error as Noted {
      try Task.checkCancellation()
      return .failed(id, error.why)
    } catch {
      try Task.checkCancellation()
      return .failed(id, note(error, of: id).why)
    }
  }

  /// Why a session failed, which is in the store.
  private struct Noted: Error {
    var why: String
  }

  private func note(_ error: any Error, of id: String) -> Noted {
    let why = String(describing: error)
    if var session = try? store.session(matching: id), !session.state.isFinal, session.state != .erasing {
      session.state = Task.isCancelled ? endOfCancelled(id) : .failed
      session.failure = why
      try? store.update(session)
    }
    return Noted(why: why)
  }

  private func attempt(
    _ id: String, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void, _ begun: () -> Void
  ) async throws -> Recovered? {
    let session = try stored(id)
    if session?.state == .complete { return nil }
    if session?.state == .erasing {
      try erase(id)
      return .erased(id)
    }
    let folder = recording(of: id)
    guard FileManager.default.fileExists(atPath: folder.url.path) else {
      guard let session, session.state != .incomplete else { return nil }
      return try endWithoutAudio(session)
    }
    if session == nil, try isEmpty(folder) { return nil }
    let manifest = try RecordingManifest(of: folder)
    let source = manifest.source(isWanted: session?.state != .incomplete || manifest.state == .incomplete)
    if session?.state == .incomplete, manifest.state != .complete, source == nil { return nil }
    let hold = try hold(folder)
    defer { hold.close() }
    // Kept until the end: it closes the file, and so ends the lock.
    var copier: RecordingWriter?
    defer { withExtendedLifetime(copier) {} }
    begun()
    do {
      return try await finish(
        id, session, manifest, source, with: hold, &copier, by: transcriber, progress: progress)
    } catch {
      // While the session is held: otherwise it would seem to be interrupted until then.
      throw note(error, of: id)
    }
  }

  /// - Parameters:
  ///   - source: the imported file, which is copied again; nil if it is not.
  ///   - hold: keeps other processes from working on the session.
  ///   - copier: is set to what copies the file, which then keeps them from it.
  private func finish(
    _ id: String, _ known: RecordedSession?, _ manifest: RecordingManifest, _ source: AudioFileSource?,
    with hold: any RecordingFile, _ copier: inout RecordingWriter?, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void
  ) async throws -> Recovered? {
    let folder = recording(of: id)
    var (session, manifest, transcriber) = (known, manifest, transcriber)
    if let choice = manifest.choice {
      transcriber.options = try await options(transcriber.options, choice)
    }
    if session == nil { session = try begin(id, manifest, transcriber.options) }
    guard var session else { return nil }
    transcriber.options.locale = Locale(identifier: session.locale)
    if let engine = EngineSelection(rawValue: session.engine) { transcriber.options.engine = engine }
    // Without a new vocabulary, the session keeps the name of the one it was recorded with.
    session.vocabulary = transcriber.options.languageModel?.stamp ?? session.vocabulary
    if let source {
      let writer = try RecordingWriter(over: folder, manifest.copiedAgain, file: hold)
      copier = writer
      do {
        try await copy(source, to: writer)
        manifest = writer.manifest
      } catch is TranscriptionError {
        // It cannot be decoded any more. What is on the disk is kept.
        manifest = try RecordingRecovery().recover(folder, with: hold).manifest
      }
    } else {
      manifest = try RecordingRecovery().recover(folder, with: hold).manifest
    }
    if session.state == .incomplete { try reopen(session, manifest) }
    session = try transcribing(session, manifest)
    session = try await transcribe(session, manifest, by: transcriber, progress: progress)
    return session.state == .complete ? .complete(session) : .incomplete(session, manifest.loss)
  }

  /// A session of the store; nil if the store has none with this ID.
  func stored(_ id: String) throws -> RecordedSession? {
    do {
      return try store.session(matching: id)
    } catch let error as StoreError {
      guard case .noSession = error.problem else { throw error }
      return nil
    }
  }

  /// Begins the session of a recording that the store does not have.
  private func begin(
    _ id: String, _ manifest: RecordingManifest, _ options: TranscriptionOptions
  ) throws -> RecordedSession? {
    guard let number = UUID(uuidString: id) else { return nil }
    let session = RecordedSession(
      id: number, source: manifest.source, locale: options.locale.identifier(.bcp47),
      engine: options.engine.rawValue, model: try options.resolved().modelStamp, start: manifest.start,
      vocabulary: options.languageModel?.stamp)
    try store.begin(session, spellings: options.secondTextSpellings)
    return session
  }

  /// Ends a session whose recording is not there any more.
  private func endWithoutAudio(_ session: RecordedSession) throws -> Recovered {
    var session = session
    let known = try store.coverageSpans(of: session.id).filter { $0.kind != .pending }.last?.end ?? 0
    if session.duration > known {
      let missing = CoverageSpan(
        start: known, end: session.duration, kind: .gap, reason: RecordingGap.Reason.source.rawValue)
      try store.setCoverage([missing], from: known, of: session.id)
    }
    session.duration = max(known, session.duration)
    session.state = .incomplete
    try store.update(session)
    return .incomplete(session, "its recording is not in the library any more")
  }

  /// Makes the part that was missing pending, after the audio was copied again.
  private func reopen(_ session: RecordedSession, _ manifest: RecordingManifest) throws {
    let spans = try store.coverageSpans(of: session.id)
    guard let start = spans.last(where: { $0.reason == RecordingGap.Reason.source.rawValue })?.start else {
      return
    }
    let end = manifest.format.seconds(manifest.frames ?? 0)
    try store.setCoverage(
      end > start ? [CoverageSpan(start: start, end: end, kind: .pending)] : [], from: start, of: session.id)
  }

  /// The recording of a session, which is not erased or recovered until `hold` is closed. What is asked of the audio of its
  /// transcript is asked of `manifest.read(audio)`.
  /// - Parameter silent: thrown if the recording has no audio.
  /// - Throws: `RecordingError`.
  func heldAudio(
    of session: String, orThrow silent: any Error = TranscriptionError.noAudio
  ) throws -> (hold: any RecordingFile, manifest: RecordingManifest, audio: RecordingAudio) {
    let folder = recording(of: session)
    let hold = try RecordingRecovery().hold(folder)
    do {
      let manifest = try RecordingRecovery().recover(folder, with: hold).manifest
      let audio = RecordingAudio(folder, manifest)
      guard audio.durable > 0 else { throw silent }
      return (hold, manifest, audio)
    } catch {
      hold.close()
      throw error
    }
  }

  /// Opens the audio of a recording, which keeps other processes from working on it.
  private func hold(_ folder: RecordingFolder) throws -> any RecordingFile {
    guard !FileManager.default.fileExists(atPath: folder.audio.path) else {
      return try RecordingRecovery().hold(folder)
    }
    // Another process may be about to create it.
    guard let lock = try? FolderLock(recordings, .exclusive) else {
      throw RecordingError.inUse(path: folder.audio.path)
    }
    defer { withExtendedLifetime(lock) {} }
    return try RecordingRecovery().hold(folder)
  }

  /// Whether a folder without a session has nothing to recover. If a killed process left it before it had a manifest, and
  /// so before any audio, it is removed.
  private func isEmpty(_ folder: RecordingFolder) throws -> Bool {
    // Another process may be about to write the manifest.
    guard let lock = try? FolderLock(recordings, .exclusive) else {
      return !FileManager.default.fileExists(atPath: folder.manifest.path)
    }
    defer { withExtendedLifetime(lock) {} }
    guard !FileManager.default.fileExists(atPath: folder.manifest.path),
      !FileManager.default.fileExists(atPath: folder.audio.path)
    else { return false }
    try FileManager.default.removeItem(at: folder.url)
    return true
  }

  /// Removes the empty files that processes left when they were killed while they created the store.
  private func removeDrafts() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    for name in names where name.hasPrefix(".") && UUID(uuidString: String(name.dropFirst())) != nil {
      try? FileManager.default.removeItem(at: url.appendingPathComponent(name))
    }
  }
}

extension RecordingManifest {
  /// The imported file, to copy it again; nil if it is not wanted, not there, or changed.
  fileprivate func source(isWanted: Bool) -> AudioFileSource? {
    guard isWanted, state == .importing || state == .incomplete, let origin, origin.isUnchanged else {
      return nil
    }
    return try? audio(of: URL(fileURLWithPath: origin.path))
  }

  /// The audio of a file with the tracks of the recording; nil if it has another format.
  /// - Throws: `TranscriptionError`.
  func audio(of file: URL) throws -> AudioFileSource? {
    let audio = try AudioFileSource(file, tracks: tracks?.filter(\.isIncluded).map(\.number))
    return audio.sampleRate == format.sampleRate && audio.channels == format.channels ? audio : nil
  }

  /// The manifest of the same import from its start.
  fileprivate var copiedAgain: RecordingManifest {
    var manifest = self
    (manifest.state, manifest.frames, manifest.gaps) = (.importing, nil, [])
    return manifest
  }

  /// The part of an import that is missing, and why.
  fileprivate var loss: String {
    let seconds = missingEnd.reduce(0) { $0 + $1.end - $1.start }
    let path = origin?.path ?? source
    let reason = FileManager.default.fileExists(atPath: path) ? "has changed since" : "is not there any more"
    return "\(String(format: "%.1f", seconds)) s at its end are missing, because \(path) \(reason)"
  }
}
