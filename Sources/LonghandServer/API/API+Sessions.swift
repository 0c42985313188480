import Foundation
import Longhand

/// Sessions, their exports, and the search.
extension API {
  static let sessionRoutes = [
    Route("GET", "/api/sessions") { api, request, _ in try api.sessions(request) },
    Route("GET", "/api/sessions/*") { api, _, parameters in
      let id = try api.session(parameters[0]).id
      return .json(try api.documents.document(of: id))
    },
    Route("DELETE", "/api/sessions/*") { api, request, parameters in
      try api.erase(parameters[0], stops: request.value("stop") == "true")
    },
    Route("POST", "/api/sessions/*/resume") { api, _, parameters in try api.resume(parameters[0]) },
    Route("POST", "/api/sessions/*/stop") { api, _, parameters in try api.stop(parameters[0]) },
    Route("POST", "/api/sessions/*/move") { api, request, parameters in
      try api.move(parameters[0], request)
    },
    Route("GET", "/api/sessions/*/export") { api, request, parameters in
      try api.export(parameters[0], request)
    },
    Route("GET", "/api/sessions/*/terms") { api, _, parameters in
      try api.terms(of: try api.session(parameters[0]).id)
    },
    Route("GET", "/api/search") { api, request, _ in try api.search(request) },
  ]

  private func sessions(_ request: HTTPRequest) throws -> HTTPResponse {
    let limit = try request.integer("limit", in: 0...1000, or: 50)
    if let ids = request.value("ids") {
      // Those that were deleted meanwhile are not in the answer.
      let sessions = ids.split(separator: ",").prefix(100).compactMap { id in
        (try? library.store.session(matching: String(id))).flatMap { $0.id == id ? $0 : nil }
      }
      return .json(.object([("sessions", .array(sessions.map(documents.summary)))]))
    }
    let before = try request.value("before").map(session)
    let sessions = try library.store.sessions(before: before, limit: limit, of: try Self.filter(request))
    return .json(.object([("sessions", .array(sessions.map(documents.summary)))]))
  }

  /// Which sessions are wanted.
  private static func filter(_ request: HTTPRequest) throws -> SessionFilter {
    let since = try request.value("since").map { text in
      // Browsers write milliseconds.
      guard
        let date = (try? Date(text, strategy: .iso8601))
          ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      else {
        throw HTTPError(
          .badRequest, "'since' must be a date such as 2026-01-31T00:00:00Z, not '\(text)'.",
          parameter: "since")
      }
      return date
    }
    return SessionFilter(tag: request.value("tag"), since: since)
  }

  private func erase(_ id: String, stops: Bool) throws -> HTTPResponse {
    let session = try session(id)
    if stops { try whileSeen { try await $0.stopAll(session.id) } }
    guard !recordings.isMaking(session.id), !library.isInUse(session.id) else {
      throw HTTPError(
        .conflict,
        "A program is recording or transcribing the session. Stop it with POST /api/sessions/ID/stop, "
          + "or erase it with '?stop=true'.",
        code: "is_recording")
    }
    recoveries.forget(session.id)
    do { try library.erase(session.id) } catch let error as StoreError
      where error.problem == .erasureNeedsRoom
    {}
    hub.storeChanged()
    return .done
  }

  /// Stops what is done with a session, in whatever process. The work has stopped when the response is sent.
  private func stop(_ id: String) throws -> HTTPResponse {
    let session = try session(id)
    guard try whileSeen({ try await $0.stop(session.id) }) else {
      throw HTTPError(.conflict, "Nothing is done with the session now.", code: "not_working")
    }
    return .json(try documents.document(of: session.id))
  }

  /// Does something that changes what clients see of sessions.
  private func whileSeen<Value: Sendable>(
    _ work: @escaping @Sendable (Library) async throws -> Value
  ) throws -> Value {
    defer { hub.storeChanged() }
    do {
      return try BlockingBridge.wait { [library] in try await work(library) }
    } catch RecordingError.inUse {
      throw HTTPError(.conflict, "The program that works on the session does not stop.", code: "in_use")
    }
  }

  private struct Turn: Decodable {
    var to: RecoveryHost.Move
  }

  /// Changes the order in which sessions wait for their turn.
  private func move(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    let session = try session(id)
    guard let order = recoveries.move(session.id, try request.json(Turn.self).to) else {
      throw HTTPError(.conflict, "The session does not wait for its turn here.", code: "not_waiting")
    }
    return .json(.object([("waiting", .array(order.map(JSONValue.string)))]))
  }

