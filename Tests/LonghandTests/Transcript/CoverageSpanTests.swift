import Longhand
import Testing

@Suite struct CoverageSpanTests {
  @Test func unknownPartsAreSilent() {
    let spans = CoverageSpan.all(of: 10, [(2...4, .transcribed, ""), (6...7, .failed, "why")])
    let wanted = [
      CoverageSpan(start: 0, end: 2, kind: .silent), CoverageSpan(start: 2, end: 4, kind: .transcribed),
      CoverageSpan(start: 4, end: 6, kind: .silent),
      CoverageSpan(start: 6, end: 7, kind: .failed, reason: "why"),
      CoverageSpan(start: 7, end: 10, kind: .silent),
    ]
    #expect(spans == wanted)
  }

  @Test func firstOfOverlappingSpansCounts() {
    let spans = CoverageSpan.all(of: 10, [(4...5, .gap, "device"), (0...10, .transcribed, "")])
    #expect(spans.map(\.kind) == [.transcribed, .gap, .transcribed])
    #expect(Coverage(spans) == Coverage(transcribed: 9, gaps: 1))
  }

  @Test func spansEndWithTheRecording() {
    #expect(
      CoverageSpan.all(of: 3, [(-1...1, .failed, ""), (2...9, .gap, "")]).map(\.end) == [1, 2, 3])
    #expect(CoverageSpan.all(of: 0, [(0...1, .transcribed, "")]).isEmpty)
  }

  @Test(arguments: 0..<200) func spansCoverTheRecordingWithoutOverlaps(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let kinds: [CoverageSpan.Kind] = [.transcribed, .failed, .gap, .pending]
    let known = (0..<Int.random(in: 0..<20, using: &random)).map { _ -> CoverageSpan.Stretch in
      let start = Double(Int.random(in: -2..<60, using: &random))
      let length = Double(Int.random(in: 0..<10, using: &random))
      return (start...(start + length), kinds.randomElement(using: &random) ?? .gap, "")
    }
    let spans = CoverageSpan.all(of: 50, known)
    #expect(spans.first?.start == 0)
    #expect(spans.last?.end == 50)
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end == $1.start })
    #expect(spans.allSatisfy { $0.end > $0.start })
    for span in spans {
      let middle = (span.start + span.end) / 2
      #expect(
        span.kind == known.first { $0.range.lowerBound < middle && middle < $0.range.upperBound }?.kind
          ?? .silent)
    }
  }
}
