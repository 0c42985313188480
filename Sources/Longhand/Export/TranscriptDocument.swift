import SentenceFormatting

/// The `json` format, read back: the parts of the document that a program needs which runs `longhand transcribe`.
///
/// `JSONDocument` writes it.
package struct TranscriptDocument: Decodable, Sendable {
  package struct Word: Decodable, Sendable {
    package var text: String
    package var start: Double
    package var end: Double
  }

  package struct Alternative: Decodable, Sendable {
    package var text: String
    package var confidence: Double?
  }

  package struct Segment: Decodable, Sendable {
    package var id: Int
    package var start: Double
    package var end: Double
    package var text: String
    /// The text in sentences.
    package var formatted: String
    package var confidence: Double?
    package var words: [Word]
    package var alternatives: [Alternative]
    /// The `Speaker.id`; nil if nobody knows.
    package var speaker: String?
  }

  package struct Speaker: Decodable, Sendable {
    package var id: String
    package var name: String
  }

  package struct Coverage: Decodable, Sendable {
    /// Seconds on which the recognizer failed.
    package var failed: Double
  }

  package var duration: Double
  package var locale: String
  package var text: String
  package var segments: [Segment]
  package var coverage: Coverage
  package var speakers: [Speaker]?

  /// The text in sentences.
  package var formatted: String { segments.map(\.formatted).joinedWords() }

  /// The name of who said a segment.
  package func speakerName(of segment: Segment) -> String {
    speakers?.first { $0.id == segment.speaker }?.name ?? Transcript.unknownSpeaker
  }
}

/// One line of the `jsonl` format, read back. `JSONLinesDocument` and `LiveLines` write it.
package struct TranscriptLine: Decodable, Sendable {
  /// The `type` of a line.
  package enum Kind: String, Decodable, Sendable {
    case partial, final, silence, gap, level, end, revision, normalized

    /// The member of the line's object that names its type.
    var member: (key: String, value: JSONValue) { ("type", .string(rawValue)) }
  }

  package var type: Kind
  package var segment: Int?
  package var text: String?
  package var words: [TranscriptDocument.Word]?
  package var start: Double?
  package var end: Double?
  package var alternatives: [TranscriptDocument.Alternative]?
  package var coverage: TranscriptDocument.Coverage?
}
