import Foundation

extension Transcript {
  /// The transcript with each segment divided where another speaker begins, so that a segment has one speaker. A part has
  /// the selected candidate only. Without speakers it is the same transcript.
  package var dividedBySpeaker: Transcript {
    guard !speakers.isEmpty else { return self }
    var divided = self
    divided.segments = segments.flatMap(\.dividedBySpeaker)
    return divided
  }
}

extension Segment {
  /// Its words by who said them, where readers see that several speak; else empty.
  var turns: [(speaker: String?, words: Range<Int>)] {
    let runs = speakerRuns
    return runs.count > 1 && TimedText(self).isTimed ? runs : []
  }

  /// Who says each word, as readers see it: a `Speaker.id`, or nil if unknown.
  package var wordSpeakers: [String?] {
    let turns = turns
    return turns.isEmpty
      ? words.map { _ in speaker?.speaker } : turns.flatMap { run in run.words.map { _ in run.speaker } }
  }

  /// The `Speaker.id` of each one who says a part of it, as readers see it.
  package var speakerIDs: Set<String> {
    Set((words.isEmpty ? [speaker?.speaker] : wordSpeakers).compactMap(\.self))
  }

  var dividedBySpeaker: [Segment] {
    let runs = turns
    guard !runs.isEmpty else { return [self] }
    let text = TimedText(self)
    let said = words.indices.filter { !LineText.of(words[$0].text).isEmpty }
    return runs.enumerated().compactMap { index, run in
      let tokens = zip(text.tokens, said).filter { run.words.contains($0.1) }.map(\.0)
      guard !tokens.isEmpty else { return nil }
      let (isFirst, isLast) = (index == 0, index == runs.count - 1)
      let own = Array(words[run.words])
      let first = isFirst ? start : max(start, own.first?.start ?? start)
      var part = Segment(
        id: id, start: first, end: max(first, isLast ? end : own.last?.end ?? end),
        candidates: [
          Candidate(
            text: TimedText.text(tokens), words: own, confidence: confidence, source: chosen.source,
            language: language)
        ], selection: Selection(index: 0, rule: selection.rule), revision: revision, channel: channel)
      // Another speaker begins another paragraph.
      part.paragraph = isFirst ? paragraph : .begins
      part.speaker = run.speaker.map { id in
        SpeakerLabel(
          speaker: id, basis: speaker?.basis ?? .voice,
          confidence: id == speaker?.speaker ? speaker?.confidence : nil)
      }
      return part
    }
  }
}

extension JSONDocument {
  /// What each says of a segment in which several speak, with the texts, for documents without the speakers of words; no member
  /// where one says all of it.
  /// - Parameter name: what a speaker is called; nil for no name.
  package static func parts(
    of segment: Segment, name: (_ speaker: String) -> String?
  ) -> [(key: String, value: JSONValue)] {
    let parts = segment.dividedBySpeaker
    guard parts.count > 1 else { return [] }
    let values = parts.map { part in
      var members: [(key: String, value: JSONValue)] = [
        ("start", .seconds(part.start)), ("end", .seconds(part.end)),
      ]
      if let speaker = part.speaker, let name = name(speaker.speaker) {
        members.append(("speaker", .string(name)))
      }
      return JSONValue.object(members + [("text", .string(part.text))])
    }
    return [("parts", .array(values))]
  }
}

/// `rttm`: one line for each turn, `SPEAKER file channel start duration <NA> <NA> name <NA> <NA>`, as tools for diarization
/// read it (NIST, Rich Transcription), with a probability in place of the last `<NA>` but one where it is known. Times are
/// in seconds with three decimals. White space in a name becomes `_`. Turns by the voice are there whole, also several at once,
/// unsure ones, and where no words were recognized; the other ones are where words are. A turn continues over a pause of up to
/// half a second in which no other speaker begins. Speech of an unknown speaker has no line; if all speakers are unknown, all
/// speech is that of `Unknown`.
struct TurnDocument {
  private struct Turn {
    var start: TimeInterval
    var end: TimeInterval
    var channel: Int
    var name: String
    var confidence: Double?
  }

  /// Seconds of a pause that does not end a turn, as in the references of such tools.
  private static let maxPause = 0.5

  func string(for transcript: Transcript) -> String {
    let file = TimeMarkedDocument.file(transcript.source)
    let turns = (spoken(transcript) + heard(transcript)).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    return (transcript.speakers.isEmpty ? turns : Self.joined(turns)).map { turn in
      let start = Milliseconds(seconds: turn.start)
      let duration = max(1, Milliseconds(seconds: turn.end).count - start.count)
      return "SPEAKER \(file) \(turn.channel + 1) \(start.fixedSeconds) "
        + "\(Milliseconds(duration).fixedSeconds) <NA> <NA> \(LineText.column(turn.name)) "
        + "\(turn.confidence.map { String(format: "%.3f", $0) } ?? "<NA>") <NA>\n"
    }.joined()
  }

  /// Joins what a speaker says before and after a pause, and at once as two that were merged.
  private static func joined(_ turns: [Turn]) -> [Turn] {
    turns.reduce(into: []) { joined, turn in
      let own = joined.lastIndex { $0.name == turn.name && $0.channel == turn.channel }
      guard let own, turn.start - joined[own].end <= (own == joined.count - 1 ? maxPause : 0) else {
        return joined.append(turn)
      }
      // The longer part says how probable the whole is.
      if turn.end - turn.start > joined[own].end - joined[own].start {
        joined[own].confidence = turn.confidence
      }
      joined[own].end = max(joined[own].end, turn.end)
    }
  }

  private func spoken(_ transcript: Transcript) -> [Turn] {
    let voices = Set(transcript.turns.map { Optional($0.speaker) })
    return transcript.dividedBySpeaker.segments.compactMap { segment in
      let isHeard = segment.speaker?.basis == .voice && voices.contains(segment.speaker?.speaker)
      guard !LineText.of(segment.text).isEmpty, !isHeard,
        let name = name(segment.speaker?.speaker, in: transcript)
      else { return nil }
      return Turn(start: segment.start, end: segment.end, channel: segment.channel ?? 0, name: name)
    }
  }

  private func heard(_ transcript: Transcript) -> [Turn] {
    transcript.turns.compactMap { turn in
      name(turn.speaker, in: transcript).map {
        Turn(
          start: turn.start, end: turn.end, channel: turn.channel ?? 0, name: $0, confidence: turn.confidence)
      }
    }
  }

  private func name(_ speaker: String?, in transcript: Transcript) -> String? {
    guard !transcript.speakers.isEmpty else { return Transcript.unknownSpeaker }
    return transcript.speakers.first { $0.id == speaker }?.name
  }
}
