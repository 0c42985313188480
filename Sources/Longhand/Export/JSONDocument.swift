/// `json`: one document with all that is known, described by `Schemas/transcript.schema.json`.
///
/// The keys have a fixed order. Texts are the recognizer's, unaltered. A segment stands on a line of its own, so that
/// two versions of a transcript can be compared line by line.
struct JSONDocument {
  var alternatives: Int?

  func string(for transcript: Transcript) -> String {
    let vocabulary = transcript.vocabulary.map { stamp in
      ("vocabulary", JSONValue.object([("name", .string(stamp.name)), ("sha256", .string(stamp.sha256))]))
    }
    return JSONValue.object(
      [
        ("version", .integer(1)),
        ("source", .string(transcript.source)),
        ("locale", .string(transcript.locale)),
        ("engine", .string(transcript.engine)),
        ("duration", .seconds(transcript.duration)),
      ] + (vocabulary.map { [$0] } ?? []) + [
        ("text", .string(transcript.text)),
        ("segments", .array(transcript.segments.map(segment))),
        ("coverage", Self.coverage(transcript.coverage)),
      ]
    ).document
  }

  private func segment(_ segment: Segment) -> JSONValue {
    .object([
      ("id", .integer(segment.id)),
      ("start", .seconds(segment.start)),
      ("end", .seconds(max(segment.start, segment.end))),
      ("text", .string(segment.text)),
      ("confidence", .confidence(segment.confidence)),
      ("words", Self.words(segment.words)),
      ("alternatives", Self.alternatives(segment, atMost: alternatives)),
      (
        "selection",
        .object([("index", .integer(segment.selection.index)), ("rule", .string(segment.selection.rule))])
      ),
      ("revision", .integer(segment.revision)),
    ])
  }

  static func words(_ words: [Word]) -> JSONValue {
    .array(
      words.map {
        .object([
          ("text", .string($0.text)), ("start", .seconds($0.start)), ("end", .seconds(max($0.start, $0.end))),
          ("confidence", .confidence($0.confidence)),
        ])
      })
  }

  /// The candidates, the recognizer's first choice first. `selection.index` counts in them, so that they never end
  /// before the selected one.
  static func alternatives(_ segment: Segment, atMost count: Int?) -> JSONValue {
    let count = max(count ?? Int.max, segment.selection.index + 1)
    return .array(
      segment.candidates.prefix(count).map {
        .object([("text", .string($0.text)), ("confidence", .confidence($0.confidence))])
      })
  }

  static func coverage(_ coverage: Coverage) -> JSONValue {
    .object([
      ("transcribed", .seconds(coverage.transcribed)), ("silent", .seconds(coverage.silent)),
      ("pending", .seconds(coverage.pending)), ("failed", .seconds(coverage.failed)),
      ("gaps", .seconds(coverage.gaps)),
    ])
  }
}
