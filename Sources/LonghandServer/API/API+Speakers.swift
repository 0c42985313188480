import Foundation
import Longhand

/// Who speaks in a session, and a person's corrections. The words never change.
extension API {
  static let speakerRoutes = [
    Route("GET", "/api/sessions/*/speakers") { api, _, parameters in
      .json(try api.speakers(of: try api.session(parameters[0]).id))
    },
    Route("PATCH", "/api/sessions/*/speakers/*") { api, request, parameters in
      let change = try request.json(Name.self)
      return try api.change(parameters[0], change.revision) { try $0.rename(parameters[1], to: change.name) }
    },
    Route("POST", "/api/sessions/*/speakers/*/merge") { api, request, parameters in
      let change = try request.json(Other.self)
      return try api.change(parameters[0], change.revision) { try $0.merge(parameters[1], change.other) }
    },
    Route("POST", "/api/sessions/*/speakers/*/unmerge") { api, request, parameters in
      let change = try request.json(Unmerged.self)
      return try api.change(parameters[0], change.revision) {
        try $0.unmerge(parameters[1], only: change.other)
      }
    },
    Route("PUT", "/api/sessions/*/segments/*/speaker") { api, request, parameters in
      let change = try request.json(Assigned.self)
      let (id, key) = (try api.session(parameters[0]).id, try key(parameters[1]))
      var segment = try api.library.store.segment(key, in: id)
      segment.revision = change.revision
      return try api.changing([NamedSegment(key: key, revision: change.revision)], in: id) { [segment] in
        try api.change(id, change.speakersRevision, segment) { try $0.assign(segment, to: change.speaker) }
      }
    },
  ]

  // `revision` is that of the speakers that the client knows.
  private struct Unmerged: Decodable {
    var other: String?
    var revision: Int?
  }
  private struct Name: Decodable {
    var name: String
    var revision: Int?
  }
  private struct Other: Decodable {
    var other: String
    var revision: Int?
  }
  private struct Assigned: Decodable {
    var speaker: String
    /// The revision of the segment, and that of the speakers, that the client knows.
    var revision: Int
    var speakersRevision: Int?
  }

  /// Changes the speakers of a session; the response has all of them.
  private func change(
    _ session: String, _ revision: Int?, _ segment: Segment? = nil,
    _ change: @Sendable (inout SessionSpeakers) throws -> Void
  ) throws -> HTTPResponse {
    let id = try self.session(session).id
    do {
      try library.store.changeSpeakers(
        of: id, ifRevision: revision, ifCurrent: segment.map { [$0] } ?? [], change)
    } catch let error as SpeakerError {
      throw HTTPError(error)
    }
    hub.storeChanged()
    return .json(try speakers(of: id))
  }

  private func speakers(of session: String) throws -> JSONValue {
    // Read first: if the speakers change meanwhile, a change with this revision is refused.
    let revision = try library.store.speakersRevision(of: session)
    // Without speakers, a long transcript need not be read.
    let known = try library.store.speakers(of: session)
    guard !known.isEmpty else {
      return .object([
        ("speakers", .array([])), ("unknownWords", .integer(0)), ("echoWords", .integer(0)),
        ("revision", .integer(revision)),
      ])
    }
    let transcript = try library.store.transcript(of: session)
    let shares = SpeakerShares(of: transcript)
    // Where each is the first to speak. An echo has no speaker.
    let segments = Dictionary(grouping: transcript.withoutEcho.segments) { $0.speaker?.speaker ?? "" }
    let numbers = Dictionary(uniqueKeysWithValues: transcript.segments.enumerated().map { ($1.id, $0) })
    let rows = shares.speakers.map { row in
      JSONValue.object([
        ("id", .string(row.id)), ("name", .string(row.name)), ("basis", .string(row.basis.rawValue)),
        ("seconds", .seconds(row.seconds)), ("words", .integer(row.words)),
        ("timeShare", .confidence(row.timeShare)), ("wordShare", .confidence(row.wordShare)),
        ("confidence", .confidence(row.confidence)),
        ("merged", .array(known.entries.filter { $0.mergedInto == row.id }.map { .string($0.shownName) })),
        ("segments", .array((segments[row.id] ?? []).map { .integer(numbers[$0.id] ?? 0) })),
      ])
    }
    return .object([
      ("speakers", .array(rows)), ("unknownWords", .integer(shares.unknownWords)),
      ("echoWords", .integer(transcript.echo.words)), ("revision", .integer(revision)),
    ])
  }
}

extension HTTPError {
  fileprivate init(_ error: SpeakerError) {
    switch error {
    case .unknown, .unnamed: self.init(.notFound, error.description, code: "no_speaker")
    case .notMerged: self.init(.conflict, error.description, code: "not_merged")
    case .taken: self.init(.conflict, error.description, parameter: "name", code: "name_taken")
    case .impossibleName: self.init(.badRequest, error.description, parameter: "name")
    }
  }
}
