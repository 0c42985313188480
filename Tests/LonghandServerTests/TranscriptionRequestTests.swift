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

  /// In each field, what programs write that have no value for it means that they named none.
  @Test(
    arguments: [
      "temperature", "response_format", "stream", "language", "timestamp_granularities[]",
      "timestamp_granularities", "prompt", "alternatives", "tracks", "chunking_strategy", "task", "translate",
      "word_timestamps", "encode",
    ], ["", " ", "null", "None", "undefined", "nil", "[]"])
  func nothingIsNothing(_ name: String, _ value: String) throws {
    #expect(try request((name, value)) == request())
    #expect(try request((name, value), ("response_format", "verbose_json")).hasSegments)
  }

  @Test func nothingIsNoModel() {
    for value in ["", "null"] {
      #expect(throws: HTTPError.self) { try TranscriptionRequest([(name: "model", value: value)]) }
    }
  }

  @Test(
    arguments: [
      ("true", true), ("True", true), ("1", true), ("yes", true), ("on", true), ("false", false),
      ("FALSE", false), ("0", false), ("no", false), ("off", false),
    ])
  func yesAndNoAreWrittenInManyWays(_ text: String, _ isYes: Bool) throws {
    #expect(try request(("stream", text)).isStream == isYes)
    #expect(try request(("translate", text)).translates == isYes)
    #expect(try request(("encode", text)).isRaw == !isYes)
    #expect(try request(("word_timestamps", text)).hasWords == isYes)
  }

  /// Lists, by the names and the texts that programs give them.
  @Test(
    arguments: [
      [("timestamp_granularities[]", "word"), ("timestamp_granularities[]", "segment")],
      [("timestamp_granularities", "word"), ("timestamp_granularities", "segment")],
      [("timestamp_granularities[0]", "word"), ("timestamp_granularities[1]", "segment")],
      [("timestamp_granularities[]", "word,segment")], [("timestamp_granularities", "word, segment,")],
      [("timestamp_granularities[]", #"["word","segment"]"#)],
      [("timestamp_granularities", #"["word", null, "segment"]"#)],
    ])
  func listsAreWrittenInManyWays(_ fields: [(String, String)]) throws {
    let request = try TranscriptionRequest(
      ([("model", "m"), ("response_format", "verbose_json")] + fields).map { (name: $0, value: $1) })
    #expect(request.hasWords)
    #expect(request.hasSegments)
    #expect(request.ignored.isEmpty)
  }

  @Test func numbersAreWrittenInManyWays() throws {
    #expect(try request(("alternatives", "2.0")).alternatives == 2)
    #expect(try request(("alternatives", " 2 ")).alternatives == 2)
    #expect(try request(("temperature", "0.0")).ignored.isEmpty)
    #expect(try request(("temperature", "[0.0, 0.2]")).ignored == ["temperature"])
    #expect(try request(("temperature", "0,0")).ignored.isEmpty)
  }

  /// What cannot be a stream is answered whole, as OpenAI's server answers it.
  @Test(
    arguments: [
      ("json", true), ("text", true), ("diarized_json", true), ("srt", false), ("vtt", false), ("tsv", false),
      ("verbose_json", false),
    ])
  func streamIsOfWhatCanBeStreamed(_ format: String, _ isStream: Bool) throws {
    let request = try request(("stream", "true"), ("response_format", format))
    #expect(request.isStream == isStream)
    #expect(request.ignored == (isStream ? [] : ["stream"]))
    let whole = try self.request(("stream", "0"), ("response_format", format))
    #expect(!whole.isStream)
    #expect(whole.ignored.isEmpty)
  }

  @Test func translationIsAnsweredWhole() throws {
    let fields = [(name: "model", value: "m"), (name: "stream", value: "true")]
    let request = try TranscriptionRequest(fields, translates: true)
    #expect(request.translates)
    #expect(!request.isStream)
    #expect(request.ignored == ["stream"])
    #expect(throws: HTTPError.self) {
      try TranscriptionRequest(fields + [(name: "response_format", value: "diarized_json")], translates: true)
    }
  }

  /// The words of the programs that were written for other servers.
  @Test func otherServersAreAskedInTheirOwnWords() throws {
    func ask(_ dialect: ClientDialect, _ fields: (String, String)...) throws -> TranscriptionRequest {
      try TranscriptionRequest(fields.map { (name: $0, value: $1) }, dialect: dialect)
    }
    #expect(try ask(.webService).format == .text)
    for (name, format) in [
      ("txt", TranscriptionRequest.Format.text), ("json", .verboseJSON), ("srt", .srt), ("vtt", .vtt),
      ("tsv", .tsv),
    ] {
      #expect(try ask(.webService, ("output", name)).format == format, "\(name)")
    }
    let asr = try ask(
      .webService, ("encode", "false"), ("task", "translate"), ("language", "de"), ("output", "json"),
      ("initial_prompt", "Kimura"), ("word_timestamps", "true"), ("vad_filter", "false"))
    #expect(asr.isRaw)
    #expect(asr.translates)
    #expect(asr.language == "de")
    #expect(asr.context == ["Kimura"])
    #expect(asr.hasWords)
    #expect(asr.hasSegments)
    #expect(asr.ignored == ["vad_filter"])
    #expect(try ask(.whisperServer).format == .json)
    let inference = try ask(
      .whisperServer, ("temperature", "0.0"), ("temperature_inc", "0.2"), ("response_format", "srt"),
      ("translate", "true"))
    #expect(inference.format == .srt)
    #expect(inference.translates)
    #expect(inference.ignored == ["temperature_inc"])
    #expect(throws: HTTPError.self) { try ask(.webService, ("output", "docx")) }
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

  /// The marks of all writings divide a prompt, and not the full stops within words and after abbreviations.
  @Test(
    arguments: [
      ("张三，砸自己，李四", ["张三", "砸自己", "李四"]), ("张三、李四。王五；赵六", ["张三", "李四", "王五", "赵六"]),
      ("محمد، علي؛ فاطمة؟", ["محمد", "علي", "فاطمة"]), ("Анна; «Кимура»", ["Анна", "Кимура"]),
      ("Winawer\r\nKimura\nBenoni", ["Winawer", "Kimura", "Benoni"]),
      ("Dr. Müller, Node.js. J. Kimura", ["Dr. Müller", "Node.js", "J. Kimura"]),
      ("Vitamin B12. “Kimura” ... Winawer.", ["Vitamin B12", "Kimura", "Winawer"]),
      // Names of several words in one, and no sentences.
      ("全国人民代表大会。", ["全国人民代表大会"]), ("アレクサンドル・プーシキン", ["アレクサンドル・プーシキン"]),
      ("โรงพยาบาลศิริราช", ["โรงพยาบาลศิริราช"]), ("以下是普通话的句子。", []), ("以下は日本語の文章です。", []),
      ("今天我们来谈谈国际象棋的开局", []), ("This is a list of names, of the club.", ["of the club"]),
    ])
  func promptIsDividedAsItsWritingIs(_ prompt: String, _ phrases: [String]) throws {
    let request = try request(("prompt", prompt))
    #expect(request.context == phrases)
    #expect(request.ignored == (phrases.isEmpty ? ["prompt"] : []))
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
      ([("language", "--engine")], nil), ([("stream", "maybe")], "stream"), ([("task", "sing")], "task"),
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
