import Foundation

extension CoverageSpan {
  /// A stretch of audio of which something is known.
  typealias Stretch = (range: ClosedRange<TimeInterval>, kind: Kind, reason: String)

  /// Spans that tile a recording, or a part of it: what is known of it, and silence between.
  /// - Parameters:
  ///   - duration: where the last one ends, in seconds.
  ///   - start: where the first one begins, in seconds.
  ///   - known: in any order; where two meet, the one that is named first stands.
  static func all(
    of duration: TimeInterval, from start: TimeInterval = 0, _ known: [Stretch]
  ) -> [CoverageSpan] {
    var spans: [CoverageSpan] = []
    for stretch in known {
      // What is left of it beside those before.
      var rest = [stretch.range.clamped(to: start...max(start, duration))]
      rest = rest.flatMap { $0.parts(outside: spans) }
      spans += rest.map {
        CoverageSpan(
          start: $0.lowerBound, end: $0.upperBound, kind: stretch.kind, reason: stretch.reason)
      }
    }
    spans.sort { $0.start < $1.start }
    var all: [CoverageSpan] = []
    var end = start
    for span in spans {
      if span.start > end { all.append(CoverageSpan(start: end, end: span.start, kind: .silent)) }
      all.append(span)
      end = span.end
    }
    if duration > end { all.append(CoverageSpan(start: end, end: duration, kind: .silent)) }
    return all
  }
}

extension [CoverageSpan.Stretch] {
  /// In the order in which one stands before the other: what could not be captured, what was transcribed, which stands
  /// where the recognizer failed, too, and then what of the rest is more than silence.
  var inOrderOfWeight: [CoverageSpan.Stretch] {
    let kinds: [CoverageSpan.Kind] = [.gap, .transcribed, .failed, .pending, .silent]
    return kinds.flatMap { kind in filter { $0.kind == kind } }
  }
}

extension ClosedRange<TimeInterval> {
  /// What is left of it beside spans, in order.
  func parts(outside spans: [CoverageSpan]) -> [Self] {
    spans.reduce([self]) { parts, span in parts.flatMap { $0.parts(outside: span) } }
      .filter { $0.upperBound > $0.lowerBound }
  }

  private func parts(outside span: CoverageSpan) -> [Self] {
    guard span.start < upperBound, lowerBound < span.end else { return [self] }
    var parts: [Self] = []
    if lowerBound < span.start { parts.append(lowerBound...span.start) }
    if span.end < upperBound { parts.append(span.end...upperBound) }
    return parts
  }
}
