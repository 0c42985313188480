import Foundation
import Speech

/// Writes a result out: the text, a line for each word, the other readings, and how it was spoken.
struct ResultReport {
  func print(_ result: SFSpeechRecognitionResult) {
    let best = result.bestTranscription
    Swift.print(best.formattedString)
    for segment in best.segments { Swift.print("  \(line(segment))") }
    for other in result.transcriptions.dropFirst() { Swift.print("  or: \(other.formattedString)") }
    if let metadata = result.speechRecognitionMetadata { print(metadata) }
  }

  /// When a word was said, for how long, how sure the recognizer is, and what else it may have been.
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
