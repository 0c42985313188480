import Foundation
import Longhand

/// A transcript in the forms that OpenAI's API defines.
struct OpenAITranscript {
  let transcript: TranscriptDocument
  let request: TranscriptionRequest

  /// The seconds on which the recognizer failed, if any. This member is an extension of OpenAI's API: without it a
  /// client could not know that text is missing.
  static func failure(_ seconds: Double) -> [(key: String, value: JSONValue)] {
    seconds > 0 ? [("failed_seconds", .seconds(seconds))] : []
  }

  /// The model that answered, an extension of OpenAI's API: any name is accepted in a request.
  private var model: [(key: String, value: JSONValue)] {
    transcript.model.map { [("model", .string($0.name))] } ?? []
  }

  /// What was used: the seconds of audio, rounded up, as OpenAI's models without tokens report it.
  private var usage: [(key: String, value: JSONValue)] {
    let seconds = Int(clamping: transcript.duration.rounded(.up))
    return [("usage", .object([("type", .string("duration")), ("seconds", .integer(seconds))]))]
  }

  /// The response format `json`. With times it has those of `verbose_json`, an extension of OpenAI's API.
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] =
      [("text", .string(transcript.formatted))] + model + usage + Self.failure(transcript.coverage.failed)
      + times
    if let count = request.alternatives {
      let all = transcript.segments.map { segment in
        JSONValue.object([
          ("segment", .integer(segment.id)), ("start", .seconds(segment.start)),
          ("end", .seconds(segment.end)), ("alternatives", Self.alternatives(segment.alternatives, count)),
        ])
      }
      members.append(("alternatives", .array(all)))
    }
    return .object(members)
  }

  /// The response format `verbose_json`.
  ///
  /// Clients require some members that only Whisper can compute. They get neutral values: no tokens, temperature 0,
  /// compression ratio 1 and no-speech probability 0. `avg_logprob` is the logarithm of the segment's confidence, and 0 where
  /// the model has no confidence, because clients require a number.
  var verbose: JSONValue {
    let language =
      Locale(identifier: transcript.locale).language.languageCode?.identifier ?? transcript.locale
    return .object(
      [
        ("task", .string(request.translates ? "translate" : "transcribe")),
        (
          "language",
          .string(request.dialect.isWhispers ? language : ClientLanguage.name(of: language) ?? language)
        ),
        ("duration", .seconds(transcript.duration)), ("text", .string(transcript.formatted)),
      ] + model + usage + Self.failure(transcript.coverage.failed) + times)
  }

  /// The words and the segments with their times, as far as the client wants them.
  private var times: [(key: String, value: JSONValue)] {
    let words = transcript.segments.flatMap(\.words).map { Self.word($0.text, $0.start, $0.end) }
    return (request.hasWords ? [("words", .array(words))] : [])
      + (request.hasSegments ? [("segments", .array(transcript.segments.map(verbose)))] : [])
  }

  /// A word with its times, in seconds.
  static func word(_ text: String, _ start: TimeInterval, _ end: TimeInterval) -> JSONValue {
    .object([("word", .string(text)), ("start", .seconds(start)), ("end", .seconds(end))])
  }

  /// The response format `diarized_json`: a segment for each turn, with its speaker. An unknown speaker is `Unknown`.
  var diarized: JSONValue {
    .object(
      [
        ("task", .string("transcribe")), ("duration", .seconds(transcript.duration)),
        ("text", .string(transcript.formatted)), ("segments", .array(turns)),
      ] + Self.failure(transcript.coverage.failed))
  }

  /// The same as a stream of events.
  var diarizedEvents: Data {
    let done = JSONValue.object(
      [("type", .string("transcript.text.done")), ("text", .string(transcript.formatted))] + usage
        + Self.failure(transcript.coverage.failed))
    return turns.reduce(into: Data()) { $0 += ServerSentEvent.data(Self.turnType, $1) }
      + ServerSentEvent.data("transcript.text.done", done) + ServerSentEvent.data(nil, "[DONE]")
  }

  private static let turnType = "transcript.text.segment"

  private var turns: [JSONValue] {
    transcript.segments.flatMap(transcript.turns).enumerated().map { number, turn in
      .object([
        ("type", .string(Self.turnType)), ("id", .string("seg_\(number)")),
        ("start", .seconds(turn.start)), ("end", .seconds(turn.end)), ("text", .string(turn.text)),
        ("speaker", .string(turn.speaker)),
      ])
    }
  }

  /// The first `count` alternatives of a segment.
  static func alternatives(_ all: [TranscriptDocument.Alternative], _ count: Int) -> JSONValue {
    .array(
      all.prefix(count).map { alternative in
        .object([
          ("text", .string(alternative.text)), ("confidence", .confidence(alternative.confidence)),
        ])
      })
  }

  private func verbose(_ segment: TranscriptDocument.Segment) -> JSONValue {
    .object(
      [
        ("id", .integer(segment.id)), ("seek", .integer(0)), ("start", .seconds(segment.start)),
        ("end", .seconds(segment.end)), ("text", .string(segment.formatted)), ("tokens", .array([])),
        ("temperature", .integer(0)),
        ("avg_logprob", segment.confidence.map { .number(log(min(1, max($0, 1e-4)))) } ?? .integer(0)),
        ("compression_ratio", .integer(1)), ("no_speech_prob", .integer(0)),
      ]
        + (request.dialect.isWhispers && request.hasWords
          ? [("words", .array(segment.words.map { Self.word($0.text, $0.start, $0.end) }))] : [])
        + (request.alternatives.map { [("alternatives", Self.alternatives(segment.alternatives, $0))] } ?? [])
    )
  }
}
