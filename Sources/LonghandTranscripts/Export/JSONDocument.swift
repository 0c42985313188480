/// `json`: one document with the whole transcript, described by `Schemas/transcript.schema.json`.
///
/// The keys have a fixed order. Texts are the recognizer's, unchanged; `formatted` and `display` are the same written in
/// sentences. Each segment is on a line of its own, so that two
/// versions of a transcript can be compared line by line.
package struct JSONDocument {
  var alternatives: Int?
  var names: [String]
  var hasEcho: Bool

  /// - Parameters:
  ///   - alternatives: the most alternatives of a segment; nil for all.
  ///   - names: terms in the spelling of their domain.
  ///   - hasEcho: whether the whole text has the words that are echoes of another channel; segments always have them.
  package init(alternatives: Int? = nil, names: [String] = [], hasEcho: Bool = false) {
    self.alternatives = alternatives
    self.hasEcho = hasEcho
    self.names = names
  }

  func string(for transcript: Transcript) -> String { value(for: transcript).document }

  /// The whole transcript.
  package func value(for transcript: Transcript) -> JSONValue {
    let vocabulary = transcript.vocabulary.map { stamp in
      ("vocabulary", JSONValue.object([("name", .string(stamp.name)), ("sha256", .string(stamp.sha256))]))
    }
    let written = transcript.writtenInSentences(names: names)
    let starts = Paragraph.starts(of: transcript.segments, in: transcript.locale)
    return JSONValue.object(
      [
        ("version", .integer(1)),
        ("source", .string(transcript.source)),
        ("locale", .string(transcript.locale)),
        ("engine", .string(transcript.engine)),
      ] + (transcript.model.map { [("model", Self.model($0))] } ?? [])
        + (transcript.punctuation.map { [("punctuation", Self.model($0))] } ?? []) + [
          ("duration", .seconds(transcript.duration))
        ] + (transcript.statedDuration.map { [("statedDuration", .seconds($0))] } ?? [])
        + (vocabulary.map { [$0] } ?? []) + [
          ("text", .string((hasEcho ? transcript : transcript.withoutEcho).text))
        ] + (transcript.speakers.isEmpty ? [] : [("speakers", Self.speakers(transcript.speakers))]) + [
          (
            "segments",
            .array(
              zip(transcript.segments, written.segments).enumerated().map {
                segment(
                  $1.0, number: $0, written: $1.1, beginsParagraph: starts.contains($0),
                  voice: transcript.voice?.segments.dropFirst($0).first)
              })
          )
        ]
        + (written.normalized.map { [("normalized", Self.normalized($0, of: transcript.segments))] } ?? [])
        + (transcript.translation.map { [("translation", Self.translation($0))] } ?? [])
        + (transcript.voice.map { [("voice", Self.voice($0.whole))] } ?? [])
        + (transcript.expectedErrors.map { [("expectedErrors", Self.expected($0))] } ?? []) + [
          ("coverage", Self.coverage(transcript.coverage))
        ] + Self.rejected(transcript.rejected)
        + (transcript.warnings.isEmpty ? [] : [("warnings", Self.warnings(transcript.warnings))])
        + (transcript.tracks.isEmpty ? [] : [("tracks", Self.tracks(transcript.tracks))])
    )
  }

  /// A translation with its passages.
  package static func translation(_ translation: Translation) -> JSONValue {
    .object([
      ("language", .string("en")), ("model", .string(translation.model)), ("text", .string(translation.text)),
      (
        "passages",
        .array(translation.passages.map(passage))
      ),
    ])
  }

  /// A part of a translation.
  package static func passage(_ passage: Translation.Passage) -> JSONValue {
    .object([
      ("start", .seconds(passage.start)), ("end", .seconds(passage.end)), ("text", .string(passage.text)),
    ])
  }

  /// A model, of the recognizer or for punctuation.
  package static func model(_ model: ModelStamp) -> JSONValue {
    .object([("name", .string(model.name)), ("sha256", model.sha256.map { .string($0) } ?? .null)])
  }

  /// Who speaks.
  package static func speakers(_ speakers: [Speaker]) -> JSONValue {
    .array(
      speakers.map {
        .object(
          [
            ("id", .string($0.id)), ("name", .string($0.name)), ("basis", .string($0.basis.rawValue)),
            ("seconds", .seconds($0.seconds)),
          ] + ($0.engine.map { [("engine", .string($0))] } ?? [])
            + ($0.nameBasis.map { [("nameBasis", .string($0.rawValue))] } ?? []))
      })
  }

  /// The speaker of a segment, and how it is known; empty if it is unknown.
  private static func speaker(_ label: SpeakerLabel?) -> [(String, JSONValue)] {
    guard let label else { return [] }
    return [("speaker", .string(label.speaker)), ("speakerBasis", .string(label.basis.rawValue))]
      + speakerConfidence(label.confidence)
  }

  /// Where other speakers begin in a segment; no member where one says all of it.
  private static func turns(of segment: Segment) -> [(String, JSONValue)] {
    let turns = segment.turns.map { speaker, words in
      JSONValue.object(
        [("word", .integer(words.lowerBound))] + (speaker.map { [("speaker", .string($0))] } ?? []))
    }
    return turns.isEmpty ? [] : [("turns", .array(turns))]
  }

  /// How probable it is that the speaker is the right one; no member where that is not known.
  private static func speakerConfidence(_ confidence: Double?) -> [(String, JSONValue)] {
    confidence.map { [("speakerConfidence", .confidence($0))] } ?? []
  }

  /// The language of a segment, where it was detected for each part of the recording; else no member.
  static func language(of segment: Segment) -> [(String, JSONValue)] {
    segment.language.map { [("language", .string($0))] } ?? []
  }

  /// That it is the echo of another channel; no member if it is not.
  static func echo(_ isEcho: Bool) -> [(String, JSONValue)] { isEcho ? [("echo", .boolean(true))] : [] }

  /// What readers should know about the audio.
  /// The audio tracks of a file.
  package static func tracks(_ tracks: [TranscriptTrack]) -> JSONValue {
    .array(
      tracks.map { track in
        .object(
          [("number", .integer(track.number)), ("name", .string(track.name))]
            + (track.title.map { [("title", .string($0))] } ?? [])
            + (track.language.map { [("language", .string($0))] } ?? []) + [
              ("codec", .string(track.codec)), ("channels", .integer(track.channels)),
              ("sampleRate", .integer(track.sampleRate)), ("included", .boolean(track.isIncluded)),
            ])
      })
  }

  private static func rejected(_ rejected: [RejectedWords]) -> [(String, JSONValue)] {
    let values = rejected.map { words in
      JSONValue.object([
        ("text", .string(words.text)), ("start", .seconds(words.start)), ("end", .seconds(words.end)),
        ("rule", .string(words.rule.rawValue)),
      ])
    }
    return values.isEmpty ? [] : [("rejected", .array(values))]
  }

  package static func warnings(_ warnings: [TranscriptWarning]) -> JSONValue {
    .array(
      warnings.map {
        .object(
          [
            ("code", .string($0.code.rawValue)), ("message", .string($0.message)),
            ("start", .seconds($0.start)), ("end", .seconds(max($0.start, $0.end))),
          ] + ($0.language.map { [("language", .string($0))] } ?? []))
      })
  }

  /// A segment as it is shown, with its second text.
  package func segment(_ shown: ShownSegment) -> JSONValue {
    guard
      case .object(let members) = segment(
        shown.segment, number: shown.number, written: shown.written, beginsParagraph: shown.beginsParagraph)
    else { return .null }
    return .object(members + (normalized(shown).map { [("normalized", $0)] } ?? []))
  }

  /// The second text of a segment with its terms; nil if it does not differ from the first, and has no terms.
  package func normalized(_ shown: ShownSegment) -> JSONValue? {
    shown.normalized.map { normalized in
      var second = normalized
      second.text = normalized.written(as: shown.written.text, of: shown.segment.text)
      return Self.normalized(second, of: shown.segment, shown.number)
    }
  }

  /// A segment with its words and alternatives.
  /// - Parameters:
  ///   - number: its number in the order, from 0.
  ///   - written: the same segment written in sentences.
  ///   - beginsParagraph: whether a paragraph begins with it.
  ///   - voice: measures of its speech; nil to leave that out.
  private func segment(
    _ segment: Segment, number: Int, written: Segment, beginsParagraph: Bool, voice: VoiceAnalytics? = nil
  ) -> JSONValue {
    let rest = Self.correction(of: segment) + (voice.map { [("voice", Self.voice($0))] } ?? [])
    return .object(
      [
        ("id", .integer(number)),
        ("key", .integer(segment.id)),
        ("start", .seconds(segment.start)),
        ("end", .seconds(max(segment.start, segment.end))),
        ("text", .string(segment.text)),
        ("formatted", .string(written.text)),
      ] + Self.language(of: segment) + Self.speaker(segment.speaker) + Self.turns(of: segment)
        + Self.echo(segment.isEcho) + [
          ("confidence", .confidence(segment.confidence)),
          (
            "words",
            Self.words(
              segment.words, written: written.words, alternatives: segment.wordAlternatives,
              corrected: segment.correctedWords)
          ),
          ("alternatives", Self.alternatives(segment, atMost: alternatives)),
          ("selection", Self.selection(segment.selection)),
          ("revision", .integer(segment.revision)), ("beginsParagraph", .boolean(beginsParagraph)),
        ] + rest)
  }

  /// That a person wrote or confirmed the text; no member if it is the recognizer's.
  private static func correction(of segment: Segment) -> [(String, JSONValue)] {
    segment.isCorrected ? [("corrected", .boolean(true))] : []
  }

  /// Measures of the speech.
  static func voice(_ voice: VoiceAnalytics) -> JSONValue {
    func number(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }
    return .object([
      ("speakingRate", .number(voice.speakingRate)), ("averagePause", .seconds(voice.averagePause)),
      ("pitch", number(voice.pitch)), ("jitter", number(voice.jitter)), ("shimmer", number(voice.shimmer)),
      ("voicing", number(voice.voicing)),
    ])
  }

  /// Which candidate was selected, and by which rule.
  package static func selection(_ selection: Segment.Selection) -> JSONValue {
    .object(
      [("index", .integer(selection.index)), ("rule", .string(selection.rule))]
        + (selection.judgement.map { [("judgement", .string($0.rawValue))] } ?? []))
  }

  /// The second text of one segment, where it differs from the first, and its terms.
  private static func normalized(
    _ normalized: NormalizedTranscript, of segment: Segment, _ number: Int
  ) -> JSONValue {
    let spans = normalized.spans.map { span in
      let words = segment.words(in: span.source)
      return JSONValue.object([
        ("text", .string(span.text)), ("original", .string(span.original)),
        ("words", .array([words.lowerBound, words.upperBound].map(JSONValue.integer))),
        ("by", .string(span.provenance.rawValue)),
      ])
    }
    let places = normalized.occurrences.map {
      place(
        $0.term, id: $0.id, normalized.provenance(of: $0), in: Self.place(segment.id, number),
        segment.range(of: $0.source))
    }
    return .object([
      ("text", .string(normalized.text)), ("spans", .array(spans)), ("places", .array(places)),
    ])
  }

  /// The second text of segments whose texts are joined by spaces, and where its terms were said.
  private static func normalized(
    _ normalized: NormalizedTranscript, of segments: [Segment]
  ) -> JSONValue {
    var places: [JSONValue] = []
    var offset = 0
    var rest = normalized.occurrences[...]
    for (number, segment) in segments.enumerated() {
      let end = offset + segment.text.utf8.count
      while let next = rest.first, next.source.lowerBound < end {
        let start = max(offset, next.source.lowerBound)
        let time = segment.range(of: start - offset..<max(start, min(end, next.source.upperBound)) - offset)
        places.append(
          place(
            next.term, id: next.id, normalized.provenance(of: next), in: Self.place(segment.id, number), time)
        )
        rest = rest.dropFirst()
      }
      offset = end + 1
    }
    return .object([
      ("text", .string(normalized.text)),
      ("extractedTerms", .array(normalized.extractedTerms.map(JSONValue.string))),
      ("places", .array(places)),
      ("by", .string(normalized.by.rawValue)),
    ])
  }

  /// A segment of the same document.
  private static func place(_ key: Int, _ number: Int) -> [(String, JSONValue)] {
    [("segment", .integer(number)), ("key", .integer(key))]
  }

  /// Where a term was said, and how it was found.
  /// - Parameter segment: what names the segment.
  package static func place(
    _ term: String, id: String?, _ provenance: NormalizedTranscript.Provenance,
    in segment: [(String, JSONValue)], _ time: ClosedRange<Double>
  ) -> JSONValue {
    .object(
      [("term", .string(term))] + segment + [
        ("start", .seconds(time.lowerBound)), ("end", .seconds(time.upperBound)),
        ("by", .string(provenance.rawValue)),
      ] + (id.map { [("id", .string($0))] } ?? []))
  }

  /// - Parameters:
  ///   - written: the same words written in sentences; nil to leave them out.
  ///   - alternatives: for each word, what else may have been said; nil to leave them out.
  ///   - corrected: the indices of the words that a person wrote.
  package static func words(
    _ words: [Word], written: [Word]? = nil, alternatives: [[WordAlternative]]? = nil,
    corrected: Set<Int> = []
  ) -> JSONValue {
    .array(
      words.enumerated().map { index, word in
        let flag: [(String, JSONValue)] = corrected.contains(index) ? [("corrected", .boolean(true))] : []
        let rest = flag + Self.alternatives(alternatives?[index] ?? [], toWord: index)
        return .object(
          [("text", .string(word.text))] + (written.map { [("display", .string($0[index].text))] } ?? []) + [
            ("start", .seconds(word.start)), ("end", .seconds(max(word.start, word.end))),
            ("confidence", .confidence(word.confidence)),
          ] + (word.speaker.map { [("speaker", .string($0))] } ?? [])
            + speakerConfidence(word.speakerConfidence) + echo(word.isEcho) + rest)
      })
  }

  /// What else may have been said in place of a word; no member if there is nothing. An alternative for several words
  /// names the first of them and the number of words.
  private static func alternatives(
    _ alternatives: [WordAlternative], toWord word: Int
  ) -> [(String, JSONValue)] {
    let values = alternatives.map { alternative in
      let others =
        alternative.replaced == word..<word + 1
        ? []
        : [
          ("word", JSONValue.integer(alternative.replaced.lowerBound)),
          ("count", JSONValue.integer(alternative.replaced.count)),
        ]
      return JSONValue.object(
        [("text", .string(alternative.text)), ("confidence", .confidence(alternative.confidence))] + others)
    }
    return values.isEmpty ? [] : [("alternatives", .array(values))]
  }

  /// The candidates, the recognizer's first choice first. The selected one is always included, because
  /// `selection.index` counts in them.
  package static func alternatives(_ segment: Segment, atMost count: Int?) -> JSONValue {
    let count = max(count ?? Int.max, segment.selection.index + 1)
    return .array(
      zip(segment.candidates, segment.foldedCandidates).prefix(count).map { candidate, like in
        .object(
          [("text", .string(candidate.text)), ("confidence", .confidence(candidate.confidence))]
            + (candidate.source.map { [("source", .string($0))] } ?? [])
            + (like.map { [("like", .integer($0))] } ?? []))
      })
  }

  /// How many words are probably wrong.
  package static func expected(_ errors: ExpectedErrors) -> JSONValue {
    let range = errors.range
    return .object([
      ("count", .number(errors.count)), ("low", .integer(range.lowerBound)),
      ("high", .integer(range.upperBound)), ("words", .integer(errors.words)),
    ])
  }

  package static func coverage(_ coverage: Coverage) -> JSONValue {
    .object([
      ("transcribed", .seconds(coverage.transcribed)), ("silent", .seconds(coverage.silent)),
      ("wordless", .seconds(coverage.wordless)), ("nonspeech", .seconds(coverage.nonspeech)),
      ("pending", .seconds(coverage.pending)),
      ("failed", .seconds(coverage.failed)), ("gaps", .seconds(coverage.gaps)),
    ])
  }
}
