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
    /// What listens.
    public var engine: EngineSelection
    /// The language model of a domain, which is used beside the general one.
    public var languageModel: LanguageModelFolder?
    /// Whether another candidate than the recognizer's first choice may stand.
    public var reranking: CandidateRerankingPolicy

    /// Each field by its name.
    public init(
      locale: Locale = Locale(identifier: "en-US"), alternatives: Int = 5,
      engine: EngineSelection = .automatic, languageModel: LanguageModelFolder? = nil,
      reranking: CandidateRerankingPolicy = .conservative
    ) {
      self.locale = locale
      self.alternatives = alternatives
      self.engine = engine
      self.languageModel = languageModel
      self.reranking = reranking
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
  ///   - segment: called with every segment of the transcript, in order, as soon as it stands; it does not change any
  ///     more. What it throws ends the work.
  /// - Throws: `TranscriptionError`, and what `segment` throws.
  public func transcribe(
    _ file: URL, progress: @escaping @Sendable (Progress) -> Void = { _ in },
    segment: (Segment) throws -> Void = { _ in }
  ) async throws -> Transcript {
    let sound = try Self.open(file)
    let duration = Double(sound.length) / sound.processingFormat.sampleRate
    guard duration > 0 else { throw TranscriptionError.noAudio }
    // Whatever engine it is, its reports are brought into order and within the file.
    let reports = ProgressReports(duration: duration, receive: progress)
    let (heard, hears) = AsyncStream<Segment>.makeStream()
    var segments: [Segment] = []
    let (engine, failures) = try await withThrowingTaskGroup(
      of: (EngineSelection, [ClosedRange<TimeInterval>]).self
    ) { recognition in
      recognition.addTask {
        defer { hears.finish() }
        let (engine, outcome) = try await recognize(file, sound) {
          reports.add($0)
        } segment: {
          hears.yield($0)
        }
        return (engine, outcome.failures)
      }
      let reranker = options.reranker()
      for await new in heard {
        segments.append(new)
        await segments.elect(new.id, by: reranker)
        try Task.checkCancellation()
        try segment(segments[new.id])
      }
      guard let outcome = try await recognition.next() else { throw CancellationError() }
      return outcome
    }
    let spans = CoverageSpan.all(
      of: duration,
      failures.map { ($0, .failed, "the recognizer failed") }
        + segments.map { ($0.start...$0.end, .transcribed, "") })
    return Transcript(
      source: file.lastPathComponent, locale: options.locale.identifier(.bcp47), engine: engine.rawValue,
      duration: duration, segments: segments, coverage: Coverage(spans),
      vocabulary: options.languageModel?.stamp)
  }

  private func recognize(
    _ file: URL, _ sound: AVAudioFile, report: @escaping @Sendable (TimeInterval) -> Void,
    segment: @escaping @Sendable (Segment) -> Void
  ) async throws -> (EngineSelection, RecognitionOutcome) {
    if options.engine != .rolling, SpeechTranscriber.isAvailable || options.engine == .analyzer,
      let locale = await SpeechTranscriber.supportedLocale(equivalentTo: options.locale)
    {
      let modules = AnalyzerModules(
        locale: locale, alternatives: options.alternatives,
        languageModel: options.languageModel?.configuration)
      let analysis = FileAnalysis(modules: modules, report: report, segment: segment)
      return (.analyzer, try await analysis.run(sound))
    }
    guard options.engine != .analyzer, let recognizer = SFSpeechRecognizer(locale: options.locale) else {
      throw TranscriptionError.unsupportedLocale(options.locale.identifier(.bcp47))
    }
    let request = SFSpeechURLRecognitionRequest(url: file)
    request.shouldReportPartialResults = false
    request.requiresOnDeviceRecognition = true
    request.customizedLanguageModel = options.languageModel?.configuration
    let recognition = FileRecognition(
      alternatives: options.alternatives, report: report, segment: segment)
    return (
      .rolling,
      try await withTaskCancellationHandler {
        try await recognition.run(request, by: recognizer)
      } onCancel: {
        recognition.cancel()
      }
    )
  }

  /// Opens a file's sound.
  static func open(_ file: URL) throws(TranscriptionError) -> AVAudioFile {
    do {
      return try AVAudioFile(forReading: file)
    } catch {
      guard FileManager.default.isReadableFile(atPath: file.path) else {
        throw .unreadable("no such file, or it may not be read")
      }
      // The path is the reader's own, and stands beside every message about it already.
      let text = (error as NSError).localizedDescription
      throw .undecodable(text.range(of: "\(file.path): ").map { String(text[$0.upperBound...]) } ?? text)
    }
  }
}
