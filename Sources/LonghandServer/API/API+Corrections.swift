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
    Route("PUT", "/api/sessions/*/text") { api, request, parameters in
      let id = try api.changeableText(of: parameters[0])
      let change = try request.json(TextEdit.self)
      guard change.first < change.end else {
        throw HTTPError(.badRequest, "'end' must be greater than 'first'.", parameter: "end")
      }
      return try api.answer(
        api.library.store.edit(
          change.first..<change.end, to: change.paragraphs, in: id, ifRevisions: change.revisions,
          ifCount: change.segmentCount), in: id)
    },
    Route("POST", "/api/sessions/*/undo") { api, _, parameters in
      let id = try api.changeableText(of: parameters[0])
      return try api.answer(api.library.store.undo(in: id), in: id)
    },
    Route("POST", "/api/sessions/*/redo") { api, _, parameters in
      let id = try api.changeableText(of: parameters[0])
      return try api.answer(api.library.store.redo(in: id), in: id)
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

  private struct TextEdit: Decodable {
    var first: Int
    var end: Int
    var paragraphs: [String]
    /// The revisions of the segments, and the number of the session's segments, that the client knows.
    var revisions: [Int]?
    var segmentCount: Int?
  }

  /// The ID of a session whose segments may get other numbers.
  private func changeableText(of session: String) throws -> String {
    let session = try self.session(session)
    guard !session.state.isFinal || !library.isInUse(session.id) else {
      throw HTTPError(
        .conflict, "A program is transcribing the session again. Wait until it is done.", code: "is_recording"
      )
    }
    return session.id
  }

  /// What was changed; no segments if nothing was.
  private func answer(_ change: TranscriptStore.TextChange?, in session: String) throws -> HTTPResponse {
    if change != nil { hub.storeChanged() }
    let count = try change?.segmentCount ?? library.store.status(of: session).segmentCount
    return .json(
      .object([
        ("segments", .array((change?.segments ?? []).map(JSONValue.integer))),
        ("segmentCount", .integer(count)),
      ]))
  }
}

extension TranscriptStore.WordPlace {
  fileprivate var json: JSONValue {
    .object([("segment", .integer(segment)), ("word", .integer(words.lowerBound))])
  }
}
