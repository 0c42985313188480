import Foundation

/// How fast the words of a transcription follow each other.
struct SpeechTiming {
  /// Seconds between words below which there is no pause: the frames of the recognizer touch.
  private static let shortestPause = 0.05

  /// Words a minute, over the time from the first word's start to the last word's end; 0 without words.
  let speakingRate: Double
  /// Seconds of the average pause between words; 0 without pauses.
  let averagePauseDuration: TimeInterval
  /// Where the first word starts, in seconds; 0 without words.
  let start: TimeInterval
  /// Seconds from the first word's start to the last word's end.
  let duration: TimeInterval

  init(_ segments: [SFTranscriptionSegment]) {
    let first = segments.first?.timestamp ?? 0
    let end = segments.map { $0.timestamp + $0.duration }.max() ?? first
    start = first
    duration = end - first
    speakingRate = duration > 0 ? Double(segments.count) * 60 / duration : 0
    let pauses = zip(segments, segments.dropFirst())
      .map { $1.timestamp - $0.timestamp - $0.duration }
      .filter { $0 >= Self.shortestPause }
    averagePauseDuration = pauses.isEmpty ? 0 : pauses.reduce(0, +) / Double(pauses.count)
  }
}
