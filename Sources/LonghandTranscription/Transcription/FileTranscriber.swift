import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscripts
import LonghandVocabulary

/// Transcribes audio files.
///
/// ```swift
/// let transcriber = FileTranscriber(options: .init(alternatives: 3))
/// let transcript = try await transcriber.transcribe(URL(fileURLWithPath: "talk.wav"))
/// print(transcript.text)
/// ```
public struct FileTranscriber: Sendable {
  /// The progress of a transcription.
  public struct Progress: Sendable, Hashable {
    /// Seconds of audio that are done.
    public var processed: TimeInterval
    /// Seconds of audio in all.
    public var duration: TimeInterval

    package init(processed: TimeInterval, duration: TimeInterval) {
      self.processed = processed
      self.duration = duration
    }

    /// Moves forward to a time, never back and never past the end.
    package mutating func advance(to seconds: TimeInterval) {
      processed = min(duration, max(processed, seconds))
    }

    /// The progress of work of several steps that take about as long, in one of them.
    package func inStep(_ step: Int, of count: Int) -> Self {
      Self(
        processed: (Double(step) * duration + min(processed, duration)) / Double(count), duration: duration)
    }
  }

  /// How files are transcribed.
  public var options: TranscriptionOptions

  /// Creates a transcriber; the default options transcribe American English.
  public init(options: TranscriptionOptions = TranscriptionOptions()) { self.options = options }

  /// Transcribes the audio of `file`. Cancelling the task stops the recognizer, calls `interrupted` with what is final,
  /// and throws `CancellationError`.
  ///
  /// If the recognizer fails on a part of the audio, the transcript is returned without that part, and
  /// `coverage.failed` has the seconds of the part.
  ///
  /// - Parameters:
  ///   - file: an audio file, or a video with audio.
  ///   - progress: called with seconds that never decrease.
  ///   - segment: called with each segment of the transcript, in order, as soon as it is final. An error that
  ///     it throws ends the work.
  ///   - interrupted: called when the task is cancelled, with the transcript so far. Its `coverage.pending` has the
  ///     seconds that were not processed.
  /// - Throws: `TranscriptionError`, and the errors of `segment`.
  public func transcribe(
    _ file: URL, progress: (Progress) -> Void = { _ in }, segment: (Segment) throws -> Void = { _ in },
    interrupted: (Transcript) -> Void = { _ in }
  ) async throws -> Transcript {
    try await transcribe(joining: [file], progress: progress, segment: segment, interrupted: interrupted)
  }

  /// Transcribes files that are parts of one recording as one, as `transcribe(_:progress:segment:interrupted:)` does for a
  /// file. Each part begins where the one before it ends, and a word may begin in one and end in the next.
  ///
  /// - Parameter parts: at least one file, in order. They have the same number of channels and audio tracks.
  /// - Returns: the transcript, with the name of the first file as its source.
  /// - Throws: `TranscriptionError`, and the errors of `segment`.
  public func transcribe(
    joining parts: [URL], progress: (Progress) -> Void = { _ in },
    segment: (Segment) throws -> Void = { _ in }, interrupted: (Transcript) -> Void = { _ in }
  ) async throws -> Transcript {
    guard let first = parts.first else { throw TranscriptionError.noAudio }
    let audio = try AudioFileSource(joining: parts, tracks: options.tracks)
    guard audio.duration > 0 else { throw TranscriptionError.noAudio }
    // The model is not loaded yet.
    progress(Progress(processed: 0, duration: audio.duration))
    let options = try options.resolved()
    if options.translates { try options.checkTranslation() }
    let plain = try await EngineFactory(options).engine(reportsPartials: false)
    let plan = try await ChannelPlan(
      audio.mode(options.request), names: audio.names(options.request), for: audio)
    let engine = plan.engine(plain)
    func transcript(
      _ segments: [Segment], _ known: [CoverageSpan.Stretch], _ warnings: [TranscriptWarning] = [],
      _ evidence: SpeakerEvidence? = nil
    ) -> Transcript {
      var transcript = Transcript(
        source: first.lastPathComponent, locale: options.request.locale(of: segments).identifier(.bcp47),
        engine: engine.selection.rawValue, model: options.modelStamp, duration: audio.duration,
        segments: segments,
        spans: CoverageSpan.all(
          of: audio.duration, (audio.gaps.stretches(audio.sampleRate) + known).inOrderOfWeight),
        vocabulary: options.languageModel?.stamp, statedDuration: audio.statedDuration,
        warnings: audio.warnings + [plan.warning].compactMap(\.self)
          + segments.languageWarnings(audio.duration) + warnings
          + (evidence?.warnings ?? []))
      (transcript.tracks, transcript.timecode) = (audio.tracks, audio.timecode)
      if segments.areMarked { transcript.punctuation = options.punctuation }
      return plan.labelled(transcript, evidence)
    }
    let (segments, known, warnings) = try await engine.transcribe(
      plan.audio(of: audio), progress: { progress($0.inStep(0, of: options.translates ? 2 : 1)) },
      segment: segment
    ) {
      interrupted(transcript($0, $1))
    }
    // The words are there anyway, also if one of these fails.
    var (evidence, translation): (SpeakerEvidence?, Translation?)
    var failures: [TranscriptWarning] = []
    do {
      do {
        evidence = try await SpeakerEvidence(
          of: plan.audio(of: audio), segments, wordless: known.wordless, voices: options.voices,
          remembered: options.rememberedVoices)
      } catch let error as TranscriptionError {
        failures.append(.voicesUnknown(0...audio.duration, error.explanation))
      }
      do {
        if options.translates {
          // What is an echo is known now.
          let labelled = transcript(segments, known, warnings, evidence).segments
          translation = try await options.translation(of: plan.audio(of: audio), labelled) {
            progress(Progress(processed: $0, duration: audio.duration).inStep(1, of: 2))
          }
          progress(Progress(processed: audio.duration, duration: audio.duration))
        }
      } catch let error as TranscriptionError {
        failures.append(.translationFailed(0...audio.duration, error.explanation))
      }
    } catch {
      interrupted(transcript(segments, known, warnings))
      throw error
    }
    var whole = transcript(segments, known, warnings + failures, evidence)
    whole.translation = translation
    return whole
  }
}
