import Foundation
import Longhand

/// OpenAI's API for transcriptions, and the addresses that programs know which were written for other servers.
extension API {
  static let openAIRoutes = [
    Route("POST", "/v1/audio/transcriptions", body: .form) { api, request, _ in
      try api.transcribe(request)
    },
    Route("POST", "/v1/audio/translations", body: .form) { api, request, _ in
      try api.transcribe(request, translates: true)
    },
    Route("POST", "/inference", body: .form) { api, request, _ in
      try api.transcribe(request, .whisperServer)
    },
    Route("POST", "/asr", body: .form) { api, request, _ in
      try api.transcribe(request, .webService)
    },
    Route("POST", "/detect-language", body: .form) { api, request, _ in
      try api.detectLanguage(request)
    },
    Route("GET", "/v1/models") { _, _, _ in
      .json(
        .object([
          ("object", .string("list")), ("data", .array(TranscriptionRequest.models.map(model))),
        ]))
    },
    Route("GET", "/v1/models/*") { _, _, parameters in
      guard TranscriptionRequest.models.contains(parameters[0]) else {
        throw TranscriptionRequest.noModel(parameters[0])
      }
      return .json(model(parameters[0]))
    },
  ]

  private static func model(_ name: String) -> JSONValue {
    .object([
      ("id", .string(name)), ("object", .string("model")), ("created", .integer(0)),
      ("owned_by", .string("longhand")),
    ])
  }

  private func transcribe(
    _ request: HTTPRequest, _ dialect: ClientDialect = .openAI, translates: Bool = false
  ) throws -> HTTPResponse {
    guard case .form(let form) = request.body else { throw Self.noFile }
    // Some programs write what they want into the address.
    let options = try TranscriptionRequest(
      request.query + form.fields, dialect: dialect, translates: translates)
    guard let file = form.file?.descriptor else { throw Self.noFile }
    if options.isRaw { try Self.addHeader(to: form) }
    let job = try transcriptions.begin(file, jobOptions(options), for: request.client)
    var response: HTTPResponse
    if options.isStream, options.format != .diarizedJSON {
      response = .events(
        try TranscriptionEventStream(
          job, locale: options.language ?? recordings.language ?? "en", request: options),
        isEndless: false)
    } else {
      response = try self.response(to: options, of: job)
    }
    if !options.ignored.isEmpty {
      // A client's text does not get into a header as it is.
      let names = options.ignored.prefix(20).map { name in
        String(name.prefix(60).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_-[].".contains($0)) })
      }
      response.headers.append(HTTPHeader("X-Longhand-Ignored", names.joined(separator: ", ")))
    }
    return response
  }

  private func response(
    to options: TranscriptionRequest, of job: TranscriptionJob
  ) throws -> HTTPResponse {
    let output = try job.all()
    try job.check()
    var response = try self.response(to: options, with: output)
    if job.failedSeconds > 0 {
      response.headers.append(
        HTTPHeader("X-Longhand-Failed-Seconds", JSONValue.seconds(job.failedSeconds).text))
    }
    return response
  }

  private func response(to options: TranscriptionRequest, with output: Data) throws -> HTTPResponse {
    switch options.format {
    case .srt: return .bytes(output, type: "text/plain; charset=utf-8")
    case .vtt: return .bytes(output, type: "text/vtt; charset=utf-8")
    case .tsv: return .bytes(output, type: "text/tab-separated-values; charset=utf-8")
    case .text, .json, .verboseJSON, .diarizedJSON: break
    }
    var transcript = try Self.document(output)
    if options.translates {
      guard let translated = transcript.translated else {
        throw HTTPError(.serverError, "The text could not be translated. See the server's standard error.")
      }
      transcript = translated
    }
    let document = OpenAITranscript(transcript: transcript, request: options)
    var response: HTTPResponse =
      switch options.format {
      case .json: .json(document.json)
      case .verboseJSON: .json(document.verbose)
      // Who speaks is known at the end only.
      case .diarizedJSON where options.isStream:
        .bytes(document.diarizedEvents, type: "text/event-stream")
      case .diarizedJSON: .json(document.diarized)
      default: .bytes(Data("\(transcript.formatted)\n".utf8), type: "text/plain; charset=utf-8")
      }
    // Any name of a model is accepted: this one has answered.
    if let model = transcript.model { response.headers.append(HTTPHeader("X-Longhand-Model", model.name)) }
    return response
  }

  static let noFile = HTTPError(
    .badRequest, "The form has no file. Send the audio in the part 'file'.", parameter: "file")

  /// Which language is spoken, by the first half minute of speech, as `whisper-asr-webservice` answers it.
  private func detectLanguage(_ request: HTTPRequest) throws -> HTTPResponse {
    guard case .form(let form) = request.body, let file = form.file?.descriptor else { throw Self.noFile }
    let sent = try TranscriptionRequest(request.query + form.fields, dialect: .webService)
    let options: TranscriptionJob.Options = [
      ("format", .string("jsonl")), ("locale", .string(TranscriptionOptions.detectedLanguage.identifier)),
    ]
    if sent.isRaw { try Self.addHeader(to: form) }
    let job = try transcriptions.begin(file, options, for: request.client)
    var seconds: [String: Double] = [:]
    var rest = Data()
    read: while let output = try job.next() {
      rest += output
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = try? JSONDecoder().decode(TranscriptLine.self, from: rest[..<end])
        rest = Data(rest[rest.index(after: end)...])
        guard let line, line.type == .final, let tag = line.language,
          let code = Locale(identifier: tag).language.languageCode?.identifier
        else { continue }
        seconds[code, default: 0] += (line.end ?? 0) - (line.start ?? 0)
        if seconds.values.reduce(0, +) > 30 { break read }
      }
    }
    if seconds.isEmpty { try job.check() }
    let found = seconds.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return .json(
      .object([
        ("detected_language", found.map { .string(ClientLanguage.name(of: $0.key) ?? $0.key) } ?? .null),
        ("language_code", found.map { .string($0.key) } ?? .null),
        // Of the speech, the part in this language.
        ("confidence", .confidence(found.map { $0.value / seconds.values.reduce(0, +) })),
      ]))
  }

