import Foundation

extension Library {
  /// The result of recovering one recording that did not end.
  public enum Recovered: Sendable {
    /// The recording was repaired and transcribed.
    case complete(RecordedSession)
    /// Another process is still recording it. The value is the session's ID.
    case inUse(String)
    /// The recovery failed. The values are the session's ID and the reason. The audio is unchanged.
    case failed(String, String)
  }

  /// Recovers every recording that did not end cleanly. Complete sessions are not changed, so this can be called any
  /// number of times.
  /// - Parameters:
  ///   - transcriber: its options set the vocabulary. The language and the engine are those of each session.
  ///   - progress: called with a session's ID and the progress of its transcription.
  /// - Throws: `CancellationError`, `StoreError` if the store cannot be read.
  public func recover(
    by transcriber: FileTranscriber = FileTranscriber(),
    progress: @escaping @Sendable (String, FileTranscriber.Progress) -> Void = { _, _ in }
  ) async throws -> [Recovered] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: recordings.path))?.sorted() ?? []
    var recovered: [Recovered] = []
    for name in names where UUID(uuidString: name) != nil {
      do {
        let session = try await recover(name, by: transcriber) { progress(name, $0) }
        if let session { recovered.append(.complete(session)) }
      } catch RecordingError.inUse {
        recovered.append(.inUse(name))
      } catch {
        try Task.checkCancellation()
        recovered.append(.failed(name, String(describing: error)))
      }
    }
    return recovered
  }

  /// - Returns: nil if the session needs no recovery.
  private func recover(
    _ id: String, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void
  ) async throws -> RecordedSession? {
    let manifest = try RecordingRecovery().recover(recording(of: id)).manifest
    var session: RecordedSession
    do {
      session = try store.session(matching: id)
    } catch let error as StoreError {
      guard case .noSession = error.problem, let number = UUID(uuidString: id) else { throw error }
      let options = transcriber.options
      session = RecordedSession(
        id: number, source: manifest.source, locale: options.locale.identifier(.bcp47),
        engine: options.engine.rawValue, start: manifest.start, vocabulary: options.languageModel?.stamp)
      try store.begin(session)
    }
    guard session.state == .recording || session.state == .interrupted else { return nil }
    session.duration = manifest.format.seconds(manifest.frames ?? 0)
    session.folder = recording(of: id).url.path
    var transcriber = transcriber
    transcriber.options.locale = Locale(identifier: session.locale)
    if let engine = EngineSelection(rawValue: session.engine) { transcriber.options.engine = engine }
    // Without a new vocabulary, the session keeps the name of the one it was recorded with.
    session.vocabulary = transcriber.options.languageModel?.stamp ?? session.vocabulary
    return try await transcribe(session, manifest, by: transcriber, progress: progress)
  }
}
