import Foundation
import Longhand

/// Corrections by hand, and the words that may need one.
extension API {
  static let correctionRoutes = [
    Route("PUT", "/api/sessions/*/segments/*/words") { api, request, parameters in
      let (id, number) = (try api.session(parameters[0]).id, try API.number(parameters[1]))
      let change = try request.json(WordsChange.self)
      guard change.first < change.end else {
        throw HTTPError(.badRequest, "'end' must be greater than 'first'.", parameter: "end")
      }
      let segment = try api.library.store.correct(
        change.first..<change.end, to: change.text, of: number, in: id, ifRevision: change.revision)
      api.hub.storeChanged()
      return .json(try api.document(of: segment, in: id))
    },
    Route("GET", "/api/sessions/*/corrections") { api, request, parameters in
      let places = try api.library.store.places(
        of: request.value("recognized") ?? "", in: try api.session(parameters[0]).id)
      return .json(
        .object([
          ("count", .integer(places.count)), ("places", .array(places.prefix(1000).map(\.json))),
        ]))
    },
    Route("POST", "/api/sessions/*/corrections") { api, request, parameters in
      let change = try request.json(Everywhere.self)
      defer { api.hub.storeChanged() }
      let segments = try api.library.store.correctEverywhere(
        change.recognized, to: change.text, in: try api.session(parameters[0]).id)
      return .json(.object([("segments", .array(segments.map(JSONValue.integer)))]))
    },
    Route("GET", "/api/sessions/*/unsure") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      let places = try api.unsure.places(of: id)
      let here = (
        try request.integer("segment", in: -1...Int(Int32.max), or: -1),
        try request.integer("word", in: -1...Int(Int32.max), or: -1)
      )
      let next =
        request.value("direction") == "back"
        ? places.last(where: { ($0.segment, $0.words.lowerBound) < here }) ?? places.last
        : places.first(where: { ($0.segment, $0.words.lowerBound) > here }) ?? places.first
      return .json(.object([("count", .integer(places.count)), ("next", next?.json ?? .null)]))
    },
  ]

  private struct WordsChange: Decodable {
    var first: Int
    var end: Int
    var text: String
    var revision: Int?
  }

  private struct Everywhere: Decodable {
    var recognized: String
    var text: String
  }
}

extension TranscriptStore.WordPlace {
  fileprivate var json: JSONValue {
    .object([("segment", .integer(segment)), ("word", .integer(words.lowerBound))])
  }
}
