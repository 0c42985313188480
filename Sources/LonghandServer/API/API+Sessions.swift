import Foundation
import Longhand

/// Sessions, their exports, and the search.
extension API {
  static let sessionRoutes = [
    Route("GET", "/api/sessions") { api, request, _ in try api.sessions(request) },
    Route("GET", "/api/sessions/*") { api, _, parameters in
      let id = try api.session(parameters[0]).id
      return .json(try api.documents.document(try api.library.store.status(of: id)))
    },
    Route("DELETE", "/api/sessions/*") { api, _, parameters in try api.erase(parameters[0]) },
    Route("POST", "/api/sessions/*/resume") { api, _, parameters in try api.resume(parameters[0]) },
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

  private func erase(_ id: String) throws -> HTTPResponse {
    let session = try session(id)
    guard !recordings.isMaking(session.id), !library.isInUse(session.id) else {
      throw HTTPError(
        .conflict,
        "A program is recording or transcribing the session. Stop it first, or wait until it is done.",
        code: "is_recording")
    }
    recoveries.forget(session.id)
    do { try library.erase(session.id) } catch let error as StoreError
      where error.problem == .erasureNeedsRoom
    {}
    hub.storeChanged()
    return .done
  }

  /// Continues an interrupted session. The events of the session report its progress.
  private func resume(_ id: String) throws -> HTTPResponse {
    let session = try session(id)
    let activity = library.activity(of: session)
    guard activity.needsRecovery || activity.state == .queued else {
      throw HTTPError(.conflict, "The session is not interrupted.", code: "not_interrupted")
    }
    recoveries.resume(session.id)
    return HTTPResponse(status: 202)
  }

  /// The names of the vocabulary that were said, with their places, the most frequent first.
  private func terms(of session: String) throws -> HTTPResponse {
    let terms = try library.store.occurrences(in: session).byTerm
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
                    places.map {
                      JSONDocument.place(
                        term, id: $0.id, $0.provenance, of: $0.segment, $0.start...max($0.start, $0.end))
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
        ("hits", .array(hits.map { Self.document($0, source: names[$0.session] ?? "") })),
        ("sessions", .array(sessions.map(documents.heading))),
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

/// Segments, and the choice among their alternatives.
extension API {
  static let segmentRoutes = [
    Route("GET", "/api/sessions/*/segments") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      let from = try request.integer("from", in: 0...Int(Int32.max), or: 0)
      let limit = try request.integer("limit", in: 0...1000, or: 200)
      let segments = try api.library.store.writtenSegments(of: id, from: from, limit: limit)
      let normalized = try api.library.store.normalizedSegments(of: id, in: from..<from + limit)
      let starts = try api.library.store.paragraphStarts(of: id, in: from..<from + segments.count)
      let documents = segments.map { segment, written in
        JSONDocument().segment(
          segment, written: written, normalized: normalized[segment.id],
          beginsParagraph: starts.contains(segment.id))
      }
      return .json(.object([("segments", .array(documents))]))
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
    var revision: Int?
  }

  private func segment(_ number: String, of session: String) throws -> HTTPResponse {
    let id = try self.session(session).id
    let revisions = try library.store.revisions(of: try Self.number(number), in: id)
    guard let current = revisions.last?.segment,
      case .object(let members) = try document(of: current, in: id)
    else { throw HTTPError.noSegment(number) }
    let history = revisions.map { revision in
      JSONValue.object([
        ("revision", .integer(revision.segment.revision)), ("text", .string(revision.segment.text)),
        ("reason", .string(revision.reason)), ("author", .string(revision.author.rawValue)),
        ("start", .seconds(revision.segment.start)), ("end", .seconds(revision.segment.end)),
        ("date", .string(revision.date.formatted(.iso8601))),
        ("selection", JSONDocument.selection(revision.segment.selection)),
      ])
    }
    return .json(.object(members + [("revisions", .array(history))]))
  }

  func document(of segment: Segment, in session: String) throws -> JSONValue {
    // What was read before is not labelled with its speaker.
    let known = try library.store.writtenSegments(of: session, from: segment.id, limit: 1).first
    let current = known.flatMap { $0.segment.revision == segment.revision ? $0 : nil }
    let normalized = try library.store.normalizedSegments(of: session, in: segment.id..<segment.id + 1)
    let starts = try library.store.paragraphStarts(of: session, in: segment.id..<segment.id + 1)
    return JSONDocument().segment(
      current?.segment ?? segment, written: current?.written ?? segment,
      normalized: normalized[segment.id], beginsParagraph: !starts.isEmpty)
  }

  private struct Version: Decodable {
    var revision: Int
    /// The current revision of the segment, as the client knows it.
    var current: Int?
  }

  /// Makes an earlier version of a segment the current one, as a new revision.
  private func restore(
    _ request: HTTPRequest, segment number: String, of session: String
  ) throws -> HTTPResponse {
    let version = try request.json(Version.self)
    let wanted = version.revision
    let (id, number) = (try self.session(session).id, try Self.number(number))
    guard let current = try library.store.revisions(of: number, in: id).last?.segment.revision else {
      throw HTTPError.noSegment(number)
    }
    guard (0...current).contains(wanted) else {
      throw HTTPError(
        .badRequest,
        "Segment \(number) has no revision \(wanted). Use a number from 0 to \(current).",
        parameter: "revision")
    }
    let segment =
      wanted == current && version.current ?? current == current
      ? try library.store.segment(number, in: id)
      : try library.store.restore(wanted, of: number, in: id, ifRevision: version.current)
    hub.storeChanged()
    return .json(try document(of: segment, in: id))
  }

  private func choose(_ request: HTTPRequest, segment number: String, of session: String) throws
    -> HTTPResponse
  {
    let choice = try request.json(Choice.self)
    let (id, number) = (try self.session(session).id, try Self.number(number))
    var segment = try library.store.segment(number, in: id)
    if choice.index == nil, let word = choice.word, let alternative = choice.alternative {
      return try choose(alternative, forWord: word, of: segment, in: id, choice.revision)
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
        "Segment \(number) has no alternative \(index). Use a number from 0 to \(segment.candidates.count - 1).",
        parameter: "index")
    }
    if index != segment.selection.index || choice.revision ?? segment.revision != segment.revision {
      segment = try library.store.choose(index, of: number, in: id, ifRevision: choice.revision)
      hub.storeChanged()
    }
    return .json(try document(of: segment, in: id))
  }

  /// Replaces a word by one of its alternatives.
  private func choose(
    _ number: Int, forWord word: Int, of segment: Segment, in session: String, _ expected: Int?
  ) throws -> HTTPResponse {
    let words = segment.wordAlternatives
    guard words.indices.contains(word), words[word].indices.contains(number) else {
      let count = words.indices.contains(word) ? words[word].count : 0
      throw HTTPError(
        .badRequest,
        "Word \(word) of segment \(segment.id) has \(count) alternatives, so that there is no number \(number).",
        parameter: words.indices.contains(word) ? "alternative" : "word")
    }
    let segment = try library.store.choose(
      words[word][number], of: segment.id, in: session, ifRevision: expected)
    hub.storeChanged()
    return .json(try document(of: segment, in: session))
  }
}
