import Foundation
import LonghandTranscripts

/// Finds ranges in which speech, or another sound, was detected and no words were recognized. Times are seconds from the start of the audio.
///
/// Detections and segments come from different sources, in any order. A detection is evaluated when every segment before
/// its end has been reported.
struct WordlessSpeech: Sendable {
  /// Shorter ranges are the edge of a word, or the time between two words.
  private static let minDuration = 1.0

  /// The detections that are not evaluated yet, in order.
  private var detected: [(range: ClosedRange<TimeInterval>, what: String)] = []
  /// The segments that may overlap these or later detections.
  private var segments: [CoverageSpan] = []
  /// The end of the last detection.
  private var end: TimeInterval

  /// What became of the ranges.
  private let kind: CoverageSpan.Kind

  /// - Parameters:
  ///   - start: detections before this time are ignored.
  ///   - kind: what became of the ranges.
  init(from start: TimeInterval, _ kind: CoverageSpan.Kind = .wordless) { (end, self.kind) = (start, kind) }

  /// Adds a detection: speech, or another sound, as `what` says. A range that was detected before is ignored.
  mutating func detected(_ range: ClosedRange<TimeInterval>, _ what: String) {
    guard range.upperBound > end else { return }
    detected.append((max(end, range.lowerBound)...range.upperBound, what))
    end = range.upperBound
  }

  /// Adds the range of a segment.
  mutating func recognized(_ range: ClosedRange<TimeInterval>) {
    segments.append(CoverageSpan(start: range.lowerBound, end: range.upperBound, kind: .transcribed))
  }

  /// Evaluates the detections that end before a time. All segments before it must have been reported.
  /// - Returns: the parts without words, in order.
  mutating func finalize(through time: TimeInterval) -> [CoverageSpan.Stretch] {
    let missing = kind == .nonspeech ? "speech" : "words"
    let complete = detected.prefix { $0.range.upperBound <= time }
    guard !complete.isEmpty else { return [] }
    detected.removeFirst(complete.count)
    let wordless = complete.flatMap { detection in
      detection.range.parts(outside: segments)
        .filter { $0.upperBound - $0.lowerBound >= Self.minDuration }
        .map { (range: $0, kind: kind, reason: "\(detection.what) without \(missing)") }
    }
    let needed = detected.first?.range.lowerBound ?? end
    segments.removeAll { $0.end <= needed }
    return wordless
  }
}
