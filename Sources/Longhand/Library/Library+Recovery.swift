import Foundation

extension Library {
  /// What was to be done with a recording that did not end.
  public enum Recovered: Sendable {
    /// It was mended and transcribed.
    case complete(RecordedSession)
    /// It is being made by another process.
    case inUse(String)
    /// It could not be taken up; the text says why. Nothing of it was changed or lost.
    case failed(String, String)
  }

  /// Takes up every recording that did not end cleanly. It can be run any number of times; what is complete is left
  /// alone.
  /// - Parameters:
  ///   - transcriber: how they are transcribed, but for the language, which is that of the session.
  ///   - progress: called with a session's id and how far its transcription has come.
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

  /// - Returns: nil if there was nothing to be done.
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
    // What was heard with a vocabulary keeps its name.
    session.vocabulary = transcriber.options.languageModel?.stamp ?? session.vocabulary
    return try await transcribe(session, manifest, by: transcriber, progress: progress)
  }
}
