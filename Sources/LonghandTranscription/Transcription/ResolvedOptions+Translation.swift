import Foundation
import LonghandRecording
import LonghandTranscripts
import Speech

extension ResolvedOptions {
  /// Checks that the model translates.
  /// - Throws: `TranscriptionError.notInstalled`.
  package func checkTranslation() throws(TranscriptionError) {
    #if os(Linux)
      if speechModel?.translates == true { return }
    #endif
    throw .notInstalled(
      "the recognizer\(modelStamp.map { "'s model '\($0.name)'" } ?? "") does not translate",
      hint: "Use a Whisper model for several languages: --model whisper-base.")
  }

  /// Translates what was recognized into English, from its sound. What is in English already stays as it is, and what is the echo
  /// of another channel is left out.
  /// - Parameters:
  ///   - audio: the audio of all segments.
  ///   - progress: called with the seconds that are done.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package func translation(
    of audio: any AudioSource, _ segments: [Segment], progress: (TimeInterval) -> Void = { _ in }
  ) async throws -> Translation {
    try checkTranslation()
    let common = request.locale(of: segments).identifier(.bcp47)
    var passages: [Translation.Passage] = []
    // Each source goes on reading where it is.
    var sources: [Int: any AudioSource] = [:]
    for segment in segments.compactMap(\.withoutEcho) where !segment.text.isEmpty {
      let language = segment.language ?? common
      var own = audio
      if let channel = segment.channel, let channels = audio as? any ChannelAudio {
        own = try sources[channel] ?? channels.source(ofChannel: channel)
        sources[channel] = own
      }
      var text = segment.text
      if !Locale(identifier: language).isEnglish {
        text = try await translated(own, from: segment.start, to: segment.end, language)
      }
      passages.append(.init(start: segment.start, end: segment.end, text: text))
      progress(segment.end)
    }
    return Translation(model: modelStamp?.name ?? "the model", passages: passages)
  }

  /// The longest part that a model hears at once, and what is heard before and after the words, in seconds.
  private static var lengths: (part: TimeInterval, margin: TimeInterval) { (28, 0.1) }

  private func translated(
    _ audio: any AudioSource, from start: TimeInterval, to end: TimeInterval, _ language: String
  ) async throws -> String {
    var texts: [String] = []
    for part in stride(from: start, to: max(end, start + 0.1), by: Self.lengths.part) {
      let range = (part - Self.lengths.margin, min(part + Self.lengths.part, end) + Self.lengths.margin)
      var samples: [Int16] = []
      try await audio.forEachVoiceSample(from: max(0, range.0), to: range.1) { samples += $0 }
      texts.append(try await translated(samples, language))
    }
    return texts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func translated(_ samples: [Int16], _ language: String) async throws -> String {
    try Task.checkCancellation()
    #if os(Linux)
      guard let model = speechModel else { return "" }
      let translation = SpeechTranslation(model)
      // Threads of Swift's concurrency must not wait for a process.
      let text: Result<String, any Error> = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            returning: Result { try translation.text(of: samples, in: language) })
        }
      }
      try Task.checkCancellation()
      do { return try text.get() } catch { throw TranscriptionError.recognizerFailed(error.explanation) }
    #else
      return ""
    #endif
  }
}
