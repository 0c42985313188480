import RecognitionCore
import AVFAudio
import Foundation

extension SpeechAnalyzer {
  /// The best format that all modules accept: 16 kHz, mono, 16-bit. Nil if the list is empty or a model that a module
  /// needs is not installed.
  public static func bestAvailableAudioFormat(compatibleWith modules: [any SpeechModule]) async
    -> AVAudioFormat?
  {
    await bestAvailableAudioFormat(compatibleWith: modules, considering: nil)
  }

  /// `naturalFormat` if all modules accept it, or else the best format that they all accept; nil if there is none.
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

  /// The best format that all modules accept.
  /// - Throws: `SFSpeechError.incompatibleAudioFormats` if there is none.
  static func format(compatibleWith modules: [any SpeechModule]) async throws -> AVAudioFormat {
    guard let format = await bestAvailableAudioFormat(compatibleWith: modules) else {
      let text =
        "The modules have no audio format in common. If their models are not installed yet, install them with "
        + "AssetInventory.assetInstallationRequest(supporting:)."
      throw SFSpeechError(.incompatibleAudioFormats, userInfo: [NSLocalizedDescriptionKey: text])
    }
    return format
  }

  /// Loads the models, so that the first words do not wait for them.
  /// - Parameter audioFormat: the format of the audio to come, if known.
  /// - Throws: `SFSpeechError.unexpectedAudioFormat` if the format is not accepted; the error that ended the session.
  final public func prepareToAnalyze(in audioFormat: AVAudioFormat?) async throws {
    try await prepareToAnalyze(in: audioFormat, withProgressReadyHandler: nil)
  }

  /// Loads the models. The handler receives the progress before loading starts.
  /// - Throws: `SFSpeechError.unexpectedAudioFormat` if the format is not accepted; the error that ended the session.
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
      // Without audio there is nothing to commit: the recognizer answers as soon as its model is loaded.
      let token = session.number()
      session.ledger.begin(token, end: .zero, modules: [id])
      session.runs.first { $0.id == id }?.recognizer?.flush(token, isLast: false)
      try await wait { !$0.ledger.contains(token) }
      progress.completedUnitCount += 1
    }
    progress.completedUnitCount = progress.totalUnitCount
  }
}
