import RecognitionCore
import AVFAudio
import CoreMedia
import Foundation

/// Detects speech, so that the transcribers of the same analyzer ignore silence, music and noise.
///
/// It finds audio above the background level, and separates speech from other sounds by how the spectrum and the pitch
/// change. Where it finds no speech, transcribers keep only words that the recognizer is sure of. An analyzer with
/// nothing but a detector recognizes no words.
///
/// ```swift
/// import Speech
///
/// let detector = SpeechDetector(
///   detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.wav"))
/// let analyzer = try await SpeechAnalyzer(
///   inputAudioFile: file, modules: [detector], finishAfterFile: true)
/// for try await result in detector.results where result.isFinal && result.speechDetected {
///   print(result.range.start.seconds, result.range.end.seconds)
/// }
/// ```
final public class SpeechDetector: SpeechModule {
  private let options: DetectionOptions
  private let reportsResults: Bool
  private let output = ModuleOutput<Result>()

  /// Creates a detector. Without `reportResults`, `results` is empty.
  public init(detectionOptions: SpeechDetector.DetectionOptions, reportResults: Bool) {
    options = detectionOptions
    reportsResults = reportResults
  }

  /// Creates a detector of medium sensitivity that reports no results.
  public convenience init() {
    self.init(detectionOptions: DetectionOptions(sensitivityLevel: .medium), reportResults: false)
  }

  /// Ranges of audio with and without speech. Each result is delivered once and waits until it is read.
  ///
  /// The start of speech is reported at once, in a volatile result. A range becomes final when it ends. Final results
  /// cover the audio without gaps.
  final public var results: some Sendable & AsyncSequence<SpeechDetector.Result, any Error> { output.stream }

  /// The formats that transcribers accept. A detector needs no installed model.
  final public var availableCompatibleAudioFormats: [AVAudioFormat] { AnalyzerAudioFormats.all }

  /// How readily audio counts as speech.
  public enum SensitivityLevel: Int, CaseIterable, Sendable, Equatable, Hashable {
    /// Only clear speech.
    case low
    /// Normal speech in a room.
    case medium
    /// Also faint speech, with more false detections.
    case high
  }

  /// How speech is detected.
  public struct DetectionOptions: Sendable, Equatable, Hashable {
    /// How readily audio counts as speech.
    public let sensitivityLevel: SpeechDetector.SensitivityLevel

    /// Creates options with a sensitivity.
    public init(sensitivityLevel: SpeechDetector.SensitivityLevel) {
      self.sensitivityLevel = sensitivityLevel
    }
  }

  /// Whether a range of audio contains speech.
  public struct Result: SpeechModuleResult, Sendable, CustomStringConvertible {
    /// The range of audio, on the analyzer's timeline.
    public let range: CMTimeRange
    /// The end of the audio whose results are final.
    public let resultsFinalizationTime: CMTime
    /// Whether there is speech.
    public let speechDetected: Bool

    init(range: Range<Int>, finalizationPlace: Int, speechDetected: Bool) {
      self.range = CMTimeRange(
        start: AnalysisTimeline.time(of: range.lowerBound), end: AnalysisTimeline.time(of: range.upperBound))
      resultsFinalizationTime = AnalysisTimeline.time(of: finalizationPlace)
      self.speechDetected = speechDetected
    }

    /// The range in seconds, whether it is final, and whether there is speech.
    public var description: String { describe(speechDetected ? "speech" : "no speech") }
  }
}

extension SpeechDetector.SensitivityLevel {
  /// The levels and the evidence for speech that audio must reach.
  var detection: SpeechDetection {
    let threshold = SpeechEvidence.threshold
    return switch self {
    case .low:
      SpeechDetection(
        segmentation: .init(onset: 12, release: 8, dynamicRange: 30, minimumOnset: 0.12),
        threshold: threshold + 0.5, voiceMargin: 0.2)
    case .medium: SpeechDetection(threshold: threshold)
    case .high:
      SpeechDetection(
        segmentation: .init(onset: 6, release: 4, dynamicRange: 45, minimumOnset: 0.04),
        threshold: threshold - 1, voiceMargin: -0.2)
    }
  }
}

extension SpeechDetector: AnalysisModule {
  /// What separates speech from other audio.
  var detection: SpeechDetection { options.sensitivityLevel.detection }

  var demand: TranscriptionDemand? { nil }

  func claim(for analyzer: UUID) -> Bool { output.claim(for: analyzer) }

  func makeSink(at start: Int, _ setup: SinkSetup) -> any ModuleSink {
    DetectorSink(reportsResults ? detection : nil, at: start, output: output)
  }
}

/// Publishes the results of a detector.
private final class DetectorSink: ModuleSink {
  private var timeline: DetectorTimeline?
  private let output: ModuleOutput<SpeechDetector.Result>

  /// - Parameter detection: nil if nothing is to be reported.
  init(_ detection: SpeechDetection?, at start: Int, output: ModuleOutput<SpeechDetector.Result>) {
    timeline = detection.map { DetectorTimeline(detection: $0, start: start) }
    self.output = output
  }

  func append(_ samples: [Int16], at position: Int) { publish(timeline?.take(samples, at: position)) }
  func skip(to position: Int) { publish(timeline?.skip(to: position)) }
  func finalize(through position: Int) { publish(timeline?.commit(through: position)) }
  func update(_ words: [RecognizedWord]) {}
  func finalize(_ utterance: RecognizedUtterance) {}
  func finalize(withoutResult range: Range<Int>) {}
  func finish(_ error: (any Error)?) { output.finish(error) }

  private func publish(_ results: [SpeechDetector.Result]?) {
    for result in results ?? [] { output.publish(result) }
  }
}
