import Foundation
import Longhand

extension API {
  static let segmentRoutes = [
    Route("GET", "/api/sessions/*/segments") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      let from = try request.integer("from", in: 0...Int(Int32.max), or: 0)
      let limit = try request.integer("limit", in: 0...1000, or: 200)
      let segments = try api.library.store.segments(of: id, from: from, limit: limit)
      return .json(.object([("segments", .array(segments.map(JSONDocument().segment)))]))
    },
    Route("GET", "/api/sessions/*/segments/*") { api, _, parameters in
      try api.segment(parameters[1], of: parameters[0])
    },
    Route("PUT", "/api/sessions/*/segments/*/selection") { api, request, parameters in
      try api.choose(request, segment: parameters[1], of: parameters[0])
    },
  ]

  private struct Choice: Decodable {
    var index: Int
  }

  private func segment(_ number: String, of session: String) throws -> HTTPResponse {
    let id = try self.session(session).id
    let revisions = try library.store.revisions(of: try Self.number(number), in: id)
    guard let current = revisions.last?.segment,
      case .object(let members) = JSONDocument().segment(current)
    else { throw HTTPError(.notFound, "the session has no segment \(number)", code: "no_segment") }
    let history = revisions.map { revision in
      JSONValue.object([
        ("revision", .integer(revision.segment.revision)), ("text", .string(revision.segment.text)),
        ("reason", .string(revision.reason)), ("date", .string(revision.date.formatted(.iso8601))),
        ("selection", JSONDocument.selection(revision.segment.selection)),
      ])
    }
    return .json(.object(members + [("revisions", .array(history))]))
  }

  private func choose(_ request: HTTPRequest, segment number: String, of session: String) throws
    -> HTTPResponse
  {
    let index = try request.json(Choice.self).index
    let (id, number) = (try self.session(session).id, try Self.number(number))
    var segment = try library.store.segment(number, in: id)
    guard segment.candidates.indices.contains(index) else {
      throw HTTPError(
        .badRequest, "segment \(number) has the candidates 0 to \(segment.candidates.count - 1)",
        parameter: "index")
    }
    if index != segment.selection.index {
      segment = try library.store.choose(index, of: number, in: id)
    }
    return .json(JSONDocument().segment(segment))
  }
}