  /// Continues an interrupted or stopped session. The events of the session report its progress.
  private func resume(_ id: String) throws -> HTTPResponse {
    let session = try session(id)
    let activity = library.activity(of: session)
    guard activity.canResume || activity.state == .queued else {
      throw HTTPError(.conflict, "The session is not interrupted.", code: "not_interrupted")
    }
    recoveries.resume(session.id)
    return HTTPResponse(status: 202)
  }

  /// The names of the vocabulary that were said, with their places, the most frequent first.
  private func terms(of session: String) throws -> HTTPResponse {
    let terms = try library.store.occurrences(in: session).byTerm
    let numbers = terms.isEmpty ? [:] : try library.store.numbers(of: session)
    return .json(
      .object([
        (
          "terms",
          .array(
            terms.map { term, places in
              .object([
                ("term", .string(term)), ("count", .integer(places.count)),
                (
                  "places",
                  .array(
                    places.map { place in
                      JSONDocument.place(
                        term, id: place.id, place.provenance,
                        in: [
                          ("segment", .integer(place.segment)),
                          ("number", numbers[place.segment].map(JSONValue.integer) ?? .null),
                        ], place.start...max(place.start, place.end))
                    })
                ),
              ])
            })
        )
      ]))
  }

  private func search(_ request: HTTPRequest) throws -> HTTPResponse {
    let limit = try request.integer("limit", in: 0...1000, or: 50)
    var filter = try Self.filter(request)
    filter.session = try request.value("session").map { try session($0).id }
    let (words, term) = (request.value("q"), request.value("term"))
    guard words == nil || term == nil else {
      throw HTTPError(.badRequest, "Send either 'q' or 'term', not both.", parameter: "term")
    }
    let hits = try searches.hits(
      term.map { .term($0) } ?? .words(words ?? ""), of: filter, saidBy: request.value("speaker"),
      limit: limit,
      for: request.client)
    var ids: [String] = []
    for hit in hits where ids.last != hit.session { ids.append(hit.session) }
    let sessions = try ids.map { try library.store.session(matching: $0) }
    let names = Dictionary(sessions.map { ($0.id, $0.source) }) { first, _ in first }
    return .json(
      .object([
        ("hits", .array(try hits.map { try document($0, source: names[$0.session] ?? "") })),
        ("sessions", .array(sessions.map(documents.heading))),
      ]))
  }

  private func document(_ hit: SearchHit, source: String) throws -> JSONValue {
    .object([
      ("session", .string(hit.session)), ("source", .string(source)), ("segment", .integer(hit.segment)),
      ("number", .integer(try library.store.number(ofSegment: hit.segment, in: hit.session))),
      ("start", .seconds(hit.start)), ("end", .seconds(hit.end)),
      (
        "pieces",
        .array(
          hit.fragments.map { .object([("text", .string($0.text)), ("isMatch", .boolean($0.isMatch))]) })
      ),
    ])
  }
}

