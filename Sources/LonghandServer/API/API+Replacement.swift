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
    let whole = request.value("whole") ?? "yes"
    guard ["yes", "no"].contains(whole) else {
      throw HTTPError(.badRequest, "'whole' must be yes or no, not '\(whole)'.", parameter: "whole")
    }
    let found = try library.store.textPlaces(
      of: request.value("text") ?? "", in: session, isWhole: whole == "yes")
    let places = found.places.prefix(Self.maxPlaces)
    let new = request.value("with")
    var ids: [String] = []
    for place in places where ids.last != place.session { ids.append(place.session) }
    return .json(
      .object([
        ("count", .integer(found.places.count)),
        ("places", .array(places.map { Self.document($0, new) })),
        (
          "left",
          .array(
            found.left.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
              .object([("text", .string($0.key)), ("count", .integer($0.value))])
            })
        ),
        (
          "sessions",
          .array(try ids.map { documents.heading(try library.store.session(matching: $0)) })
        ),
      ]))
  }

  private static func document(_ place: TranscriptStore.TextPlace, _ new: String?) -> JSONValue {
    let (words, match) = (place.segment.words, place.match)
    func text(_ words: some Sequence<Word>) -> JSONValue { .string(words.map(\.text).joinedWords()) }
    return .object(
      [
        ("session", .string(place.session)), ("segment", .integer(place.segment.id)),
        ("number", .integer(place.number)), ("first", .integer(match.words.lowerBound)),
        ("end", .integer(match.words.upperBound)),
        ("revision", .integer(place.segment.revision)),
        ("start", .seconds(words[match.words.lowerBound].start)),
        ("before", text(words[..<match.words.lowerBound].suffix(context))),
        ("prefix", .string(match.prefix)), ("match", .string(match.text)), ("suffix", .string(match.suffix)),
        ("after", text(words[match.words.upperBound...].prefix(context))),
      ] + (new.map { [("becomes", .string(match.replaced(by: $0)))] } ?? []))
  }
}
