import Foundation
import Longhand

/// The coverage of a recording at the resolution of a drawing: eight hours of speech have 60,000 spans.
///
/// Short spans of speech and silence are merged into one span, of the kind that has more seconds. Spans that are pending,
/// failed or a gap are kept, however short they are.
struct CoverageDrawing {
  /// The approximate number of spans of speech and silence after the merge.
  static let maxSpans = 2000

  /// In the order of the recording.
  private(set) var spans: [CoverageSpan] = []
  /// Seconds; shorter spans are merged.
  private let resolution: TimeInterval
  private var run: (start: TimeInterval, end: TimeInterval, speech: TimeInterval)?

  /// - Parameter exact: in the order of the recording, without overlap.
  init(_ exact: [CoverageSpan]) {
    let length = (exact.last?.end ?? 0) - (exact.first?.start ?? 0)
    resolution = exact.count > Self.maxSpans ? length / Double(Self.maxSpans) : 0
    for span in exact { add(span) }
    endRun()
  }

  private mutating func add(_ span: CoverageSpan) {
    let isMergeable = span.kind == .transcribed || span.kind == .silent && span.reason.isEmpty
    guard isMergeable, span.end - span.start < resolution else {
      endRun()
      return append(span)
    }
    if let run, run.end != span.start { endRun() }
    let speech = span.kind == .transcribed ? span.end - span.start : 0
    run = (run?.start ?? span.start, span.end, (run?.speech ?? 0) + speech)
    if let run, run.end - run.start >= resolution { endRun() }
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