/// Segments, and the choice among their alternatives.
extension API {
  static let segmentRoutes = [
    Route("GET", "/api/sessions/*/segments") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      let from = try request.integer("from", in: 0...Int(Int32.max), or: 0)
      let limit = try request.integer("limit", in: 0...1000, or: 200)
      let segments = try api.library.store.shownSegments(of: id, from: from, limit: limit)
      return .json(.object([("segments", .array(segments.map { JSONDocument().segment($0) }))]))
    },
    Route("GET", "/api/sessions/*/segments/*") { api, _, parameters in
      try api.segment(parameters[1], of: parameters[0])
    },
    Route("PUT", "/api/sessions/*/segments/*/selection") { api, request, parameters in
      try api.choose(request, segment: parameters[1], of: parameters[0])
    },
    Route("PUT", "/api/sessions/*/segments/*/revision") { api, request, parameters in
      try api.restore(request, segment: parameters[1], of: parameters[0])
    },
  ]

  /// The number of an alternative of the segment; or a word, and one of that word's alternatives, counted from 0.
  private struct Choice: Decodable {
    var index: Int?
    var word: Int?
    var alternative: Int?
    /// The revision of the segment that the client knows.
    var revision: Int
  }

  private func segment(_ key: String, of session: String) throws -> HTTPResponse {
    let id = try self.session(session).id
    let key = try Self.key(key)
    let revisions = try library.store.revisions(of: key, in: id)
    let history = revisions.map { revision in
      JSONValue.object([
        ("revision", .integer(revision.segment.revision)), ("text", .string(revision.segment.text)),
        ("reason", .string(revision.reason)), ("author", .string(revision.author.rawValue)),
        ("start", .seconds(revision.segment.start)), ("end", .seconds(revision.segment.end)),
        ("date", .string(revision.date.formatted(.iso8601))),
        ("selection", JSONDocument.selection(revision.segment.selection)),
      ])
    }
    return .json(try document(of: key, in: id).with("revisions", .array(history)))
  }

  private func document(of key: Int, in session: String) throws -> JSONValue {
    guard let segment = try library.store.shownSegments(of: session, [key]).first else {
      throw HTTPError.noSegment(key)
    }
    return JSONDocument().segment(segment)
  }

  /// Makes a change of one segment; the response has the segment, and the session's steps.
  func change(
    _ named: NamedSegment, in session: String, _ change: () throws -> Segment
  ) throws -> HTTPResponse {
    try changing([named], in: session) {
      _ = try change()
      hub.storeChanged()
      let steps = SessionDocuments.members(of: try library.store.steps(of: session))
      return .json(steps.reduce(try document(of: named.key, in: session)) { $0.with($1.key, $1.value) })
    }
  }

  /// Makes a change that names segments. If one of them has changed, nothing is, and the response has the present ones, with
  /// those that came between them or were divided off them.
  func changing(
    _ named: [NamedSegment], in session: String, _ change: () throws -> HTTPResponse
  ) throws -> HTTPResponse {
    do { return try change() } catch let error as StoreError where error.isConflict {
      let present = try library.store.present(named.map { ($0.key, $0.revision) }, in: session)
      return HTTPResponse(error, [("segments", .array(present.map { JSONDocument().segment($0) }))])
    }
  }

  private struct Version: Decodable {
    var revision: Int
    /// The current revision of the segment, as the client knows it.
    var current: Int
  }

  /// Makes an earlier version of a segment the current one, as a new revision.
  private func restore(_ request: HTTPRequest, segment key: String, of session: String) throws -> HTTPResponse
  {
    let version = try request.json(Version.self)
    let (id, key) = (try self.session(session).id, try Self.key(key))
    let current = try library.store.segment(key, in: id)
    guard (0...current.revision).contains(version.revision) else {
      throw HTTPError(
        .badRequest,
        "The segment has no revision \(version.revision). Use a number from 0 to \(current.revision).",
        parameter: "revision")
    }
    return try change(NamedSegment(key: key, revision: version.current), in: id) {
      version.revision == current.revision && version.current == current.revision
        ? current : try library.store.restore(version.revision, of: key, in: id, ifRevision: version.current)
    }
  }

  private func choose(_ request: HTTPRequest, segment key: String, of session: String) throws -> HTTPResponse
  {
    let choice = try request.json(Choice.self)
    let (id, key) = (try self.session(session).id, try Self.key(key))
    let store = library.store
    return try change(NamedSegment(key: key, revision: choice.revision), in: id) {
      let segment = try store.segment(key, in: id)
      guard segment.revision == choice.revision else {
        throw StoreError(
          file: store.file.path, problem: .changed(expected: choice.revision, current: segment.revision))
      }
      if choice.index == nil, let word = choice.word, let alternative = choice.alternative {
        return try store.choose(
          Self.alternative(alternative, toWord: word, of: segment), of: key, in: id,
          ifRevision: choice.revision)
      }
      guard let index = choice.index else {
        throw HTTPError(
          .badRequest,
          "The request names no alternative. Send {\"index\": N}, or {\"word\": N, \"alternative\": K}.",
          parameter: "index")
      }
      guard segment.candidates.indices.contains(index) else {
        throw HTTPError(
          .badRequest,
          "The segment has no alternative \(index). Use a number from 0 to \(segment.candidates.count - 1).",
          parameter: "index")
      }
      return index == segment.selection.index
        ? segment : try store.choose(index, of: key, in: id, ifRevision: choice.revision)
    }
  }

  private static func alternative(
    _ number: Int, toWord word: Int, of segment: Segment
  ) throws -> WordAlternative {
    let words = segment.wordAlternatives
    guard words.indices.contains(word), words[word].indices.contains(number) else {
      let count = words.indices.contains(word) ? words[word].count : 0
      throw HTTPError(
        .badRequest,
        "Word \(word) of the segment has \(count) alternatives, so that there is no number \(number).",
        parameter: words.indices.contains(word) ? "alternative" : "word")
    }
    return words[word][number]
  }
}

/// A segment as a client knows it.
struct NamedSegment: Decodable {
  var key: Int
  var revision: Int
}

extension HTTPResponse {
  /// The response to a change that no longer fits.
  /// - Parameter present: what there is now.
  init(_ error: StoreError, _ present: [(key: String, value: JSONValue)]) {
    let error = HTTPError(error)
    self = .json(present.reduce(error.json) { $0.with($1.key, $1.value) }, status: error.status.rawValue)
  }
}

extension JSONValue {
  /// The object with one more member.
  func with(_ key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members + [(key, value)])
  }
}
