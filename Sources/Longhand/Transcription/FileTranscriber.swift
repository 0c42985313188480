import AVFAudio
import Foundation
import Speech

/// Turns a sound file into a transcript.
public struct FileTranscriber: Sendable {
  /// How a file is transcribed.
  public struct Options: Sendable, Hashable {
    /// The language to listen for.
    public var locale: Locale
    /// The most candidates to keep for a segment, at least 1.
    public var alternatives: Int

    /// Each field by its name.
    public init(locale: Locale = Locale(identifier: "en-US"), alternatives: Int = 5) {
      self.locale = locale
      self.alternatives = alternatives
    }
  }

  /// How far the work has come.
  public struct Progress: Sendable, Hashable {
    /// Seconds of audio that are done.
    public var processed: TimeInterval
    /// Seconds of audio in all.
    public var duration: TimeInterval
  }

  /// How the files are transcribed.
  public var options: Options

  /// A transcriber that works as `options` say.
  public init(options: Options = Options()) { self.options = options }

  /// Transcribes the sound of `file`. Cancelling the task stops the recognizer and throws `CancellationError`.
  ///
  /// Where the recognizer failed on a part of the audio the transcript is returned all the same, and that part's
  /// seconds stand in `coverage.failed`.
  ///
  /// - Parameters:
  ///   - file: a sound file, or a video with sound.
  ///   - progress: called from any thread, with seconds that never go back.
  /// - Throws: `TranscriptionError`.
  public func transcribe(
    _ file: URL, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> Transcript {
    let duration = try Self.duration(of: file)
    guard let recognizer = SFSpeechRecognizer(locale: options.locale) else {
      throw TranscriptionError.unsupportedLocale(options.locale.identifier(.bcp47))
    }
    let request = SFSpeechURLRecognitionRequest(url: file)
    request.shouldReportPartialResults = false
    request.requiresOnDeviceRecognition = true
    let recognition = FileRecognition(duration: duration, options: options, progress: progress)
    return try await withTaskCancellationHandler {
      try await recognition.run(request, by: recognizer, source: file.lastPathComponent)
    } onCancel: {
      recognition.cancel()
    }
  }

  /// The length of a file's sound in seconds.
  private static func duration(of file: URL) throws(TranscriptionError) -> TimeInterval {
    let seconds: TimeInterval
    do {
      let sound = try AVAudioFile(forReading: file)
      seconds = Double(sound.length) / sound.processingFormat.sampleRate
    } catch {
      guard FileManager.default.isReadableFile(atPath: file.path) else {
        throw .unreadable("no such file, or it may not be read")
      }
      // The path is the reader's own, and stands beside every message about it already.
      let text = (error as NSError).localizedDescription
      throw .undecodable(text.range(of: "\(file.path): ").map { String(text[$0.upperBound...]) } ?? text)
    }
    guard seconds > 0 else { throw .noAudio }
    return seconds
  }
}
