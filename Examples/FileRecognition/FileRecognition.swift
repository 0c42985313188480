import Foundation
import Speech

/// Recognizes a file and receives the results with a task delegate.
@MainActor
final class FileRecognition: NSObject {
  /// Why recognition failed.
  enum Failure: LocalizedError {
    case notAuthorized
    case unavailable
    case cancelled

    var errorDescription: String? {
      switch self {
      case .notAuthorized: "speech recognition is not permitted"
      case .unavailable: "speech recognition is not available"
      case .cancelled: "the recognition was cancelled"
      }
    }
  }

  /// Called once at the end, with an error if recognition failed.
  var onEnd: ((any Error)?) -> Void = { _ in }

  private let url: URL
  private let report = ResultReport()
  private let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US"))
  private var task: SFSpeechRecognitionTask?

  init(url: URL) { self.url = url }

  /// Asks for permission, then recognizes.
  func start() {
    // The callback may run on any thread.
    SFSpeechRecognizer.requestAuthorization { @Sendable status in
      DispatchQueue.main.async {
        guard status == .authorized else { return self.onEnd(Failure.notAuthorized) }
        self.recognize()
      }
    }
  }

  private func recognize() {
    guard let recognizer, recognizer.isAvailable else { return onEnd(Failure.unavailable) }
    let request = SFSpeechURLRecognitionRequest(url: url)
    request.shouldReportPartialResults = false
    request.taskHint = .dictation
    if recognizer.supportsOnDeviceRecognition { request.requiresOnDeviceRecognition = true }
    task = recognizer.recognitionTask(with: request, delegate: self)
  }
}

extension FileRecognition: @MainActor SFSpeechRecognitionTaskDelegate {
  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didFinishRecognition recognitionResult: SFSpeechRecognitionResult
  ) {
    report.print(recognitionResult)
  }

  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool) {
    onEnd(successfully ? nil : task.error ?? Failure.cancelled)
  }
}

/// Prints a result: the text, a line for each word, the alternatives, and how it was spoken.
struct ResultReport {
  func print(_ result: SFSpeechRecognitionResult) {
    let best = result.bestTranscription
    Swift.print(best.formattedString)
    for segment in best.segments { Swift.print("  \(line(segment))") }
    for other in result.transcriptions.dropFirst() { Swift.print("  or: \(other.formattedString)") }
    if let metadata = result.speechRecognitionMetadata { print(metadata) }
  }

  /// The start, duration, confidence and alternatives of a word.
  private func line(_ segment: SFTranscriptionSegment) -> String {
    let numbers = String(
      format: "%7.2f s  %5.2f s  %4.2f", segment.timestamp, segment.duration, segment.confidence)
    let others = segment.alternativeSubstrings.joined(separator: ", ")
    return "\(numbers)  \(segment.substring)" + (others.isEmpty ? "" : "  (or: \(others))")
  }

  private func print(_ metadata: SFSpeechRecognitionMetadata) {
    Swift.print(
      String(
        format: "  speech from %.2f s for %.2f s, %.0f words a minute, %.2f s between words",
        metadata.speechStartTimestamp, metadata.speechDuration, metadata.speakingRate,
        metadata.averagePauseDuration))
    guard let voice = metadata.voiceAnalytics else { return }
    let pitch = voice.pitch.acousticFeatureValuePerFrame.filter { $0 != 0 }
    guard !pitch.isEmpty else { return }
    let mean = pitch.reduce(0, +) / Double(pitch.count)
    Swift.print(String(format: "  voiced frames: %d, mean pitch feature %.2f", pitch.count, mean))
  }
}
