import Foundation
import Longhand

/// Sessions as the API writes them.
struct SessionDocuments: Sendable {
  /// Seconds before what is settled whose spans a change tells once more, for whoever missed the change before.
  private static let overlap = 120.0

  private let library: Library

  init(_ library: Library) { self.library = library }

  /// A session in the list.
  func summary(_ session: RecordedSession) -> JSONValue { .object(members(of: session)) }

  /// A session with what became of its seconds.
  /// - Throws: `StoreError`.
  func document(_ standing: SessionStatus) throws -> JSONValue {
    let spans = try library.coverageSpans(of: standing.session)
    var standing = standing
    standing.coverage = Coverage(spans)
    return .object(members(of: standing) + [("spans", Self.spans(CoverageDrawing(spans).spans))])
  }

  /// What has changed of a session. While it is recorded, the spans are those of the end: they replace what was known
  /// from `recent.from` on.
  /// - Throws: `StoreError`.
  func change(_ standing: SessionStatus) throws -> JSONValue {
    guard standing.session.state == .recording else { return try document(standing) }
    let settled =
      standing.coverage.transcribed + standing.coverage.silent + standing.coverage.failed
      + standing.coverage.gaps
    let spans = try library.store.coverageSpans(
      of: standing.session.id, after: max(0, settled - Self.overlap))
    let recent = JSONValue.object([
      ("from", .seconds(spans.first?.start ?? settled)), ("spans", Self.spans(spans)),
    ])
    return .object(members(of: standing) + [("recent", recent)])
  }

  private typealias Members = [(key: String, value: JSONValue)]

  private func members(of standing: SessionStatus) -> Members {
    members(of: standing.session) + [
      ("segmentCount", .integer(standing.segmentCount)), ("sequence", .integer(standing.sequence)),
      ("coverage", JSONDocument.coverage(standing.coverage)),
    ]
  }

  private func members(of session: RecordedSession) -> Members {
    let folder = library.recording(of: session.id)
    let hasAudio = FileManager.default.fileExists(atPath: folder.audio.path)
    return [
      ("id", .string(session.id)), ("source", .string(session.source)), ("locale", .string(session.locale)),
      ("engine", .string(session.engine)), ("start", .string(session.start.formatted(.iso8601))),
      ("duration", .seconds(library.duration(of: session))), ("state", .string(session.state.rawValue)),
      (
        "vocabulary",
        session.vocabulary.map { stamp in
          .object([("name", .string(stamp.name)), ("sha256", .string(stamp.sha256))])
        } ?? .null
      ),
      ("hasAudio", .boolean(hasAudio)),
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
