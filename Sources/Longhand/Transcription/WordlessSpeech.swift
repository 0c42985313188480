import Foundation

/// Finds where there was speech and no words came of it. Times are seconds from the start of the sound.
///
/// What was detected and what was heard are told by two that know nothing of each other, in any order; a stretch is
/// judged once everything that was said in it has been told.
struct WordlessSpeech: Sendable {
  /// What is shorter is the edge of a word, or lies between two.
  private static let shortest = 1.0

  /// What was detected and not judged yet, in order.
  private var detected: [(range: ClosedRange<TimeInterval>, what: String)] = []
  /// Segments that these, or what is detected later, may have become.
  private var heard: [CoverageSpan] = []
  /// Where what was detected ends.
  private var end: TimeInterval

  /// - Parameter start: what comes before it is nobody's business.
  init(from start: TimeInterval) { end = start }

  /// There was speech, or other sound, as `what` says. What was detected before is not detected again.
  mutating func detected(_ range: ClosedRange<TimeInterval>, _ what: String) {
    guard range.upperBound > end else { return }
    detected.append((max(end, range.lowerBound)...range.upperBound, what))
    end = range.upperBound
  }

  /// A segment has words.
  mutating func heard(_ range: ClosedRange<TimeInterval>) {
    heard.append(CoverageSpan(start: range.lowerBound, end: range.upperBound, kind: .transcribed))
  }

  /// Everything that was said before a time has been told.
  /// - Returns: what was detected before it and is without words, in order.
  mutating func told(through time: TimeInterval) -> [CoverageSpan.Stretch] {
    let judged = detected.prefix { $0.range.upperBound <= time }
    guard !judged.isEmpty else { return [] }
    detected.removeFirst(judged.count)
    let wordless = judged.flatMap { detection in
      detection.range.parts(outside: heard)
        .filter { $0.upperBound - $0.lowerBound >= Self.shortest }
        .map { (range: $0, kind: CoverageSpan.Kind.silent, reason: "\(detection.what) without words") }
    }
    let needed = detected.first?.range.lowerBound ?? end
    heard.removeAll { $0.end <= needed }
    return wordless
  }
}
