import RecognitionCore
import CoreMedia

/// Analyzes speech: receives audio from a file, a microphone or any other source, and passes it to its modules. Each
/// module publishes its own results.
///
/// ```swift
/// import Speech
///
/// let transcriber = SpeechTranscriber(locale: Locale(identifier: "en-US"), preset: .transcription)
/// if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
///   try await request.downloadAndInstall()
/// }
/// let analyzer = SpeechAnalyzer(modules: [transcriber])
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.wav"))
/// try await analyzer.start(inputAudioFile: file, finishAfterFile: true)
/// for try await result in transcriber.results { print(String(result.text.characters)) }
/// ```
///
/// All audio is on one timeline, which continues from one input to the next. The end of an input does not end the
/// session. The session ends when a finishing method is called, when an error occurs, or when the analyzer is released;
/// then the audio so far is still recognized. While an analyzer reads an input, it keeps itself alive. After the end of
/// the session most methods do nothing. After an error every method throws that error.
///
/// On Linux:
/// - A transcriber that reports volatile results uses one process of the speech service for itself. Their number is
///   limited: one analysis too many fails with `SFSpeechError.insufficientResources`.
/// - Final results alone come from a pool of processes, which decode on all processors.
/// - Audio on which the service crashes again and again does not end the session. The finishing methods throw
///   `SFSpeechError.moduleOutputFailed` at the end.
/// - If the executable of the speech service is missing, the analysis fails with `SFSpeechError.internalServiceError`; the
///   description says how to add it.
final public actor SpeechAnalyzer: Sendable {
  let session: AnalysisSession

  /// The analyzer's own queue. It also calls the handlers of `volatileRange`.
  nonisolated final public var unownedExecutor: UnownedSerialExecutor {
    session.executor.asUnownedSerialExecutor()
  }

  /// Creates an analyzer that waits for audio.
  ///
  /// A module that belongs to another analyzer ends the session with `SFSpeechError.moduleOutputFailed`.
  public init(modules: [any SpeechModule], options: SpeechAnalyzer.Options? = nil) {
    self.init(modules: modules, options: options, context: .init())
  }

  /// - Parameter makeRecognizer: creates the recognizers; nil for the speech service.
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

  /// Creates an analyzer that starts to read an input at once and stays alive until its end.
  public init<InputSequence>(
    inputSequence: InputSequence, modules: [any SpeechModule], options: SpeechAnalyzer.Options? = nil,
    analysisContext: AnalysisContext = .init(),
    volatileRangeChangedHandler:
      sending (
        (_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void
      )? = nil
  ) where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
    self.init(modules: modules, options: options, context: analysisContext)
    // No other code can access the session yet.
    session.setHandler(volatileRangeChangedHandler)
    let number = session.executor.queue.sync { [session] in session.beginInput(inputSequence) }
    Task { await self.consume(inputSequence, number: number) }
  }

  deinit {
    let session = session
    session.executor.queue.async { session.drain() }
  }

  /// The modules that receive audio.
  final public var modules: [any SpeechModule] { session.modules }

  /// Replaces the modules. New modules receive the audio from now on. Removed modules publish the results for the audio
  /// that they have received, and end.
  /// - Throws: `SFSpeechError.moduleOutputFailed` if a module belongs to another analyzer; the error that ended the
  ///   session.
  final public func setModules(_ newModules: [any SpeechModule]) async throws {
    try session.check()
    guard !session.isFinished else { return }
    try session.setModules(newModules)
    session.evaluate()
    try session.check()
  }

  /// What is known about the speech in advance.
  final public var context: AnalysisContext { get async { session.context } }

  /// Sets what is known about the speech in advance. It applies to the audio from now on. On Linux all transcribers
  /// use contextual strings; on Apple platforms, `DictationTranscriber` alone.
  /// - Throws: the error that ended the session.
  final public func setContext(_ newContext: AnalysisContext) async throws {
    try session.check()
    session.setContext(newContext)
  }

  /// The range of audio whose results may still change; nil before there is audio, empty if everything is final.
  final public var volatileRange: CMTimeRange? { session.timeline.volatileRange }

  /// Sets a handler for changes of the volatile range. The start changes when results become final, the end when audio
  /// arrives. The handler runs on the analyzer's queue and must return quickly.
  final public func setVolatileRangeChangedHandler(
    _ handler: sending ((_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void)?
  ) {
    session.setHandler(handler)
  }
}
