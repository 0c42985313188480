import Foundation
import Longhand

/// OpenAI's API for transcriptions.
extension API {
  static let openAIRoutes = [
    Route("POST", "/v1/audio/transcriptions", body: .form) { api, request, _ in
      try api.transcribe(request)
    },
    Route("POST", "/v1/audio/translations", body: .form) { api, request, _ in
      try api.transcribe(request, translates: true)
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

  private func transcribe(_ request: HTTPRequest, translates: Bool = false) throws -> HTTPResponse {
    guard case .form(let form) = request.body else { throw Self.noFile }
    var options = try TranscriptionRequest(form.fields)
    options.translates = translates
    if translates, options.isStream || options.format == .diarizedJSON {
      throw HTTPError(
        .badRequest, "A translation is neither a stream nor by speakers.",
        parameter: options.isStream ? "stream" : "response_format")
    }
    guard let file = form.file?.descriptor else { throw Self.noFile }
    let job = try transcriptions.begin(file, arguments(options), for: request.client)
    var response: HTTPResponse
    if options.isStream {
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
    to options: TranscriptionRequest, of job: TranscriptionQueue.Job
  ) throws -> HTTPResponse {
    let output = try job.process.all()
    try job.check()
    switch options.format {
    case .srt: return .bytes(output, type: "text/plain; charset=utf-8")
    case .vtt: return .bytes(output, type: "text/vtt; charset=utf-8")
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
      case .diarizedJSON: .json(document.diarized)
      default: .bytes(Data("\(transcript.formatted)\n".utf8), type: "text/plain; charset=utf-8")
      }
    // Any name of a model is accepted: this one has answered.
    if let model = transcript.model { response.headers.append(HTTPHeader("X-Longhand-Model", model.name)) }
    return response
  }

  static let noFile = HTTPError(
    .badRequest, "The form has no file. Send the audio in the part 'file'.", parameter: "file")

  private func arguments(_ options: TranscriptionRequest) -> [String] {
    var format = "json"
    if options.isStream { format = "jsonl" }
    if options.format == .srt || options.format == .vtt { format = options.format.rawValue }
    var arguments = ["--format", format]
    if options.translates { arguments.append(format == "json" ? "--translate" : "--only-translation") }
    // By the times of the words they are written as sentences.
    if options.isStream { arguments.append("--word-timestamps") }
    if let tracks = options.tracks { arguments.append("--tracks=\(tracks)") }
    if let count = options.alternatives { arguments += ["--alternatives", "\(count)"] }
    if !options.context.isEmpty {
      arguments.append("--context=\(options.context.joined(separator: ", "))")
    }
    // The voices of a channel are separated unless the server's own options say how.
    if options.format == .diarizedJSON,
      !transcriptions.arguments.contains(where: { $0.hasPrefix("--speakers") })
    {
      arguments += ["--speakers", "auto"]
    }
    // 'en' selects the server's own locale if that is English.
    if let language = options.language, language.lowercased() != recordings.language {
      arguments.append("--locale=\(TranscriptionOptions.tag(language))")
    }
    return arguments
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
