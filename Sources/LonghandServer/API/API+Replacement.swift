import Foundation
import Longhand

/// Words that are found and replaced, in one session or in all.
extension API {
  static let replacementRoutes = [
    Route("GET", "/api/replacements") { api, request, _ in try api.places(request) },
    Route("POST", "/api/replacements", body: .part) { api, request, _ in
      let change = try request.json(Change.self)
      return try api.replace(change.places, with: change.text)
    },
    Route("POST", "/api/replacements/undo", body: .part) { api, request, _ in
      let change = try request.json(Undo.self)
      defer { api.hub.storeChanged() }
      return .json(document(try api.library.store.undo(change.replacements)))
    },
  ]

  private struct Change: Decodable {
    var text: String
    var places: [TranscriptStore.Replaced]
  }

  private struct Undo: Decodable {
    var replacements: [TranscriptStore.Replacement]
  }

  private static func document(_ replacements: [TranscriptStore.Replacement]) -> JSONValue {
    .object([
      (
        "replacements",
        .array(
          replacements.map { one in
            .object([
              ("session", .string(one.session)), ("segment", .integer(one.segment)),
              ("before", .integer(one.before)), ("after", .integer(one.after)),
            ])
          })
      )
    ])
  }

  /// Replaces words. If a segment has changed, the response has the present ones of its session.
  private func replace(_ places: [TranscriptStore.Replaced], with text: String) throws -> HTTPResponse {
    do {
      defer { hub.storeChanged() }
      return .json(Self.document(try library.store.replace(places, with: text)))
    } catch let error as StoreError where error.isConflict {
      let present = try Dictionary(grouping: places, by: \.session).sorted { $0.key < $1.key }.flatMap {
        session, places in
        try library.store.shownSegments(of: session, Set(places.map(\.segment))).map {
          JSONDocument().segment($0).with("session", .string(session))
        }
      }
      return HTTPResponse(error, [("segments", .array(present))])
    }
  }

  /// The most places in an answer, so that a person can look at each.
  private static let maxPlaces = 1000
  /// Words beside each place.
  private static let context = 6

  private func places(_ request: HTTPRequest) throws -> HTTPResponse {
    let session = try request.value("session").map { try self.session($0).id }
    let all = try library.store.textPlaces(of: request.value("text") ?? "", in: session)
    let places = all.prefix(Self.maxPlaces)
    var ids: [String] = []
    for place in places where ids.last != place.session { ids.append(place.session) }
    return .json(
      .object([
        ("count", .integer(all.count)), ("places", .array(places.map(Self.document))),
        (
          "sessions",
          .array(try ids.map { documents.heading(try library.store.session(matching: $0)) })
        ),
      ]))
  }

  private static func document(_ place: TranscriptStore.TextPlace) -> JSONValue {
    let (words, range) = (place.segment.words, place.words)
    func text(_ words: some Sequence<Word>) -> JSONValue { .string(words.map(\.text).joined(separator: " ")) }
    return .object([
      ("session", .string(place.session)), ("segment", .integer(place.segment.id)),
      ("number", .integer(place.number)), ("first", .integer(range.lowerBound)),
      ("end", .integer(range.upperBound)),
      ("revision", .integer(place.segment.revision)),
      ("start", .seconds(words[range.lowerBound].start)),
      ("before", text(words[..<range.lowerBound].suffix(context))), ("match", text(words[range])),
      ("after", text(words[range.upperBound...].prefix(context))),
    ])
  }
}
