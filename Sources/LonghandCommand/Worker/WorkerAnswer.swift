import FileSupport
import Foundation
import Longhand

/// One line of standard output of `longhand worker`, described by `Schemas/worker.schema.json`.
///
/// Everything but `processorSeconds` depends on the job, the audio, the model and the version of Longhand alone.
struct WorkerAnswer: Sendable {
  /// The ID of the job; nil if its line has none.
  var id: String?
  /// The location, as the job names it; nil if its line has none.
  var path: String?
  /// The SHA-256 digest of the audio file; nil if it could not be read.
  var sha256: String?
  /// The transcript; nil if there is none.
  var transcript: Transcript?
  /// The transcript in the format that the job names, or the rest of it; nil if it names none.
  var document: String?
  /// Terms in the spelling of their domain.
  var names: [String] = []
  /// Seconds of processor time, of this program and of its services.
  var processorSeconds: TimeInterval = 0
  /// What went wrong; nil if all of the audio was transcribed.
  var failure: Failure?

  /// A line, with its end, for a part of a document before the answer.
  static func line(id: String, part: String) -> String {
    JSONValue.object([
      ("id", .string(id)), ("status", .string("running")), ("document", .string(part)),
    ]).text + "\n"
  }

  /// The line, with its end.
  var line: String {
    var members: [(key: String, value: JSONValue)] = [
      ("id", id.map(JSONValue.string) ?? .null), ("status", .string(failure == nil ? "ok" : "failed")),
    ]
    if let path { members.append(("path", .string(path))) }
    if let sha256 { members.append(("sha256", .string(sha256))) }
    members.append(("audioSeconds", .seconds(transcript?.duration ?? 0)))
    members.append(("processorSeconds", .seconds(processorSeconds)))
    if let document {
      members.append(("document", .string(document)))
      if let transcript { members.append(("coverage", JSONDocument.coverage(transcript.coverage))) }
    } else if let transcript {
      members.append(("transcript", JSONDocument(names: names).value(for: transcript)))
      members.append(("spans", .array(transcript.spans.map(Self.value))))
      members.append(("candidateWords", .array(transcript.segments.map(TranscribedWords.value))))
      if !transcript.turns.isEmpty { members.append(("turns", .array(transcript.turns.map(Self.value)))) }
      if transcript.segments.contains(where: { $0.channel != nil }) {
        members.append(("channels", .array(transcript.segments.map { Self.value(ofChannel: $0.channel) })))
      }
    }
    if let failure { members.append(("error", Self.value(failure))) }
    return JSONValue.object(members).text + "\n"
  }

  private static func value(_ span: CoverageSpan) -> JSONValue {
    .object(
      [
        ("start", .seconds(span.start)), ("end", .seconds(span.end)), ("kind", .string(span.kind.rawValue)),
      ] + (span.reason.isEmpty ? [] : [("reason", .string(span.reason))]))
  }

  private static func value(_ turn: SpeakerTurn) -> JSONValue {
    .object(
      [
        ("start", .exact(turn.start)), ("end", .exact(turn.end)), ("speaker", .string(turn.speaker)),
      ] + (turn.confidence.map { [("confidence", .exact($0))] } ?? [])
        + (turn.channel == nil ? [] : [("channel", value(ofChannel: turn.channel))]))
  }

  private static func value(ofChannel channel: Int?) -> JSONValue {
    channel.map { .string(SessionSpeakers.id(ofChannel: $0)) } ?? .null
  }

  private static func value(_ failure: Failure) -> JSONValue {
    .object([
      ("code", .string(failure.code.rawValue)), ("message", .string(failure.message.readableName)),
      ("input", failure.input.map { .string($0.readableName) } ?? .null),
      ("hint", failure.hint.map { .string($0.readableName) } ?? .null),
    ])
  }
}
