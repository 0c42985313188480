import Foundation
import Longhand

/// The part of OpenAI's API that transcribes.
extension API {
  static let openAIRoutes = [
    Route("POST", "/v1/audio/transcriptions", body: .form) { api, request, _ in
      try api.transcribe(request)
    },
    Route("GET", "/v1/models") { _, _, _ in
      .json(
        .object([
          ("object", .string("list")), ("data", .array(TranscriptionRequest.models.map(model))),
        ]))
    },
    Route("GET", "/v1/models/*") { _, _, parameters in
      guard TranscriptionRequest.models.contains(parameters[0]) else {
        throw HTTPError(
          .notFound, "there is no model '\(parameters[0])' here; 'longhand' is one", parameter: "model",
          code: "model_not_found")
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

  private func transcribe(_ request: HTTPRequest) throws -> HTTPResponse {
    guard case .form(let form) = request.body else {
      throw HTTPError(.badRequest, "file is missing", parameter: "file")
    }
    let wish = try TranscriptionRequest(form.fields)
    guard let file = form.file?.descriptor else {
      throw HTTPError(.badRequest, "file is missing", parameter: "file")
    }
    let work = try transcriptions.begin(file, arguments(wish), for: request.client)
    if wish.isStream {
      return .events(try TranscriptionEvents(work, alternatives: wish.alternatives))
    }
    let output = try work.process.all()
    guard !output.isEmpty || work.process.exitStatus == 0 else { throw work.failure }
    switch wish.format {
    case .srt: return .bytes(output, type: "text/plain; charset=utf-8")
    case .vtt: return .bytes(output, type: "text/vtt; charset=utf-8")
    case .text:
      let text = try Self.document(output).text + "\n"
      return .bytes(Data(text.utf8), type: "text/plain; charset=utf-8")
    case .json: return .json(OpenAITranscript(transcript: try Self.document(output), request: wish).json)
    case .verboseJSON: return .json(OpenAITranscript(transcript: try Self.document(output), request: wish).verbose)
    }
  }

  private func arguments(_ wish: TranscriptionRequest) -> [String] {
    var format = "json"
    if wish.isStream { format = "jsonl" }
    if wish.format == .srt || wish.format == .vtt { format = wish.format.rawValue }
    var arguments = ["--format", format]
    if let count = wish.alternatives { arguments += ["--alternatives", "\(count)"] }
    // 'en' stands for whatever English the server listens for.
    if let language = wish.language, language.lowercased() != recordings.language {
      arguments.append("--locale=\(language)")
    }
    return arguments
  }

  private static func document(_ output: Data) throws -> TranscriptDocument {
    do {
      return try JSONDecoder().decode(TranscriptDocument.self, from: output)
    } catch {
      throw HTTPError(.serverError, "the transcription cannot be read")
    }
  }
}
