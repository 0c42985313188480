import TestSupport
import Testing

@testable import LonghandTranscripts

/// Praat itself reads the TextGrids and finds every interval.
@Suite(.tagged(.childProcess)) struct TextGridReadBackTests {
  private struct Interval: Decodable, Hashable {
    var tier: String
    var start: Int
    var end: Int
    var text: String
  }

  private static let reader = """
    import json, sys, tempfile
    import parselmouth
    from parselmouth.praat import call
    answer = []
    for document in json.load(open(sys.argv[1])):
        with tempfile.NamedTemporaryFile("w", suffix=".TextGrid", encoding="utf-8", newline="") as file:
            file.write(document)
            file.flush()
            grid = parselmouth.read(file.name)
        found = []
        for tier in range(1, call(grid, "Get number of tiers") + 1):
            name = call(grid, "Get tier name", tier)
            for index in range(1, call(grid, "Get number of intervals", tier) + 1):
                text = call(grid, "Get label of interval", tier, index)
                if text:
                    start = call(grid, "Get start time of interval", tier, index)
                    end = call(grid, "Get end time of interval", tier, index)
                    found.append({"tier": name, "start": round(start * 1000), "end": round(end * 1000), "text": text})
        answer.append(found)
    print(json.dumps(answer))
    """

  @Test func praatReadsAllIntervals() throws {
    let transcripts = (0..<40).map { RandomTranscripts.transcript(seed: $0) } + [.sample, .empty]
    let expected = transcripts.map { transcript in
      [("segments", false), ("words", true)].flatMap { tier, isByWord in
        CaptionWriter(layout: .segments, isByWord: isByWord).captions(of: transcript).map {
          Interval(
            tier: tier, start: $0.start.count, end: $0.end.count, text: $0.texts.joined(separator: " "))
        }
      }
    }
    let formatter = TranscriptFormatter(format: .textgrid)
    let found: [[Interval]] = try TestPython.answer(
      Self.reader, to: transcripts.map(formatter.string(for:)))
    for (index, pair) in zip(found, expected).enumerated() {
      #expect(pair.0 == pair.1, "transcript \(index)")
    }
    #expect(found.count == expected.count)
  }
}
