import Speech
import Testing

@Suite("Attributes of speech")
struct SpeechAttributesTests {
  /// "one two three", a second each from 10 s on, in ticks of a 600th.
  private static func text() -> AttributedString {
    var text = AttributedString()
    for (number, word) in ["one", " ", "two", " ", "three"].enumerated() {
      var run = AttributedString(word)
      if number.isMultiple(of: 2) {
        run.audioTimeRange = range(10 + number / 2, 11 + number / 2)
        run.transcriptionConfidence = 0.25 * Double(number + 2) / 2
      }
      text += run
    }
    return text
  }

  private static func range(_ start: Int, _ end: Int) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(value: CMTimeValue(start) * 600, timescale: 600),
      end: CMTime(value: CMTimeValue(end) * 600, timescale: 600))
  }

  @Test func attributesAreFoundByName() {
    let text = Self.text()
    let starts = text.runs.map { $0.audioTimeRange?.start.seconds }
    #expect(starts == [10, nil, 11, nil, 12])
    let confidences = text.runs.map { $0.transcriptionConfidence }
    #expect(confidences == [0.25, nil, 0.5, nil, 0.75])
    #expect(text.runs[\.audioTimeRange].count == 5)
  }

  @Test(arguments: [
    (10, 11, "one"), (11, 12, "two"), (0, 100, "one two three"), (11, 13, "two three"), (0, 10, nil),
    (13, 14, nil),
  ])
  func textOfATimeRangeIsFound(start: Int, end: Int, expected: String?) {
    let text = Self.text()
    let found = text.rangeOfAudioTimeRangeAttributes(intersecting: Self.range(start, end))
    #expect(found.map { String(text[$0].characters) } == expected)
  }

  @Test func partialEmptyAndInvalidRangesAreHandled() {
    let text = Self.text()
    let words = { (range: CMTimeRange) in
      text.rangeOfAudioTimeRangeAttributes(intersecting: range).map { String(text[$0].characters) }
    }
    let half = CMTime(value: 1, timescale: 2)
    #expect(words(CMTimeRange(start: CMTime(value: 21, timescale: 2), duration: half)) == "one")
    #expect(
      words(CMTimeRange(start: CMTime(value: 21, timescale: 2), duration: CMTime(value: 1, timescale: 1)))
        == "one two")
    #expect(words(CMTimeRange(start: CMTime(value: 11, timescale: 1), duration: .zero)) == "two")
    #expect(words(CMTimeRange(start: CMTime(value: 13, timescale: 1), duration: .zero)) == nil)
    #expect(words(.invalid) == nil)
    #expect(AttributedString().rangeOfAudioTimeRangeAttributes(intersecting: Self.range(0, 1)) == nil)
  }

  @Test func revisedTextIsReplacedByItsTime() throws {
    var text = Self.text()
    var revision = AttributedString("too")
    revision.audioTimeRange = Self.range(11, 12)
    let old = try #require(text.rangeOfAudioTimeRangeAttributes(intersecting: Self.range(11, 12)))
    text.replaceSubrange(old, with: revision)
    #expect(String(text.characters) == "one too three")
  }

  private struct CodedRange: Codable {
    var range: CMTimeRange
    init(_ range: CMTimeRange) { self.range = range }
    init(from decoder: any Decoder) throws {
      range = try AttributeScopes.SpeechAttributes.TimeRangeAttribute.decode(from: decoder)
    }
    func encode(to encoder: any Encoder) throws {
      try AttributeScopes.SpeechAttributes.TimeRangeAttribute.encode(range, to: encoder)
    }
  }

  @Test func encodedTimesAreExact() throws {
    let range = CMTimeRange(
      start: CMTime(value: .max, timescale: 44_100, flags: [.valid, .hasBeenRounded], epoch: 3),
      duration: .indefinite)
    let read = try JSONDecoder().decode(CodedRange.self, from: JSONEncoder().encode(CodedRange(range))).range
    #expect(read.start.value == .max)
    #expect(read.start.timescale == 44_100)
    #expect(read.start.epoch == 3)
    let flags: CMTimeFlags = [.valid, .hasBeenRounded]
    #expect(read.start.flags == flags)
    #expect(read.duration.isIndefinite)
  }

  @Test func encodedConfidenceIsExact() throws {
    struct Coded: Codable {
      var value: Double
      init(_ value: Double) { self.value = value }
      init(from decoder: any Decoder) throws {
        value = try AttributeScopes.SpeechAttributes.ConfidenceAttribute.decode(from: decoder)
      }
      func encode(to encoder: any Encoder) throws {
        try AttributeScopes.SpeechAttributes.ConfidenceAttribute.encode(value, to: encoder)
      }
    }
    #expect(try JSONDecoder().decode(Coded.self, from: JSONEncoder().encode(Coded(0.625))).value == 0.625)
  }

  @Test(arguments: [
    "{}", #"{"start": 1}"#, #"{"start": {"value": 1}, "duration": {}}"#, "[]",
  ])
  func missingFieldIsRefused(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(CodedRange.self, from: Data(text.utf8)) }
  }
}
