import Foundation
import Longhand

/// The JSON documents of sessions.
struct SessionDocuments: Sendable {
  /// Seconds of known spans that every update repeats, for clients that missed the update before.
  private static let overlap = 120.0

  private let library: Library
  let waiting: WaitingSessions

  /// - Parameter waiting: the sessions that wait for their turn.
  init(_ library: Library, waiting: WaitingSessions) {
    self.library = library
    self.waiting = waiting
  }

  /// What a session is called.
  func heading(_ session: RecordedSession) -> JSONValue {
    .object([
      ("id", .string(session.id)), ("source", .string(session.source)),
      ("name", session.name.map(JSONValue.string) ?? .null),
      ("start", .string(session.start.formatted(.iso8601))),
    ])
  }

  /// A session in the list, with its first words.
  func summary(_ session: RecordedSession) -> JSONValue {
    let excerpt = (try? library.store.excerpt(of: session.id)) ?? ""
    let (session, activity) = library.now(session)
    return .object(members(of: session, activity) + [("excerpt", .string(excerpt))])
  }

  /// A session with its coverage.
  /// - Throws: `StoreError`.
  func document(of session: String) throws -> JSONValue {
    let (status, activity) = try library.status(of: session)
    return try document(status, activity)
  }

  private func document(_ status: SessionStatus, _ activity: SessionActivity) throws -> JSONValue {
    let spans = try library.coverageSpans(of: status.session)
    var status = status
    status.coverage = Coverage(spans)
    let hasSecondText = try library.store.spellings(of: status.session.id) != nil
    let hasTranslation = try library.store.hasTranslation(of: status.session.id)
    let tracks = library.tracks(of: status.session.id)
    let warnings = library.warnings(of: status.session.id)
    return .object(
      try members(of: status, activity)
        + (warnings.isEmpty ? [] : [("warnings", JSONDocument.warnings(warnings))])
        + (tracks.isEmpty ? [] : [("tracks", JSONDocument.tracks(tracks))]) + [
          ("hasSecondText", .boolean(hasSecondText)), ("hasTranslation", .boolean(hasTranslation)),
          ("spans", Self.spans(CoverageDrawing(spans).spans)),
        ])
  }

  /// An update about a session. While it is recorded, the spans in `recent` replace all earlier ones from `recent.from`
  /// on.
  /// - Throws: `StoreError`.
  func change(_ status: SessionStatus, _ activity: SessionActivity) throws -> JSONValue {
    guard status.session.state == .recording else { return try document(status, activity) }
    let known =
      status.coverage.transcribed + status.coverage.silent + status.coverage.wordless
      + status.coverage.nonspeech
      + status.coverage.failed + status.coverage.gaps
    let spans = try library.store.coverageSpans(
      of: status.session.id, after: max(0, known - Self.overlap))
    let recent = JSONValue.object([
      ("from", .seconds(spans.first?.start ?? known)), ("spans", Self.spans(spans)),
    ])
    return .object(try members(of: status, activity) + [("recent", recent)])
  }

  private typealias Members = [(key: String, value: JSONValue)]

  private func members(of status: SessionStatus, _ activity: SessionActivity) throws -> Members {
    members(of: status.session, activity) + [
      ("segmentCount", .integer(status.segmentCount)), ("sequence", .integer(status.sequence)),
      ("speakersRevision", .integer(try library.store.speakersRevision(of: status.session.id))),
      ("coverage", JSONDocument.coverage(status.coverage)),
    ] + Self.members(of: status.steps)
  }

  /// The steps that can be taken back and made again.
  static func members(of steps: TranscriptStore.Steps) -> [(key: String, value: JSONValue)] {
    [("step", .integer(steps.last)), ("nextStep", steps.next.map(JSONValue.integer) ?? .null)]
  }

  private func members(of session: RecordedSession, _ activity: SessionActivity) -> Members {
    let folder = library.recording(of: session.id)
    let hasAudio = FileManager.default.fileExists(atPath: folder.audio.path)
    return [
      ("id", .string(session.id)), ("source", .string(session.source)), ("locale", .string(session.locale)),
      ("engine", .string(session.engine)), ("model", session.model.map(JSONDocument.model) ?? .null),
      ("start", .string(session.start.formatted(.iso8601))),
      ("duration", .seconds(library.duration(of: session))),
      ("state", .string(activity.state.rawValue)),
      ("percent", activity.percent.map { .integer($0) } ?? .null),
      ("canResume", .boolean(activity.canResume)),
      ("position", waiting.all.firstIndex(of: session.id).map { .integer($0 + 1) } ?? .null),
      (
        "vocabulary",
        session.vocabulary.map { stamp in
          .object([("name", .string(stamp.name)), ("sha256", .string(stamp.sha256))])
        } ?? .null
      ),
      ("hasAudio", .boolean(hasAudio)), ("name", session.name.map(JSONValue.string) ?? .null),
      ("note", session.note.map(JSONValue.string) ?? .null),
      ("tags", .array((session.tags ?? []).map(JSONValue.string))),
      ("failure", session.failure.map(JSONValue.string) ?? .null),
      ("work", waiting.work(on: session.id)?.json ?? .null),
    ]
  }

  private static func spans(_ spans: [CoverageSpan]) -> JSONValue {
    .array(
      spans.map { span in
        .object(
          [
            ("start", .seconds(span.start)), ("end", .seconds(span.end)),
            ("kind", .string(span.kind.rawValue)),
          ] + (span.reason.isEmpty ? [] : [("reason", .string(span.reason))]))
      })
  }
}
