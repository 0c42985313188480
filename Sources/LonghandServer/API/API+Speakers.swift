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
      let words = try change.words(of: segment)
      segment.revision = change.revision
      return try api.changing([NamedSegment(key: key, revision: change.revision)], in: id) { [segment] in
        try api.change(id, change.speakersRevision, segment) { speakers, segments in
          try speakers.assign(segment, words: words, to: change.speaker, among: segments()).members
        }
      }
    },
    Route("PUT", "/api/sessions/*/assignments") { api, request, parameters in
      let change = try request.json(Restored.self)
      let id = try api.session(parameters[0]).id
      for key in change.segments { _ = try api.library.store.number(ofSegment: key, in: id) }
      return try api.change(id, change.revision) { speakers, _ in
        try speakers.restore(change.assigned)
        return []
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
    /// The words from `first` to before `end`; without them, the whole segment.
    var first: Int?
    var end: Int?

    /// - Parameter segment: as it is now; with another revision, the change is refused anyway.
    func words(of segment: Segment) throws -> Range<Int>? {
      guard first != nil || end != nil else { return nil }
      guard let first, let end, 0 <= first, first < end else {
        throw HTTPError(.badRequest, "'end' must be greater than 'first'.", parameter: "end")
      }
      guard revision != segment.revision || end <= segment.words.count else {
        throw HTTPError(
          .badRequest, "The segment has \(segment.words.count) words; 'end' is at most that.",
          parameter: "end")
      }
      return first..<end
    }
  }
  /// What a person said of segments before, as the answer to an assignment names it.
  private struct Restored: Decodable {
    struct Said: Decodable {
      var segment: Int
      var speaker: String
      var start: Double?
      var end: Double?
    }
    var segments: [Int]
    var assignments: [Said]
    var revision: Int?

    var assigned: AssignedSpeakers {
      var earlier = AssignedSpeakers(segments: segments, assignments: [:], parts: [])
      for said in assignments {
        if let start = said.start, let end = said.end {
          earlier.parts.append(
            AssignedPart(segment: said.segment, start: start, end: end, speaker: said.speaker))
        } else {
          earlier.assignments[said.segment] = said.speaker
        }
      }
      return earlier
    }
  }

  private typealias Members = [(key: String, value: JSONValue)]

  /// Changes the speakers of a session; the response has all of them.
  private func change(
    _ session: String, _ revision: Int?, _ change: @Sendable (inout SessionSpeakers) throws -> Void
  ) throws -> HTTPResponse {
    try self.change(session, revision) { speakers, _ in
      try change(&speakers)
      return []
    }
  }

  /// The same with the segments of the session, and with more members of the response.
  private func change(
    _ session: String, _ revision: Int?, _ segment: Segment? = nil,
    _ change: @Sendable (inout SessionSpeakers, _ segments: () throws -> [Segment]) throws -> Members
  ) throws -> HTTPResponse {
    let id = try self.session(session).id
    let more: Members
    do {
      more = try library.store.changeSpeakers(
        of: id, ifRevision: revision, ifCurrent: segment.map { [$0] } ?? [], change)
    } catch let error as SpeakerError {
      throw HTTPError(error)
    }
    hub.storeChanged()
    return .json(try speakers(of: id, more))
  }

  private func speakers(of session: String, _ more: Members = []) throws -> JSONValue {
    // Read first: if the speakers change meanwhile, a change with this revision is refused.
    let revision = try library.store.speakersRevision(of: session)
    // Without speakers, a long transcript need not be read.
    let known = try library.store.speakers(of: session)
    guard !known.isEmpty else {
      return .object(
        [
          ("speakers", .array([])), ("unknownWords", .integer(0)), ("echoWords", .integer(0)),
          ("revision", .integer(revision)),
        ] + more)
    }
    let transcript = try library.store.transcript(of: session)
    let shares = SpeakerShares(of: transcript)
    // Where each speaks. An echo has no speaker.
    var segments: [String: [Int]] = [:]
    for (number, segment) in transcript.segments.enumerated() {
      for speaker in segment.withoutEcho?.speakerIDs ?? [] { segments[speaker, default: []].append(number) }
    }
    let rows = shares.speakers.map { row in
      JSONValue.object([
        ("id", .string(row.id)), ("name", .string(row.name)), ("basis", .string(row.basis.rawValue)),
        ("seconds", .seconds(row.seconds)), ("words", .integer(row.words)),
        ("timeShare", .confidence(row.timeShare)), ("wordShare", .confidence(row.wordShare)),
        ("confidence", .confidence(row.confidence)),
        ("merged", .array(known.entries.filter { $0.mergedInto == row.id }.map { .string($0.shownName) })),
        ("segments", .array((segments[row.id] ?? []).map { .integer($0) })),
      ])
    }
    return .object(
      [
        ("speakers", .array(rows)), ("unknownWords", .integer(shares.unknownWords)),
        ("echoWords", .integer(transcript.echo.words)), ("revision", .integer(revision)),
      ] + more)
  }
}

extension SessionSpeakers.Assignment {
  /// What changed, and what takes it back.
  fileprivate var members: [(key: String, value: JSONValue)] {
    let said =
      replaced.assignments.sorted { $0.key < $1.key }.map { segment, speaker in
        JSONValue.object([("segment", .integer(segment)), ("speaker", .string(speaker))])
      }
      + replaced.parts.map { part in
        .object([
          ("segment", .integer(part.segment)), ("speaker", .string(part.speaker)),
          ("start", .number(part.start)), ("end", .number(part.end)),
        ])
      }
    return [
      (
        "assigned",
        .object([
          ("before", .array(before.map { .integer($0.segment) })),
          ("after", .array(after.map { .integer($0.segment) })),
          (
            "replaced",
            .object([
              ("segments", .array(replaced.segments.map { .integer($0) })), ("assignments", .array(said)),
            ])
          ),
        ])
      )
    ]
  }
}

extension HTTPError {
  init(_ error: SpeakerError) {
    switch error {
    case .unknown, .unnamed: self.init(.notFound, error.description, code: "no_speaker")
    case .notMerged: self.init(.conflict, error.description, code: "not_merged")
    case .taken: self.init(.conflict, error.description, parameter: "name", code: "name_taken")
    case .separateChannels: self.init(.badRequest, error.description, parameter: "speakers")
    case .impossibleName: self.init(.badRequest, error.description, parameter: "name")
    }
  }
}
