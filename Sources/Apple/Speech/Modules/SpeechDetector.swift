import AVFAudio
import Foundation

/// Tells speech from silence and noise, so that transcribers beside it write down nothing else.
///
/// It finds sound by its level, and tells speech from music, noise and animals by how the spectrum and the pitch move.
/// The transcribers of the same analyzer take audio for speech by it: of what is none they keep only words that the
/// recognizer is sure of. Alone it reports speech and nothing is decoded.
final public class SpeechDetector: SpeechModule {
  private let options: DetectionOptions
  private let reportsResults: Bool
  private let output = ModuleOutput<Result>()

  /// A detector; without `reportResults` its results stay empty.
  public init(detectionOptions: SpeechDetector.DetectionOptions, reportResults: Bool) {
    options = detectionOptions
    reportsResults = reportResults
  }

  /// A detector of medium sensitivity that reports nothing.
  public convenience init() {
    self.init(detectionOptions: DetectionOptions(sensitivityLevel: .medium), reportResults: false)
  }

  /// Where speech is and where none is, once: results go to whoever iterates, and wait until then.
  ///
  /// The beginning of speech is told at once, in a volatile result; stretches of speech and of none become final when
  /// they end, and tile the audio.
  final public var results: some Sendable & AsyncSequence<SpeechDetector.Result, any Error> { output.stream }

  /// The formats of transcribers; nothing has to be installed.
  final public var availableCompatibleAudioFormats: [AVAudioFormat] { AnalyzerAudioFormats.all }
}

extension SpeechDetector: AnalysisModule {
  /// What separates speech from what is none.
  var detection: SpeechDetection { options.sensitivityLevel.detection }

  var demand: TranscriptionDemand? { nil }

  func claim(for analyzer: UUID) -> Bool { output.claim(for: analyzer) }

  func makeSink(at place: Int) -> any ModuleSink {
    DetectorSink(reportsResults ? detection : nil, at: place, output: output)
  }
}
