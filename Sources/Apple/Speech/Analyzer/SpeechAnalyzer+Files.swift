import AVFAudio
import CoreMedia

extension SpeechAnalyzer {
  /// An analyzer that at once begins to read a file, and keeps itself alive until its end.
  /// - Parameter finishAfterFile: whether the session ends with the file, once all of it is final.
  /// - Throws: what the session failed of.
  public init(
    inputAudioFile: AVAudioFile, modules: [any SpeechModule], options: SpeechAnalyzer.Options? = nil,
    analysisContext: AnalysisContext = .init(), finishAfterFile: Bool = false,
    volatileRangeChangedHandler:
      sending (
        (_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void
      )? = nil
  ) async throws {
    self.init(modules: modules, options: options, context: analysisContext)
    session.setHandler(volatileRangeChangedHandler)
    try await start(inputAudioFile: inputAudioFile, finishAfterFile: finishAfterFile)
  }

  /// Begins to read a file from where it is read next, and returns at once. The audio is converted to what the
  /// modules take.
  /// - Parameter finishAfterFile: whether the session ends with the file, once all of it is final.
  /// - Throws: what the session failed of.
  final public func start(inputAudioFile audioFile: AVAudioFile, finishAfterFile: Bool = false) async throws {
    try session.check()
    guard !session.isFinished else { return }
    let number = session.beginInput()
    Task {
      await self.consume(AudioFileInputs(file: audioFile), number: number)
      if finishAfterFile { try? await self.finish(afterInput: number) }
    }
  }

  /// Reads a file from where it is read next to its end; the audio is converted to what the modules take.
  /// - Returns: where its audio ends on the timeline; nil if there was none.
  /// - Throws: `SFSpeechError.audioReadFailed`; what the session failed of.
  final public func analyzeSequence(from audioFile: AVAudioFile) async throws -> CMTime? {
    try await analyzeSequence(AudioFileInputs(file: audioFile))
  }

  /// Finishes, unless another input has taken the place of this one.
  private func finish(afterInput number: Int) async throws {
    guard session.input == number else { return }
    try await finalizeAndFinishThroughEndOfInput()
  }
}
