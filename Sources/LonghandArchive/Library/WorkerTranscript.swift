import Foundation
import LonghandTranscripts

/// Why a transcript of an archive cannot be imported.
package struct TranscriptImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence.
  package let description: String
}

/// What `longhand worker` answered to one job, as it comes back from an archive: read, and checked as any input.
package struct WorkerTranscript: Sendable {
  /// The ID of the job.
  let id: String
  /// The location of the audio, as the job named it.
  let path: String
  /// The digest of the audio file.
  let sha256: String
  let transcript: Transcript
  /// The speakers of the channels and of the voices; none if the channels were mixed and no voices separated.
  let speakers: SessionSpeakers

  /// Reads a line.
  /// - Throws: `TranscriptImportError`.
  package init(_ line: Data) throws(TranscriptImportError) {
    let answer: Answer
    do { answer = try JSONDecoder().decode(Answer.self, from: line) } catch {
      throw TranscriptImportError(
        description: "This is not a line of 'longhand worker': \(Self.place(of: error)).")
    }
    guard let document = answer.transcript, let spans = answer.spans, let words = answer.candidateWords,
      let sha256 = answer.sha256, let path = answer.path, let id = answer.id
    else {
      let reason = answer.error?.message ?? "The line has no transcript."
      throw TranscriptImportError(description: "The job has no transcript. \(reason)")
    }
    (self.id, self.path, self.sha256) = (id, path, sha256)
    try Self.check(spans, of: document.duration)
    var segments = try Self.segments(document, words, answer.channels)
    try Self.checkTimes(of: segments, written: document)
    speakers = try Self.speakers(document, segments, answer.turns)
    for index in segments.indices { segments[index].writeWords() }
    var transcript = Transcript(
      source: document.source, locale: document.locale, engine: document.engine, model: document.model,
      duration: document.duration, segments: segments, spans: spans, vocabulary: document.vocabulary,
      statedDuration: document.statedDuration, warnings: document.warnings ?? [])
    transcript.punctuation = document.punctuation
    transcript.tracks = document.tracks ?? []
    transcript.translation = try Self.translation(document)
    if answer.turns == nil, !document.voices.isEmpty {
      transcript.warnings.append(.voicesLeftOut(0...document.duration))
    }
    self.transcript = transcript
  }

  private static func segments(
    _ document: Document, _ words: [[[TranscribedWords.Item]]], _ channels: [String?]?
  ) throws(TranscriptImportError) -> [Segment] {
    let voices = Set(document.voices.map(\.id))
    guard words.count == document.segments.count else {
      throw TranscriptImportError(
        description: "The candidateWords are not those of the transcript's segments.")
    }
    guard channels.map({ $0.count == document.segments.count }) ?? true else {
      throw TranscriptImportError(description: "The channels are not those of the transcript's segments.")
    }
    var segments: [Segment] = []
    for (index, item) in document.segments.enumerated() {
      let place = "Segment \(index) of the transcript"
      guard item.alternatives.indices.contains(item.selection.index),
        item.alternatives[item.selection.index].text == item.text
      else {
        throw TranscriptImportError(description: "\(place) has a text that is none of its alternatives.")
      }
      guard let words = TranscribedWords.words(words[index], selected: item.selection.index),
        words.count == item.alternatives.count,
        words[item.selection.index].map(\.text) == item.words.map(\.text)
      else {
        throw TranscriptImportError(description: "\(place) has other words than its candidateWords.")
      }
      let candidates = zip(item.alternatives, words).map {
        Candidate(
          text: $0.text, words: $1, confidence: $0.confidence, source: $0.source, language: item.language)
      }
      var segment = Segment(
        id: index, start: item.start, end: item.end, candidates: candidates, selection: item.selection)
      // A voice does not say in which channel it is.
      let speaker = channels?[index] ?? item.speaker.flatMap { voices.contains($0) ? nil : $0 }
      if let speaker { segment.channel = try channel(of: speaker, place) }
      if let defect = segment.defect { throw TranscriptImportError(description: "\(place) \(defect).") }
      guard segments.last.map({ $0.start <= segment.start }) ?? true else {
        throw TranscriptImportError(description: "\(place) begins before the one before it.")
      }
      segments.append(segment)
    }
    return segments
  }

  /// How far times may differ, in seconds: those of the document are rounded to milliseconds.
  private static let tolerance = 0.0015

  /// The times of a transcript lie inside each other: words in their segment, segments of a channel one after another in
  /// the recording. Alternatives may begin before their segment, and end after it.
  private static func checkTimes(
    of segments: [Segment], written document: Document
  ) throws(TranscriptImportError) {
    let recording = -tolerance...document.duration + tolerance
    var ends: [Int?: TimeInterval] = [:]
    // In lines of older versions, the channel of a voice is not known.
    let hasChannels = segments.contains { $0.channel != nil }
    for (segment, item) in zip(segments, document.segments) {
      let place = "Segment \(segment.id) of the transcript"
      let range = segment.start - tolerance...segment.end + tolerance
      for (word, start, end) in segment.words.map({ ($0.text, $0.start, $0.end) })
        + item.words.map({ ($0.text, $0.start ?? item.start, $0.end ?? item.end) })
      where !(range.contains(start) && range.contains(end) && start <= end) {
        throw TranscriptImportError(
          description:
            "\(place) is from \(segment.start) to \(segment.end) seconds, and its word '\(word)' from "
            + "\(start) to \(end).")
      }
      for word in segment.candidates.flatMap(\.words)
      where !(recording.contains(word.start) && recording.contains(word.end)) {
        throw TranscriptImportError(
          description:
            "\(place) has an alternative with the word '\(word.text)' from \(word.start) to \(word.end) "
            + "seconds, and the recording has \(document.duration).")
      }
      guard recording.contains(segment.end) else {
        throw TranscriptImportError(
          description: "\(place) ends at \(segment.end) seconds, and the recording at \(document.duration).")
      }
      if hasChannels, segment.channel == nil { continue }
      if let end = ends[segment.channel], end > segment.start + tolerance {
        throw TranscriptImportError(description: "\(place) begins before the end of the one before it.")
      }
      ends[segment.channel] = segment.end
    }
  }

  /// The channel of a speaker who is not a voice, from 0.
  private static func channel(of speaker: String, _ place: String) throws(TranscriptImportError) -> Int {
    let number = speaker.hasPrefix("channel") ? Int(speaker.dropFirst("channel".count)) ?? 0 : 0
    guard 1...1000 ~= number, SessionSpeakers.id(ofChannel: number - 1) == speaker else {
      throw TranscriptImportError(description: "\(place) has a speaker who is not a channel.")
    }
    return number - 1
  }

  /// The speakers of the channels and of the voices, with the names that a person gave.
  /// - Parameter turns: when each voice speaks; nil in lines of older versions, from which no voices are taken.
  private static func speakers(
    _ document: Document, _ segments: [Segment], _ turns: [Answer.Turn]?
  ) throws(TranscriptImportError) -> SessionSpeakers {
    var speakers = SessionSpeakers()
    let voices = document.voices
    for (index, speaker) in (document.speakers ?? []).filter({ !$0.isVoice }).enumerated() {
      guard try channel(of: speaker.id, "The transcript") == index else {
        throw TranscriptImportError(description: "The speakers of the transcript are not in order.")
      }
      speakers.addChannels(index + 1)
      if speaker.name != speakers.entries[index].shownName {
        speakers.entries[index].name = SessionSpeakers.possible(speaker.name)
      }
    }
    if let turns {
      speakers.entries += voices.map(\.entry)
      for turn in turns {
        guard TimeInterval.arePossible(turn.start, turn.end), 0...1 ~= turn.confidence ?? 1,
          voices.contains(where: { $0.id == turn.speaker })
        else {
          throw TranscriptImportError(
            description: "The turn at \(turn.start) seconds has impossible numbers or an unknown speaker.")
        }
        var channel: Int?
        if let id = turn.channel { channel = try self.channel(of: id, "The turn at \(turn.start) seconds") }
        speakers.turns.append(
          SpeakerTurn(
            start: turn.start, end: turn.end, speaker: turn.speaker, confidence: turn.confidence,
            channel: channel))
      }
    }
    for (item, segment) in zip(document.segments, segments) {
      guard let channel = segment.channel else { continue }
      speakers.echoes += zip(item.words, segment.words).filter { $0.0.echo == true }.map { _, word in
        EchoWord(channel: channel, start: word.start, end: word.end, word: word.text)
      }
    }
    return speakers
  }

  /// The second text in English; nil if there is none.
  private static func translation(_ document: Document) throws(TranscriptImportError) -> Translation? {
    for passage in document.translation?.passages ?? []
    where !TimeInterval.arePossible(passage.start, passage.end) {
      throw TranscriptImportError(
        description: "The translation at \(passage.start) seconds has impossible times.")
    }
    return document.translation
  }

  /// The spans must account for every second; times are rounded to milliseconds.
  private static func check(_ spans: [CoverageSpan], of duration: TimeInterval) throws(TranscriptImportError)
  {
    var end = 0.0
    for span in spans {
      guard TimeInterval.arePossible(span.start, span.end), abs(span.start - end) < tolerance else {
        throw TranscriptImportError(description: "The spans do not follow each other at \(end) seconds.")
      }
      end = span.end
    }
    guard TimeInterval.arePossible(0, duration), abs(duration - end) < tolerance else {
      throw TranscriptImportError(
        description: "The spans end at \(end) seconds, and the audio at \(duration).")
    }
  }

  private static func place(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): path(context.codingPath + [key]) + " is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      path(context.codingPath) + " has another type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      path(context.codingPath) + " has a value that cannot be"
    default: "it is not JSON"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }

  private struct Answer: Decodable {
    struct Problem: Decodable { var message: String }
    struct Span: Decodable {
      var start: TimeInterval
      var end: TimeInterval
      var kind: CoverageSpan.Kind
      var reason: String?
    }
    struct Turn: Decodable {
      var start: TimeInterval
      var end: TimeInterval
      var speaker: String
      var confidence: Double?
      var channel: String?
    }

    var id: String?
    var path: String?
    var sha256: String?
    var transcript: Document?
    var candidateWords: [[[TranscribedWords.Item]]]?
    private var allSpans: [Span]?
    /// Who speaks when, by the voice.
    var turns: [Turn]?
    /// The speaker of each segment's channel.
    var channels: [String?]?
    var error: Problem?

    var spans: [CoverageSpan]? {
      allSpans?.map { CoverageSpan(start: $0.start, end: $0.end, kind: $0.kind, reason: $0.reason ?? "") }
    }

    private enum CodingKeys: String, CodingKey {
      case id, path, sha256, transcript, candidateWords, turns, channels, error
      case allSpans = "spans"
    }
  }

  /// What is read of the document that `Schemas/transcript.schema.json` describes.
  private struct Document: Decodable {
    struct Alternative: Decodable {
      var text: String
      var confidence: Double?
      var source: String?
    }
    struct Spoken: Decodable {
      var text: String
      var start: TimeInterval?
      var end: TimeInterval?
      var echo: Bool?
    }
    struct Speaker: Decodable {
      var id: String
      var name: String
      var engine: String?
      var nameBasis: String?

      var isVoice: Bool { id.hasPrefix("voice") && Int(id.dropFirst("voice".count)) ?? 0 > 0 }

      /// What is stored of a voice.
      var entry: SessionSpeakers.Entry {
        let name = SessionSpeakers.possible(name)
        var entry = SessionSpeakers.Entry(
          id: id, basis: .voice, engine: engine, recognized: nameBasis == "voice" ? name : nil)
        if entry.shownName != name { entry.name = name }
        return entry
      }
    }
    struct Item: Decodable {
      var start: TimeInterval
      var end: TimeInterval
      var text: String
      var speaker: String?
      var language: String?
      var words: [Spoken]
      var alternatives: [Alternative]
      var selection: Segment.Selection
    }

    var source: String
    var locale: String
    var engine: String
    var model: ModelStamp?
    var punctuation: ModelStamp?
    var duration: TimeInterval
    var statedDuration: TimeInterval?
    var tracks: [TranscriptTrack]?
    var vocabulary: VocabularyStamp?
    var speakers: [Speaker]?
    var segments: [Item]
    var translation: Translation?
    var warnings: [TranscriptWarning]?

    var voices: [Speaker] { (speakers ?? []).filter(\.isVoice) }
  }
}
