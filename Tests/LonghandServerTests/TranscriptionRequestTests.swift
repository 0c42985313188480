import Testing

@testable import LonghandServer

@Suite struct TranscriptionRequestTests {
  private func request(_ fields: (String, String)...) throws -> TranscriptionRequest {
    try TranscriptionRequest([(name: "model", value: "whisper-1")] + fields.map { (name: $0, value: $1) })
  }

  @Test func supportedOptionsAreParsed() throws {
    #expect(try request() == request(("temperature", "0"), ("prompt", ""), ("stream", "false")))
    let words = try request(
      ("response_format", "verbose_json"), ("timestamp_granularities[]", "word"), ("language", "en"))
    #expect(words.hasWords)
    #expect(!words.hasSegments)
    #expect(words.language == "en")
    #expect(words.format == .verboseJSON)
    let both = try request(
      ("timestamp_granularities[]", "word"), ("timestamp_granularities[]", "segment"),
      ("response_format", "verbose_json"), ("alternatives", "3"))
    #expect(both.hasWords)
    #expect(both.hasSegments)
    #expect(both.alternatives == 3)
    #expect(try request(("stream", "True")).isStream)
  }

  @Test(
    arguments: [
      ([("prompt", "x")], "prompt"), ([("temperature", "0.2")], "temperature"),
      ([("temperature", "x")], "temperature"), ([("response_format", "docx")], "response_format"),
      ([("language", "../x")], "language"),
      ([("language", "--engine")], nil), ([("stream", "yes")], "stream"),
      ([("stream", "true"), ("response_format", "srt")], "stream"), ([("include[]", "logprobs")], "include"),
      ([("chunking_strategy", "server_vad")], "chunking_strategy"),
      ([("known_speaker_names[]", "a")], "known_speaker_names"),
      ([("timestamp_granularities[]", "word")], "timestamp_granularities"),
      (
        [("timestamp_granularities[]", "line"), ("response_format", "verbose_json")],
        "timestamp_granularities"
      ),
      ([("alternatives", "0")], "alternatives"),
      ([("alternatives", "2"), ("response_format", "srt")], "alternatives"),
      ([("whatever", "")], "whatever"), ([("model", "whisper-2")], "model"),
    ] as [([(String, String)], String?)])
  func unsupportedOptionIsNamed(_ fields: [(String, String)], _ parameter: String?) {
    do {
      let request = try TranscriptionRequest(
        [(name: "model", value: "longhand")] + fields.map { (name: $0.0, value: $0.1) })
      // It is passed to the process in one argument with its option.
      #expect(parameter == nil)
      #expect(request.language == "--engine")
    } catch let error as HTTPError {
      #expect(error.parameter == parameter)
    } catch {
      Issue.record(error)
    }
    #expect(throws: HTTPError.self) { try TranscriptionRequest([]) }
  }
}
