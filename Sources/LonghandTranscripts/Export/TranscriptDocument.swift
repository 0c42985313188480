import SentenceFormatting

/// The `json` format, read back: the parts of the document that a program needs which runs `longhand transcribe`.
///
/// `JSONDocument` writes it.
package struct TranscriptDocument: Decodable, Sendable {
  package struct Word: Decodable, Sendable {
    package var text: String
    /// The word as it is written in its sentence; nil if it is not known.
    package var display: String?
    package var start: Double
    package var end: Double
    /// The `Speaker.id`; nil if unknown.
    package var speaker: String?
    /// Present if it is the echo of another channel.
    package var echo: Bool?
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
    /// The `Speaker.id`; nil if unknown.
    package var speaker: String?
    /// The language (BCP 47), where it was detected for each part of the recording; nil for that of the transcript.
    package var language: String?
    /// Present if all of it is the echo of another channel.
    package var echo: Bool?
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
  package var model: ModelStamp?
  package var translation: Translation?

  /// The translation in the place of the text, without words; nil if there is none.
  package var translated: TranscriptDocument? {
    guard let translation else { return nil }
    var document = self
    (document.locale, document.text, document.translation) = ("en", translation.text, nil)
    document.segments = translation.passages.enumerated().map { index, passage in
      let source = segments.first { $0.start == passage.start && $0.end == passage.end }
      return Segment(
        id: index, start: passage.start, end: passage.end, text: passage.text, formatted: passage.text,
        words: [], alternatives: [], speaker: source?.speaker)
    }
    return document
  }

  /// The document without words that are echoes of another channel, as `Transcript.withoutEcho`.
  package var withoutEcho: TranscriptDocument {
    var rest = self
    rest.segments = segments.compactMap(\.withoutEcho)
    return rest
  }

  /// The text in sentences.
  package var formatted: String { segments.map(\.formatted).joinedWords() }

  /// A part of a segment that one speaker says.
  package struct Turn: Sendable {
    package var start: Double
    package var end: Double
    /// In sentences.
    package var text: String
    /// `Unknown` if the speaker is unknown.
    package var speaker: String
  }

  /// Who says what in a segment: one turn, or more where another speaker begins in the middle of it.
  package func turns(of segment: Segment) -> [Turn] {
    let runs = segment.words.map(\.speaker).speakerRuns
    guard runs.count > 1 else {
      let speaker = name(runs.first?.speaker ?? segment.speaker)
      return [Turn(start: segment.start, end: segment.end, text: segment.formatted, speaker: speaker)]
    }
    return runs.enumerated().map { index, run in
      let words = segment.words[run.words]
      let start = index == 0 ? segment.start : words.first?.start ?? segment.start
      let end = index == runs.count - 1 ? segment.end : words.last?.end ?? segment.end
      return Turn(
        start: start, end: max(start, end), text: words.map { $0.display ?? $0.text }.joinedWords(),
        speaker: name(run.speaker))
    }
  }

  private func name(_ speaker: String?) -> String {
    speakers?.first { $0.id == speaker }?.name ?? Transcript.unknownSpeaker
  }
}

extension TranscriptDocument.Segment {
  /// Nil if nothing is left.
  fileprivate var withoutEcho: Self? {
    guard words.contains(where: { $0.echo == true }) else { return echo == true ? nil : self }
    let own = words.filter { $0.echo != true }
    guard let first = own.first, let last = own.last else { return nil }
    var rest = self
    rest.words = own
    rest.text = own.map(\.text).joinedWords()
    rest.formatted = own.map { $0.display ?? $0.text }.joinedWords()
    rest.alternatives = [TranscriptDocument.Alternative(text: rest.text, confidence: confidence)]
    if words.first?.echo == true { rest.start = min(end, max(start, first.start)) }
    if words.last?.echo == true { rest.end = max(rest.start, min(end, last.end)) }
    return rest
  }
}

/// One line of the `jsonl` format, read back. `JSONLinesDocument` and `LiveLines` write it.
package struct TranscriptLine: Decodable, Sendable {
  /// The `type` of a line.
  package enum Kind: String, Decodable, Sendable {
    case partial, final, silence, gap, level, end, revision, normalized, translated

    /// The member of the line's object that names its type.
    package var member: (key: String, value: JSONValue) { ("type", .string(rawValue)) }
  }

  package var type: Kind
  package var segment: Int?
  package var text: String?
  package var words: [TranscriptDocument.Word]?
  package var start: Double?
  package var end: Double?
  package var alternatives: [TranscriptDocument.Alternative]?
  package var coverage: TranscriptDocument.Coverage?
  /// The language (BCP 47), where it was detected; nil for that of the recording.
  package var language: String?
  /// Present if all of it is the echo of another channel.
  package var echo: Bool?
}
