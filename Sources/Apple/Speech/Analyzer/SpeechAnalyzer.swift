import AVFAudio
import CoreMedia

/// Analyzes speech: takes audio, from files or as it is spoken, and gives it to its modules, which publish what they
/// find.
///
/// ```swift
/// let transcriber = SpeechTranscriber(locale: Locale(identifier: "en-US"), preset: .transcription)
/// let analyzer = SpeechAnalyzer(modules: [transcriber])
/// try await analyzer.start(inputAudioFile: file, finishAfterFile: true)
/// for try await result in transcriber.results { print(result.text) }
/// ```
///
/// All audio lies on one timeline that goes on from one input to the next. The end of an input does not end the
/// session: the finishing methods do, an error does, and so does the end of the analyzer, which is kept while an
/// input is being read and whose last audio is still recognized. After the end nothing more is taken and most methods
/// do nothing; after an error every method throws it.
///
/// On Linux a transcriber that reports volatile results has a speech service of its own, of which a program has a
/// limited number: one analysis too many fails with `SFSpeechError.insufficientResources`. What need not be told
/// before it is final is decoded by a pool of services, on all processors. Audio that cannot be recognized, because
/// services die of it again and again, does not end the session: the finishing methods throw
/// `SFSpeechError.moduleOutputFailed` at its end.
final public actor SpeechAnalyzer: Sendable {
  let session: AnalysisSession

  /// Runs the analyzer on its own queue, where `volatileRange` handlers are called too.
  nonisolated final public var unownedExecutor: UnownedSerialExecutor {
    session.executor.asUnownedSerialExecutor()
  }

  /// An analyzer that waits for audio.
  ///
  /// A module that belongs to another analyzer ends the session with `SFSpeechError.moduleOutputFailed`.
  public init(modules: [any SpeechModule], options: SpeechAnalyzer.Options? = nil) {
    self.init(modules: modules, options: options, context: .init())
  }

  /// - Parameter makeRecognizer: what recognizes; nil for the real ones.
  init(
    modules: [any SpeechModule], options: SpeechAnalyzer.Options?, context: AnalysisContext,
    makeRecognizer: AnalysisSession.RecognizerFactory? = nil
  ) {
    let makeRecognizer = makeRecognizer ?? (options ?? .standard).recognizers(pool: .shared)
    session = AnalysisSession(
      executor: AnalysisExecutor(priority: options?.priority), makeRecognizer: makeRecognizer)
    let session = session
    session.executor.queue.sync {
      session.context = context
      do { try session.setModules(modules) } catch { session.end(error) }
    }
  }

  /// An analyzer that at once begins to read an input, and keeps itself alive until its end.
  public init<InputSequence>(
    inputSequence: InputSequence, modules: [any SpeechModule], options: SpeechAnalyzer.Options? = nil,
    analysisContext: AnalysisContext = .init(),
    volatileRangeChangedHandler:
      sending (
        (_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void
      )? = nil
  ) where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    self.init(modules: modules, options: options, context: analysisContext)
    // Nobody else knows of the session yet.
    session.setHandler(volatileRangeChangedHandler)
    let number = session.executor.queue.sync { [session] in session.beginInput() }
    Task { await self.consume(inputSequence, number: number) }
  }

  deinit {
    let session = session
    session.executor.queue.async { session.drain() }
  }

  /// The modules that take audio.
  final public var modules: [any SpeechModule] { session.modules }

  /// Replaces the modules. New ones get the audio that comes from now on; those that are left out publish what they
  /// still find in the audio they had, and end.
  /// - Throws: `SFSpeechError.moduleOutputFailed` for a module of another analyzer; what the session failed of.
  final public func setModules(_ newModules: [any SpeechModule]) async throws {
    try session.check()
    guard !session.isFinished else { return }
    try session.setModules(newModules)
    session.evaluate()
    try session.check()
  }

  /// What is known beforehand.
  final public var context: AnalysisContext { get async { session.context } }

  /// Tells what is known beforehand; it counts for what is said from now on. As on Apple platforms only a
  /// `DictationTranscriber` heeds contextual strings.
  /// - Throws: what the session failed of.
  final public func setContext(_ newContext: AnalysisContext) async throws {
    try session.check()
    session.setContext(newContext)
  }

  /// The audio whose results may still change; nil before there is audio, empty if all is final.
  final public var volatileRange: CMTimeRange? { session.timeline.volatileRange }

  /// Calls `handler` when the volatile range changes: its start when something has become final, its end when audio
  /// has been taken. The handler is called on the analyzer and must not take long.
  final public func setVolatileRangeChangedHandler(
    _ handler: sending ((_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void)?
  ) {
    session.setHandler(handler)
  }
}