  /// Audio without a header is of this format: `whisper-asr-webservice` takes it with `encode=false`.
  private static func addHeader(to form: ReceivedForm) throws {
    try form.addWaveHeader(sampleRate: 16_000, channels: 1)
  }

  /// The options of `longhand worker` for a request.
  private func jobOptions(_ request: TranscriptionRequest) -> TranscriptionJob.Options {
    var format = "json"
    if request.isStream, request.format != .diarizedJSON { format = "jsonl" }
    if [.srt, .vtt, .tsv].contains(request.format) { format = request.format.rawValue }
    var options: TranscriptionJob.Options = [("format", .string(format))]
    if request.translates {
      options.append((format == "json" ? "translate" : "only-translation", .boolean(true)))
    }
    // By the times of the words they are written as sentences.
    if format == "jsonl" { options.append(("word-timestamps", .boolean(true))) }
    if let tracks = request.tracks { options.append(("tracks", .string(tracks))) }
    if let count = request.alternatives { options.append(("alternatives", .integer(count))) }
    if !request.context.isEmpty {
      options.append(("context", .string(request.context.joined(separator: ", "))))
    }
    // The voices of a channel are separated.
    if request.format == .diarizedJSON { options.append(("speakers", .string("auto"))) }
    // 'en' selects the server's own locale if that is English.
    if let language = request.language, language.lowercased() != recordings.language {
      options.append(("locale", .string(TranscriptionOptions.tag(language))))
    }
    return options
  }

  static func document(_ output: Data) throws -> TranscriptDocument {
    do {
      return try JSONDecoder().decode(TranscriptDocument.self, from: output).withoutEcho
    } catch {
      throw HTTPError(
        .serverError, "The transcription could not be read: \(error). See the server's standard error.")
    }
  }
}
