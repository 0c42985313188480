import AVFAudio
import CoreMedia
import Foundation
import Longhand
import Speech

/// Runs an analyzer on files in this process, with the public API.
struct FileAnalysis {
  /// Whether a transcriber is available; if not, logs why.
  static func isAvailable(for benchmark: String) -> Bool {
    if SpeechTranscriber.isAvailable { return true }
    Log.say("skipped \(benchmark): there is no service of a recognizer next to longhand")
    return false
  }

  /// The normalized words of a file, transcribed with or without a detector of medium sensitivity.
  static func words(of file: URL, withDetector: Bool) async throws -> [String] {
    let transcriber = SpeechTranscriber(
      locale: Locale(identifier: "en-US"), transcriptionOptions: [], reportingOptions: [],
      attributeOptions: [])
    let modules: [any SpeechModule] = withDetector ? [SpeechDetector(), transcriber] : [transcriber]
    // Keeps the model for the next file.
    let analyzer = SpeechAnalyzer(
      modules: modules, options: .init(priority: .medium, modelRetention: .lingering))
    try await analyzer.start(inputAudioFile: try AVAudioFile(forReading: file), finishAfterFile: true)
    var text = ""
    for try await result in transcriber.results where result.isFinal {
      text += String(result.text.characters)
    }
    return TextNormalizer().words(in: text)
  }

  /// How many seconds of a file a detector of medium sensitivity reports as speech, and the length of the file.
  static func secondsOfSpeech(in file: URL) async throws -> (speech: Double, all: Double) {
    let detector = SpeechDetector(
      detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
    let audioFile = try AVAudioFile(forReading: file)
    let analyzer = SpeechAnalyzer(modules: [detector])
    try await analyzer.start(inputAudioFile: audioFile, finishAfterFile: true)
    var speech = 0.0
    for try await result in detector.results where result.isFinal && result.speechDetected {
      speech += result.range.duration.seconds
    }
    return (speech, Double(audioFile.length) / audioFile.processingFormat.sampleRate)
  }

  /// Releases the model, so that it does not count for programs that run later.
  static func end() async { await SpeechModels.endRetention() }
}
