import AVFAudio

extension SpeechAnalyzer {
  /// The best format that all modules take: 16 kHz, mono, 16-bit. Nil without modules, or if what one needs is not
  /// installed.
  public static func bestAvailableAudioFormat(compatibleWith modules: [any SpeechModule]) async
    -> AVAudioFormat?
  {
    await bestAvailableAudioFormat(compatibleWith: modules, considering: nil)
  }

  /// `naturalFormat` if all modules take it, else the best format that they all take; nil if there is none.
  public static func bestAvailableAudioFormat(
    compatibleWith modules: [any SpeechModule], considering naturalFormat: AVAudioFormat?
  ) async -> AVAudioFormat? {
    guard let first = modules.first else { return nil }
    var common = await first.availableCompatibleAudioFormats
    for module in modules.dropFirst() {
      let formats = await module.availableCompatibleAudioFormats
      common = common.filter(formats.contains)
    }
    if let naturalFormat, common.contains(naturalFormat) { return naturalFormat }
    return common.first
  }

  /// Loads the models, so that the first words need not wait for them.
  /// - Parameter audioFormat: the format of the audio to come, if known.
  /// - Throws: `SFSpeechError.unexpectedAudioFormat` for one that is not taken; what the session failed of.
  final public func prepareToAnalyze(in audioFormat: AVAudioFormat?) async throws {
    try await prepareToAnalyze(in: audioFormat, withProgressReadyHandler: nil)
  }

  /// Loads the models, and gives the progress of that to a handler first.
  /// - Throws: `SFSpeechError.unexpectedAudioFormat` for a format that is not taken; what the session failed of.
  final public func prepareToAnalyze(
    in audioFormat: AVAudioFormat?,
    withProgressReadyHandler progressReadyHandler: sending ((Progress) -> Void)?
  ) async throws {
    try session.check()
    if let audioFormat, !AnalyzerAudioFormats.isSupported(audioFormat) {
      throw SFSpeechError(.unexpectedAudioFormat)
    }
    guard !session.isFinished else { return }
    session.startRuns()
    try session.check()
    let recognizers = session.runs.filter { $0.sink == nil && $0.recognizer != nil }.map(\.id)
    let progress = Progress(totalUnitCount: Int64(max(1, recognizers.count)))
    progressReadyHandler?(progress)
    for id in recognizers {
      // Nothing is committed: without audio it is answered as soon as the model is there.
      let token = session.number()
      session.ledger.begin(token, end: .zero, modules: [id])
      session.runs.first { $0.id == id }?.recognizer?.flush(token, isLast: false)
      try await wait { !$0.ledger.contains(token) }
      progress.completedUnitCount += 1
    }
    progress.completedUnitCount = progress.totalUnitCount
  }
}
