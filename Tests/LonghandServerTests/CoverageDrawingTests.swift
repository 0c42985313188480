import Longhand
import Testing

@testable import LonghandServer

@Suite struct CoverageDrawingTests {
  /// Alternating spans of speech and silence.
  private static func talk(_ count: Int, speech: Double, silence: Double) -> [CoverageSpan] {
    (0..<count).map { index in
      let start = Double(index / 2) * (speech + silence) + (index % 2 == 0 ? 0 : speech)
      return CoverageSpan(
        start: start, end: start + (index % 2 == 0 ? speech : silence),
        kind: index % 2 == 0 ? .transcribed : .silent)
    }
  }

  @Test func shortRecordingKeepsItsSpans() {
    let spans = Self.talk(CoverageDrawing.maxSpans, speech: 2, silence: 0.5)
    #expect(CoverageDrawing(spans).spans == spans)
    #expect(CoverageDrawing([]).spans == [])
  }

  @Test func spansOfALongRecordingAreMergedWithoutGapOrOverlap() {
    var spans =
      Self.talk(30_000, speech: 0.5, silence: 0.25)
      + Self.talk(30_000, speech: 0.25, silence: 0.5).map {
        CoverageSpan(start: $0.start + 11_250, end: $0.end + 11_250, kind: $0.kind)
      }
    // Spans that must not be merged.
    spans[1000].kind = .failed
    spans[1000].reason = "why"
    spans[40_001].kind = .gap
    let drawn = CoverageDrawing(spans).spans
    #expect(drawn.count < 2100)
    #expect(drawn.contains(spans[1000]))
    #expect(drawn.contains(spans[40_001]))
    #expect(drawn.first?.start == 0)
    #expect(drawn.last?.end == spans.last?.end)
    #expect(zip(drawn, drawn.dropFirst()).allSatisfy { $0.end == $1.start })
    // The first half is mostly speech, the second mostly silence.
    let kinds = Dictionary(grouping: drawn) { $0.start < 11_000 }.mapValues { spans in
      spans.reduce(into: [:]) { $0[$1.kind, default: 0] += $1.end - $1.start }
    }
    #expect(kinds[true]?[.transcribed] ?? 0 > 10_900)
    #expect(kinds[false]?[.silent] ?? 0 > 11_000)
  }
}
