import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscripts
import LonghandVocabulary

extension Library {
  /// What became of one transcript of an archive.
  package enum ImportedTranscript: Sendable, Hashable {
    /// It is a new session. The warnings are those of its audio; the library keeps them only with the audio.
    case added(RecordedSession, [TranscriptWarning])
    /// The library has it already. The value is the session's ID.
    case known(String)
  }

  /// Takes a transcript that `longhand worker` wrote, without decoding anything again. The same job and the same audio
  /// are taken only once. Repeating an import that was interrupted finishes it.
  /// - Parameters:
  ///   - line: one line of the worker's output.
  ///   - audio: finds the audio of a location that the job named; nil to import the text alone.
  ///   - spellings: what the second text of the segments is written by, see `Vocabulary.spellings`; nil for no such text.
  /// - Throws: `TranscriptImportError` if the line is not such a transcript, or if the audio is not the one that was
  ///   transcribed; `TranscriptionError`, `StoreError`, `RecordingError`, `CancellationError`. The library is unchanged
  ///   then.
  package func importTranscript(
    _ answer: WorkerTranscript, audio: ((String) -> URL)? = nil, spellings: Vocabulary? = nil
  ) async throws -> ImportedTranscript {
    let id = Self.identifier(of: answer)
    let name = id.uuidString.lowercased()
    guard try !store.hasSession(name) else { return .known(name) }
    let transcript = answer.transcript
    var session = RecordedSession(
      id: id, source: transcript.source, locale: transcript.locale, engine: transcript.engine,
      model: transcript.model, start: Date(), duration: transcript.duration, state: .complete,
      vocabulary: transcript.vocabulary)
    session.punctuation = transcript.punctuation
    guard let audio else {
      try store.add(session, transcript, answer.speakers, spellings: spellings)
      return .added(session, transcript.warnings)
    }
    guard let writer = try await copy(audio(answer.path), of: answer, to: &session) else {
      return .known(name)
    }
    do {
      try store.add(session, transcript, answer.speakers, spellings: spellings)
    } catch {
      // Another process may have added the session meanwhile. What cannot be known is kept.
      let isKnown = try? store.hasSession(name)
      if isKnown == true { return .known(name) }
      if isKnown == false { try? FileManager.default.removeItem(at: recording(of: name).url) }
      throw error
    }
    withExtendedLifetime(writer) {}
    return .added(session, transcript.warnings)
  }

  /// The same for the same job and audio, so that an import that was interrupted can be repeated.
  private static func identifier(of answer: WorkerTranscript) -> UUID {
    let digest = Array(SHA256.hash(data: Data("worker\n\(answer.sha256)\n\(answer.id)".utf8)))
    return UUID(
      uuid: (
        digest[0], digest[1], digest[2], digest[3], digest[4], digest[5], digest[6], digest[7], digest[8],
        digest[9], digest[10], digest[11], digest[12], digest[13], digest[14], digest[15]
      ))
  }

  /// Copies the audio that was transcribed.
  /// - Returns: what keeps other processes from the copy; nil if another process has added the session meanwhile.
  private func copy(
    _ file: URL, of answer: WorkerTranscript, to session: inout RecordedSession
  ) async throws -> RecordingWriter? {
    let audio = try AudioFileSource(
      file,
      tracks: answer.transcript.tracks.isEmpty
        ? nil : answer.transcript.tracks.filter(\.isIncluded).map(\.number))
    guard try SHA256.hash(contentsOf: file).hexadecimal == answer.sha256 else {
      throw TranscriptImportError(
        description: "\(file.path) is not the audio that was transcribed: its SHA-256 digest differs.")
    }
    let folder = recording(of: session.id)
    var manifest = RecordingManifest(
      id: session.id, start: session.start, source: session.source,
      format: RecordingFormat(sampleRate: audio.sampleRate, channels: audio.channels),
      statedDuration: answer.transcript.statedDuration, warnings: answer.transcript.warnings)
    (manifest.state, manifest.origin) = (.importing, ImportedFile(file, duration: audio.duration))
    manifest.channelMode = answer.speakers.entries.contains { $0.basis == .channel } ? .separate : nil
    guard try removeAbandoned(folder, of: session.id) else { return nil }
    let writer = try creating { [manifest] in try RecordingWriter(folder, manifest) }
    do {
      try await copy(audio, to: writer)
    } catch {
      try? FileManager.default.removeItem(at: folder.url)
      throw error
    }
    session.folder = folder.url.path
    return writer
  }

  /// Removes what an import that was interrupted left of a recording whose session is not in the store.
  /// - Returns: false if the session is in the store.
  private func removeAbandoned(_ folder: RecordingFolder, of session: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: folder.url.path) else { return true }
    let hold = try RecordingRecovery().hold(folder)
    defer { hold.close() }
    // While this import read its audio, another process may have finished the same one.
    guard try !store.hasSession(session) else { return false }
    try FileManager.default.removeItem(at: folder.url)
    return true
  }
}
