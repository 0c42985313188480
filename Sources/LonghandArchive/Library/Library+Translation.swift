import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts

extension Library {
  /// Makes the second text of a session in English, from its audio; see `Translation`. The transcript does not change, and an
  /// earlier translation is replaced.
  /// - Parameters:
  ///   - id: the ID of a session that is completely transcribed.
  ///   - options: they choose the model. Where segments have no language of their own, it is the session's.
  ///   - progress: called with the seconds that are done, and all.
  /// - Throws: `TranscriptionError`, `RecordingError`, `StoreError`, `CancellationError`, `WorkStopped`. After an error the session is
  ///   unchanged.
  @discardableResult public func translate(
    _ id: String, by options: TranscriptionOptions,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void = { _ in }
  ) async throws -> Translation {
    let session = try store.session(matching: id)
    return try await stoppable(session.id) {
      try await translated(session, by: options, progress: progress)
    }
  }

  private func translated(
    _ session: RecordedSession, by options: TranscriptionOptions,
    progress: (FileTranscriber.Progress) -> Void
  ) async throws -> Translation {
    let (hold, manifest, audio) = try heldAudio(of: session.id)
    defer { hold.close() }
    var options = options
    options.locale = Locale(identifier: session.locale)
    if options.detectsLanguage { options.locale = TranscriptionOptions().locale }
    let segments = try store.transcript(of: session.id).segments
    let translation = try await options.resolved().translation(of: manifest.read(audio), segments) {
      progress(.init(processed: $0, duration: audio.duration))
    }
    try store.setTranslation(translation, of: session.id)
    return translation
  }
}
