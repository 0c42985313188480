import Foundation
import Longhand
import Testing

@testable import LonghandServer

/// The server reads what `longhand transcribe` writes.
@Suite struct ChildDocumentTests {
  private static let transcript = Transcript(
    source: "talk.wav", locale: "en-US", engine: "analyzer", duration: 6,
    segments: [TestServer.segment(0, "play it"), TestServer.segment(1, "stop")],
    coverage: Coverage(transcribed: 3, silent: 1, pending: 0, failed: 2, gaps: 0))

  private func lines(of text: String) throws -> [TranscriptLine] {
    try text.split(separator: "\n").map { line in
      try JSONDecoder().decode(TranscriptLine.self, from: Data(line.utf8))
    }
  }

  @Test func everyMemberOfATranscriptIsReadBack() throws {
    let text = TranscriptFormatter(format: .json).string(for: Self.transcript)
    let read = try JSONDecoder().decode(TranscriptDocument.self, from: Data(text.utf8))
    #expect(read.text == Self.transcript.text)
    #expect(read.locale == "en-US")
    #expect(read.duration == 6)
    #expect(read.coverage.failed == 2)
    #expect(read.segments.map(\.id) == [0, 1])
    #expect(read.segments.map(\.text) == ["play it", "stop"])
    #expect(read.segments.map(\.start) == [0, 3])
    #expect(read.segments.map(\.end) == [2, 5])
    #expect(read.segments.map(\.confidence) == [0.75, 0.75])
    #expect(read.segments[0].words.map(\.text) == ["play", "it"])
    #expect(read.segments[0].words.map(\.start) == [0, 0.5])
    #expect(read.segments[0].words.map(\.end) == [0.5, 1])
    #expect(read.segments[0].alternatives.map(\.text) == ["play it", "play it else"])
    #expect(read.segments[0].alternatives.map(\.confidence) == [0.75, 0.75])
  }

  @Test func everyLineOfATranscriptIsReadBack() throws {
    let text = TranscriptFormatter(format: .jsonl).string(for: Self.transcript)
    let read = try lines(of: text)
    #expect(read.map(\.type) == [.final, .final, .end])
    #expect(read.map(\.text) == ["play it", "stop", nil])
    #expect(read.map(\.start) == [0, 3, nil])
    #expect(read.map(\.end) == [2, 5, 6])
    #expect(read[0].alternatives?.map(\.text) == ["play it", "play it else"])
    #expect(read[2].coverage?.failed == 2)
  }

  @Test func everyLineOfALiveRecordingIsReadBack() throws {
    var live = LiveLines(source: "talk")
    let format = RecordingFormat(sampleRate: 8000, channels: 1)
    let text =
      live.final(TestServer.segment(1, "stop")) + live.level(-20, at: 5)
      + live.gap(RecordingGap(start: 40_000, frames: 8000, reason: .device), format: format)
    #expect(
      text.split(separator: "\n").map { $0.contains("\"source\": \"talk\"") } == [true, false, false, false])
    #expect(try lines(of: text).map(\.type) == [.silence, .final, .level, .gap])
  }

  @Test func anErrorKeepsItsFourKeys() throws {
    let details = ErrorDocument.Details(
      code: .unsupportedLocale, message: "no", input: nil, hint: "see 'longhand doctor'")
    let data = try JSONEncoder().encode(ErrorDocument(details))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    #expect(object["error"]?.keys.sorted() == ["code", "hint", "input", "message"])
    #expect(object["error"]?["code"] as? String == "unsupported_locale")
    #expect(object["error"]?["input"] is NSNull)
    let read = try JSONDecoder().decode(ErrorDocument.self, from: data)
    #expect(read.error.code == .unsupportedLocale)
    #expect(read.error.hint == "see 'longhand doctor'")
  }
}
