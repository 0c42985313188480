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

  @Test func promptIsWhatIsExpected() throws {
    #expect(
      try request(("prompt", "Winawer, Kimura. zugzwang")).context == ["Winawer", "Kimura", "zugzwang"])
    let sentence = try request(("prompt", "this is a long sentence that nobody expects to be said"))
    #expect(sentence.context.isEmpty)
    #expect(sentence.ignored == ["prompt"])
    #expect(try request(("prompt", "")).ignored.isEmpty)
    #expect(try request(("prompt", "Kimura\u{0}, Winawer")).context == ["Winawer"])
  }

  /// The language that a client names, and the tag for the recognizer.
  @Test(
    arguments: [
      ("", nil), ("auto", nil), ("Auto", nil), (" ", nil), ("en", "en"), ("de-DE", "de-DE"),
      ("english", "en"),
      ("English", "en"), ("german", "de"), ("haitian creole", "ht"), ("mandarin", "zh"), ("chinese", "zh"),
      ("yue", "yue"), ("zh_CN", "zh_CN"),
    ] as [(String, String?)])
  func languageIsATagANameOrTheServers(_ name: String, _ tag: String?) throws {
    #expect(try request(("language", name)).language == tag)
  }

  @Test func serversOwnNamesOfLanguagesAreRead() throws {
    for code in ["en", "de", "fr", "ja", "ht", "nn", "haw", "yue", "sr", "my"] {
      let name = try #require(ClientLanguage.name(of: code))
      #expect(ClientLanguage(name)?.tag == code, "\(name)")
    }
  }

  @Test func promptOfManyPhrasesIsNotCut() throws {
    func prompt(_ count: Int) -> String { (0..<count).map { "term\($0)" }.joined(separator: ", ") }
    #expect(try request(("prompt", prompt(1000))).context.count == 1000)
    let error = #expect(throws: HTTPError.self) { try request(("prompt", prompt(1001))) }
    #expect(error?.message.contains("1001 phrases. Send at most 1000") == true)
  }

  @Test(
    arguments: [
      ("temperature", "0.2"), ("include[]", "logprobs"), ("chunking_strategy", "server_vad"),
      ("known_speaker_names[]", "a"), ("whatever", ""),
    ])
  func fieldWithoutMeaningIsNamed(_ name: String, _ value: String) throws {
    let plain = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
    #expect(try request((name, value), (name, value)).ignored == [plain])
  }

  @Test func timesAreGivenWithJSONAndIgnoredWithCaptions() throws {
    let granularities = [("timestamp_granularities[]", "word"), ("timestamp_granularities[]", "segment")]
    let json = try request(granularities[0], granularities[1])
    #expect(json.hasWords)
    #expect(json.hasSegments)
    #expect(json.ignored.isEmpty)
    #expect(try !request().hasSegments)
    #expect(
      try request(granularities[0], ("response_format", "srt")).ignored == ["timestamp_granularities"])
  }

  @Test func anyModelIsAccepted() throws {
    #expect(
      try TranscriptionRequest([(name: "model", value: "Systran/faster-whisper-small")]).ignored.isEmpty)
  }

  @Test(
    arguments: [
      ([("temperature", "x")], "temperature"), ([("response_format", "docx")], "response_format"),
      ([("language", "../x")], "language"),
      ([("language", "--engine")], nil), ([("stream", "yes")], "stream"),
      ([("stream", "true"), ("response_format", "srt")], "stream"),
      (
        [("timestamp_granularities[]", "line"), ("response_format", "verbose_json")],
        "timestamp_granularities"
      ),
      ([("alternatives", "0")], "alternatives"),
      ([("alternatives", "2"), ("response_format", "srt")], "alternatives"), ([("model", "")], "model"),
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
