import AVFAudio
import CoreMedia
import Foundation
import Longhand
import Speech

/// Files through an analyzer in this process, by the public API.
struct FileAnalysis {
  /// Whether there is what it takes; a line says so if not.
  static func isAvailable(for benchmark: String) -> Bool {
    if SpeechTranscriber.isAvailable { return true }
    Log.say("no \(benchmark): there is no speech-service beside longhand; SPEECH_SERVICE_PATH can name one")
    return false
  }

  /// What is heard in a file with or without a detector of medium sensitivity, to be compared with a reference.
  static func words(of file: URL, withDetector: Bool) async throws -> [String] {
    let transcriber = SpeechTranscriber(
      locale: Locale(identifier: "en-US"), transcriptionOptions: [], reportingOptions: [],
      attributeOptions: [])
    let modules: [any SpeechModule] = withDetector ? [SpeechDetector(), transcriber] : [transcriber]
    // The next file needs the model too.
    let analyzer = SpeechAnalyzer(
      modules: modules, options: .init(priority: .medium, modelRetention: .lingering))
    try await analyzer.start(inputAudioFile: try AVAudioFile(forReading: file), finishAfterFile: true)
    var text = ""
    for try await result in transcriber.results where result.isFinal {
      text += String(result.text.characters)
    }
    return TextNormalizer().words(in: text)
  }

  /// How many seconds of a file a detector of medium sensitivity calls speech.
  static func secondsOfSpeech(in file: URL) async throws -> (speech: Double, all: Double) {
    let detector = SpeechDetector(
      detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
    let sound = try AVAudioFile(forReading: file)
    let analyzer = SpeechAnalyzer(modules: [detector])
    try await analyzer.start(inputAudioFile: sound, finishAfterFile: true)
    var speech = 0.0
    for try await result in detector.results where result.isFinal && result.speechDetected {
      speech += result.range.duration.seconds
    }
    return (speech, Double(sound.length) / sound.processingFormat.sampleRate)
  }

  /// Ends what is kept for further files, so that nothing of it counts for programs that run later.
  static func end() async { await SpeechModels.endRetention() }
}
