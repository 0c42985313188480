import Foundation
import Longhand

/// What became of the seconds of a recording, as coarse as it can be drawn: eight hours of talk have 60,000 spans.
///
/// Speech and silence that are too short are put together, and are what most of their seconds are. What is pending, has
/// failed or is a gap stays as it is, however short.
struct CoverageDrawing {
  /// Spans of speech and silence in about what number all are drawn.
  static let most = 2000

  /// In the order of the recording.
  private(set) var spans: [CoverageSpan] = []
  private let finest: TimeInterval
  private var run: (start: TimeInterval, end: TimeInterval, speech: TimeInterval)?

  /// - Parameter exact: in the order of the recording, none reaching into another.
  init(_ exact: [CoverageSpan]) {
    let length = (exact.last?.end ?? 0) - (exact.first?.start ?? 0)
    finest = exact.count > Self.most ? length / Double(Self.most) : 0
    for span in exact { add(span) }
    endRun()
  }

  private mutating func add(_ span: CoverageSpan) {
    let isTalk = span.kind == .transcribed || span.kind == .silent && span.reason.isEmpty
    guard isTalk, span.end - span.start < finest else {
      endRun()
      return append(span)
    }
    if let run, run.end != span.start { endRun() }
    let speech = span.kind == .transcribed ? span.end - span.start : 0
    run = (run?.start ?? span.start, span.end, (run?.speech ?? 0) + speech)
    if let run, run.end - run.start >= finest { endRun() }
  }

  private mutating func endRun() {
    guard let run else { return }
    self.run = nil
    let isSpeech = 2 * run.speech >= run.end - run.start
    append(CoverageSpan(start: run.start, end: run.end, kind: isSpeech ? .transcribed : .silent))
  }

  private mutating func append(_ span: CoverageSpan) {
    if let last = spans.last, last.end == span.start, last.kind == span.kind, last.reason == span.reason {
      spans[spans.count - 1].end = span.end
    } else {
      spans.append(span)
    }
  }
}
