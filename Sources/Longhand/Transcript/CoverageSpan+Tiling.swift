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
      for span in spans { rest = rest.flatMap { Self.parts(of: $0, outside: span) } }
      spans += rest.filter { $0.upperBound > $0.lowerBound }.map {
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

  private static func parts(
    of range: ClosedRange<TimeInterval>, outside span: CoverageSpan
  ) -> [ClosedRange<TimeInterval>] {
    guard span.start < range.upperBound, range.lowerBound < span.end else { return [range] }
    var parts: [ClosedRange<TimeInterval>] = []
    if range.lowerBound < span.start { parts.append(range.lowerBound...span.start) }
    if span.end < range.upperBound { parts.append(span.end...range.upperBound) }
    return parts
  }
}
