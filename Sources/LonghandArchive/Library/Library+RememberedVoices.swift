import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts
import SpeakerDiarization

/// Voices that are remembered beyond a session.
extension Library {
  /// Remembers the voice of a speaker in a session. From then on, this person is recognized where voices are separated with the
  /// same file. Remembering a person again, from other recordings, adds to what is known.
  /// - Parameters:
  ///   - speaker: the name or the ID of a speaker with a name that a person gave.
  ///   - id: the ID of a session that is completely transcribed.
  ///   - file: the file of the remembered voices, such as `RememberedVoices.defaultLocation`.
  /// - Returns: what is known of the voice.
  /// - Throws: `RememberedVoicesError`, `SpeakerError`, `TranscriptionError`, `RecordingError`, `StoreError`,
  ///   `CancellationError`. After an error, nothing is remembered.
  @discardableResult package func rememberVoice(
    of speaker: String, in id: String, at file: URL
  ) async throws -> RememberedVoices.Voice {
    let session = try store.session(matching: id)
    guard session.state.isFinal else { throw RememberedVoicesError.unfinished }
    let entry = try store.speakers(of: session.id).personsEntry(of: speaker)
    let name = try SessionSpeakers.checked(entry.name ?? speaker)
    guard FileManager.default.fileExists(atPath: recording(of: session.id).audio.path) else {
      throw RememberedVoicesError.noAudio
    }
    let (hold, manifest, audio) = try heldAudio(of: session.id, orThrow: RememberedVoicesError.noAudio)
    defer { hold.close() }
    let parts = try store.transcript(of: session.id).speech(of: entry.id)
    // Of several microphones, one is enough.
    let most = parts.max { ($0.value.seconds, $1.key ?? -1) < ($1.value.seconds, $0.key ?? -1) }
    let channel = most?.key ?? nil
    let source = try channel.map { audio.source(ofChannel: $0) } ?? manifest.read(audio)
    let print = try await source.voicePrint(of: most?.value ?? [])
    let needed = VoicePrint.goodSeconds
    guard let print, print.seconds >= needed else {
      throw RememberedVoicesError.tooLittle(name, seconds: print?.seconds ?? 0, needed: needed)
    }
    return try RememberedVoices.change(at: file) { voices in voices.remember(print, as: name) }
  }
}

extension Transcript {
  /// Where a speaker says words, in seconds, by the channel; nil for the mix.
  fileprivate func speech(of speaker: String) -> [Int?: [ClosedRange<TimeInterval>]] {
    let parts = segments.compactMap(\.withoutEcho).flatMap { segment in
      let isOwn = segment.words.isEmpty && segment.speaker?.speaker == speaker
      let words = segment.words.filter { $0.speaker == speaker }.map { $0.start...max($0.start, $0.end) }
      return (isOwn ? [segment.range] : words).map { (segment.channel, $0) }
    }
    return Dictionary(grouping: parts, by: \.0).mapValues { $0.map(\.1) }
  }
}

extension [ClosedRange<TimeInterval>] {
  fileprivate var seconds: TimeInterval { reduce(0) { $0 + $1.upperBound - $1.lowerBound } }
}
