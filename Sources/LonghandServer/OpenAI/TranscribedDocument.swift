import Foundation
import Longhand

/// What `longhand transcribe --json` prints, and the answers that are made of it.
struct TranscribedDocument: Decodable {
  struct Word: Decodable {
    var text: String
    var start: Double
    var end: Double
  }

  struct Alternative: Decodable {
    var text: String
    var confidence: Double

    var json: JSONValue {
      .object([("text", .string(text)), ("confidence", .confidence(confidence))])
    }
  }

  struct Segment: Decodable {
    var id: Int
    var start: Double
    var end: Double
    var text: String
    var confidence: Double
    var words: [Word]
    var alternatives: [Alternative]
  }

  /// Seconds by what became of them.
  struct Coverage: Decodable {
    var failed: Double
  }

  var duration: Double
  var locale: String
  var text: String
  var segments: [Segment]
  var coverage: Coverage

  /// How many seconds the recognizer failed on, where it did, beyond OpenAI's API: the text has a hole there.
  static func failure(_ seconds: Double) -> [(key: String, value: JSONValue)] {
    seconds > 0 ? [("failed_seconds", .seconds(seconds))] : []
  }

  /// `json`.
  func json(_ request: TranscriptionRequest) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [("text", .string(text))] + Self.failure(coverage.failed)
    if let count = request.alternatives {
      let all = segments.map { segment in
        JSONValue.object([
          ("segment", .integer(segment.id)), ("start", .seconds(segment.start)),
          ("end", .seconds(segment.end)), ("alternatives", segment.alternatives(count)),
        ])
      }
      members.append(("alternatives", .array(all)))
    }
    return .object(members)
  }

  /// `verbose_json`. What Whisper knows and this recognizer does not is there, because clients want it, and says
  /// nothing: no tokens, the temperature 0, a compression ratio of 1 and no probability that nobody speaks. The mean
  /// logarithm of the probabilities is that of the segment's confidence.
  func verbose(_ request: TranscriptionRequest) -> JSONValue {
    let language = Locale(identifier: locale).language.languageCode?.identifier ?? locale
    let name = Locale(identifier: "en_US").localizedString(forLanguageCode: language)?.lowercased()
    var members: [(key: String, value: JSONValue)] =
      [
        ("task", .string("transcribe")), ("language", .string(name ?? language)),
        ("duration", .seconds(duration)), ("text", .string(text)),
      ] + Self.failure(coverage.failed)
    if request.hasWords {
      let words = segments.flatMap(\.words).map { word in
        JSONValue.object([
          ("word", .string(word.text)), ("start", .seconds(word.start)), ("end", .seconds(word.end)),
        ])
      }
      members.append(("words", .array(words)))
    }
    if request.hasSegments {
      members.append(("segments", .array(segments.map { $0.verbose(request.alternatives) })))
    }
    return .object(members)
  }
}

extension TranscribedDocument.Segment {
  fileprivate func alternatives(_ count: Int) -> JSONValue {
    .array(alternatives.prefix(count).map(\.json))
  }

  fileprivate func verbose(_ alternatives: Int?) -> JSONValue {
    .object(
      [
        ("id", .integer(id)), ("seek", .integer(0)), ("start", .seconds(start)), ("end", .seconds(end)),
        ("text", .string(text)), ("tokens", .array([])), ("temperature", .integer(0)),
        ("avg_logprob", .number(log(min(1, max(confidence, 1e-4))))), ("compression_ratio", .integer(1)),
        ("no_speech_prob", .integer(0)),
      ] + (alternatives.map { [("alternatives", self.alternatives($0))] } ?? []))
  }
}
