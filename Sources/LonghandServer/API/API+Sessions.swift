import Foundation
import Longhand

extension API {
  static let sessionRoutes = [
    Route("GET", "/api/sessions") { api, request, _ in try api.sessions(request) },
    Route("GET", "/api/sessions/*") { api, _, parameters in
      let id = try api.session(parameters[0]).id
      return .json(try api.documents.document(try api.library.store.status(of: id)))
    },
    Route("DELETE", "/api/sessions/*") { api, _, parameters in try api.erase(parameters[0]) },
    Route("GET", "/api/sessions/*/export") { api, request, parameters in
      try api.export(parameters[0], request)
    },
    Route("GET", "/api/search") { api, request, _ in try api.search(request) },
  ]

  private func sessions(_ request: HTTPRequest) throws -> HTTPResponse {
    let limit = try request.integer("limit", in: 0...1000, or: 50)
    let before = try request.value("before").map(session)
    let sessions = try library.store.sessions(before: before, limit: limit)
    return .json(.object([("sessions", .array(sessions.map(documents.summary)))]))
  }

  private func erase(_ id: String) throws -> HTTPResponse {
    let session = try session(id)
    guard !recordings.isMaking(session.id), !library.isBeingRecorded(session.id) else {
      throw HTTPError(.conflict, "the session is being recorded; stop that first", code: "is_recording")
    }
    try library.erase(session.id)
    return .done
  }

  private func export(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    let session = try session(id)
    let name = request.value("format") ?? "txt"
    guard let format = TranscriptFormat(rawValue: name) else {
      let names = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPError(.badRequest, "there is no format '\(name)'; one of \(names)", parameter: "format")
    }
    let document = TranscriptFormatter(format: format).string(
      for: try library.transcript(of: session))
    var response = HTTPResponse.bytes(Data(document.utf8), type: Self.contentType(of: format))
    let file = FileName(session.source, extension: format.fileExtension)
    response.headers.append(HTTPHeader("Content-Disposition", file.disposition))
    return response
  }

  private static func contentType(of format: TranscriptFormat) -> String {
    switch format {
    case .json: "application/json"
    case .jsonl: "application/jsonl"
    case .vtt: "text/vtt; charset=utf-8"
    case .tsv: "text/tab-separated-values; charset=utf-8"
    case .md: "text/markdown; charset=utf-8"
    case .txt, .srt, .ctm, .textgrid: "text/plain; charset=utf-8"
    }
  }

  private func search(_ request: HTTPRequest) throws -> HTTPResponse {
    let limit = try request.integer("limit", in: 0...1000, or: 50)
    let hits = try library.store.search(request.value("q") ?? "", limit: limit)
    let sources = try Dictionary(
      uniqueKeysWithValues: Set(hits.map(\.session)).map {
        ($0, try library.store.session(matching: $0).source)
      })
    return .json(
      .object([
        ("hits", .array(hits.map { Self.document($0, source: sources[$0.session] ?? "") }))
      ]))
  }

  private static func document(_ hit: SearchHit, source: String) -> JSONValue {
    .object([
      ("session", .string(hit.session)), ("source", .string(source)), ("segment", .integer(hit.segment)),
      ("start", .seconds(hit.start)), ("end", .seconds(hit.end)),
      (
        "pieces",
        .array(
          hit.fragments.map { .object([("text", .string($0.text)), ("isMatch", .boolean($0.isMatch))]) })
      ),
    ])
  }
}
