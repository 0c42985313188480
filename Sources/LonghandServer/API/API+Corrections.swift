import Foundation
import Longhand

/// Corrections by hand, and the words that may need one.
extension API {
  static let correctionRoutes = [
    Route("PUT", "/api/sessions/*/segments/*/words") { api, request, parameters in
      let (id, key) = (try api.session(parameters[0]).id, try API.key(parameters[1]))
      let change = try request.json(WordsChange.self)
      guard change.first < change.end else {
        throw HTTPError(.badRequest, "'end' must be greater than 'first'.", parameter: "end")
      }
      return try api.change(NamedSegment(key: key, revision: change.revision), in: id) {
        try api.library.store.correct(
          change.first..<change.end, to: change.text, of: key, in: id, ifRevision: change.revision)
      }
    },
    Route("PUT", "/api/sessions/*/text") { api, request, parameters in
      let id = try api.changeableText(of: parameters[0])
      let change = try request.json(TextEdit.self)
      return try api.changing(change.segments, in: id) {
        try api.answer(
          api.library.store.edit(
            change.segments.map(\.key), to: change.paragraphs, in: id,
            ifRevisions: change.segments.map(\.revision)), in: id)
      }
    },
    Route("POST", "/api/sessions/*/undo") { api, request, parameters in
      try api.step(request, parameters[0]) { try api.library.store.undo(in: $0, step: $1) }
    },
    Route("POST", "/api/sessions/*/redo") { api, request, parameters in
      try api.step(request, parameters[0]) { try api.library.store.redo(in: $0, step: $1) }
    },
    Route("GET", "/api/sessions/*/corrections") { api, request, parameters in
      let places = try api.library.store.textPlaces(
        of: request.value("recognized") ?? "", in: try api.session(parameters[0]).id
      ).places.map(\.wordPlace)
      return .json(
        .object([
          ("count", .integer(places.count)), ("places", .array(places.prefix(1000).map(\.json))),
        ]))
    },
    Route("GET", "/api/sessions/*/unsure") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      let unsure = try api.unsure.words(of: id)
      let segment = try request.integer("segment", in: -1...Int(Int32.max), or: -1)
      let wanted = try request.value("of").map { text in
        guard let kind = UnsureKind(rawValue: text) else {
          throw HTTPError(.badRequest, "'of' is words, speakers or all.", parameter: "of")
        }
        return kind
      }
      let here = UnsurePlace(
        number: segment < 0 ? -1 : try api.library.store.number(ofSegment: segment, in: id),
        word: try request.integer("word", in: -1...Int(Int32.max), or: -1),
        isWord: request.value("at") != "speaker")
      let places = UnsurePlace.all(unsure, wanted ?? .words)
      let next =
        request.value("direction") == "back"
        ? places.last { $0 < here } ?? places.last
        : places.first { here < $0 } ?? places.first
      let word = next.flatMap { next in unsure.words.firstIndex { !(UnsurePlace($0.place) < next) } }
      return .json(
        .object(
          [
            ("count", .integer(unsure.words.count)), ("turns", .integer(unsure.turns.count)),
            ("next", next?.json ?? .null),
          ] + (unsure.expectedErrors.map { API.expected($0, unsure, from: word ?? 0) } ?? [])))
    },
  ]

  /// How many words are probably wrong, in all and among the next unsure ones.
  fileprivate static func expected(
    _ errors: ExpectedErrors, _ unsure: TranscriptStore.UnsureWords, from first: Int
  ) -> [(String, JSONValue)] {
    let (count, wrong) = unsure.next(from: first)
    return [
      ("expectedErrors", JSONDocument.expected(errors)),
      ("nextWords", .object([("count", .integer(count)), ("expectedErrors", .number(wrong))])),
    ]
  }

  private struct WordsChange: Decodable {
    var first: Int
    var end: Int
    var text: String
    var revision: Int
  }

  private struct TextEdit: Decodable {
    /// The segments that are replaced, in order.
    var segments: [NamedSegment]
    var paragraphs: [String]
  }

  private struct Step: Decodable {
    /// The number of the step that is taken back or made again.
    var step: Int
  }

  /// The ID of a session whose segments can be divided.
  private func changeableText(of session: String) throws -> String {
    let session = try self.session(session)
    guard !session.state.isFinal || !library.isInUse(session.id) else {
      throw HTTPError(
        .conflict, "A program is transcribing the session again. Wait until it is done.", code: "is_recording"
      )
    }
    return session.id
  }

  /// Takes a step back, or makes it again. If another step is the present one, the response names it.
  private func step(
    _ request: HTTPRequest, _ session: String,
    _ change: (_ session: String, _ step: Int) throws -> TranscriptStore.TextChange?
  ) throws -> HTTPResponse {
    let id = try changeableText(of: session)
    let step = try request.json(Step.self).step
    do { return try answer(change(id, step), in: id) } catch let error as StoreError where error.isConflict {
      return HTTPResponse(error, try steps(of: id))
    }
  }

  /// The steps of a session.
  private func steps(of session: String) throws -> [(key: String, value: JSONValue)] {
    SessionDocuments.members(of: try library.store.steps(of: session))
  }

  /// What was changed; no segments if nothing was.
  private func answer(_ change: TranscriptStore.TextChange?, in session: String) throws -> HTTPResponse {
    if change != nil { hub.storeChanged() }
    let count = try change?.segmentCount ?? library.store.status(of: session).segmentCount
    return .json(
      .object(
        [
          ("segments", .array((change?.segments ?? []).map(JSONValue.integer))),
          ("segmentCount", .integer(count)),
        ] + (try steps(of: session))))
  }
}

/// What the way through unsure places goes to.
private enum UnsureKind: String {
  case words, speakers, all
}

/// An unsure word, or the words of an unsure speaker, which come first.
private struct UnsurePlace: Comparable {
  var number: Int
  var word: Int
  var isWord = true
  var json = JSONValue.null

  static func all(_ unsure: TranscriptStore.UnsureWords, _ kind: UnsureKind) -> [UnsurePlace] {
    let words = kind == .speakers ? [] : unsure.words.map { UnsurePlace($0.place) }
    let turns = kind == .words ? [] : unsure.turns.map { UnsurePlace($0) }
    return turns.isEmpty ? words : (words + turns).sorted()
  }

  init(number: Int, word: Int, isWord: Bool) {
    (self.number, self.word, self.isWord) = (number, word, isWord)
  }

  init(_ place: TranscriptStore.WordPlace) {
    (number, word, json) = (place.number, place.words.lowerBound, place.json)
  }

  init(_ run: SpeakerRun) {
    (number, word, isWord) = (run.number, run.words.lowerBound, false)
    json = .object(
      [
        ("segment", .integer(run.segment)), ("number", .integer(run.number)),
        ("word", .integer(run.words.lowerBound)), ("end", .integer(run.words.upperBound)),
        ("start", .seconds(run.start)), ("stop", .seconds(run.end)),
        ("speaker", run.speaker.map(JSONValue.string) ?? .null),
        ("speakerConfidence", .confidence(run.confidence)),
      ])
  }

  private var key: (Int, Int, Int) { (number, word, isWord ? 1 : 0) }

  static func == (a: UnsurePlace, b: UnsurePlace) -> Bool { a.key == b.key }
  static func < (a: UnsurePlace, b: UnsurePlace) -> Bool { a.key < b.key }
}

extension TranscriptStore.WordPlace {
  fileprivate var json: JSONValue {
    .object([
      ("segment", .integer(segment)), ("number", .integer(number)), ("word", .integer(words.lowerBound)),
    ])
  }
}
