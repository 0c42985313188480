/// How fast the words of speech follow each other.
package struct SpeechTiming: Sendable {
  /// Seconds between words below which there is no pause: the frames of the recognizer touch.
  private static let shortestPause = 0.05

  /// Words a minute, over the time from the first word's start to the last word's end; 0 without words.
  package let speakingRate: Double
  /// Seconds of the average pause between words; 0 without pauses.
  package let averagePauseDuration: Double
  /// Where the first word starts, in seconds; 0 without words.
  package let start: Double
  /// Seconds from the first word's start to the last word's end.
  package let duration: Double

  /// - Parameter words: the times of the words in seconds, in order.
  package init(_ words: [(start: Double, end: Double)]) {
    let first = words.first?.start ?? 0
    let end = words.map(\.end).max() ?? first
    start = first
    duration = end - first
    speakingRate = duration > 0 ? Double(words.count) * 60 / duration : 0
    let pauses = zip(words, words.dropFirst())
      .map { $1.start - $0.end }
      .filter { $0 >= Self.shortestPause }
    averagePauseDuration = pauses.isEmpty ? 0 : pauses.reduce(0, +) / Double(pauses.count)
  }
}
