import Foundation

/// `jsonl`: a finished transcript in the lines that live transcription prints, without partial results.
///
/// The first line names the recording as `source`; with several recordings in one output each line does.
///
/// Types: `final` for a segment, `revision` for a later version of it with the reason, `silence` for a part before, between
/// or after segments, and one last `end` with the length of the audio and its coverage. A `silence` with a `reason` is
/// speech without recognized words, which the coverage counts as `wordless`, or sound without speech, which it counts as
/// `nonspeech`. A `gap` is a part that could not be captured;
/// it has a `reason` too. Without the words, a segment in which several speak has `parts`: what each says. Of a session of the library, the last line of each segment says whether a paragraph begins with it. Parts that are pending or failed have no line. If only the sums of the coverage are known, and
/// some of it is pending, failed or missing, a part without text may be one of them, so no `silence` is written.
package struct JSONLinesDocument: Sendable {
  private let wordTimestamps: Bool
  private let alternatives: Int?
  /// Whether every line names the recording, and not only the first one.
  private let namesSourceInEveryLine: Bool

  /// - Parameters:
  ///   - wordTimestamps: whether `final` has the words with their times.
  ///   - alternatives: the most alternatives of a segment; nil for all.
  ///   - namesSourceInEveryLine: whether every line names the recording, and not only the first one.
  package init(wordTimestamps: Bool, alternatives: Int? = nil, namesSourceInEveryLine: Bool = false) {
    self.wordTimestamps = wordTimestamps
    self.alternatives = alternatives
    self.namesSourceInEveryLine = namesSourceInEveryLine
  }

  /// - Parameter revisions: all versions of each segment that was changed, by its ID, the oldest first; nil for a transcript that is
  ///   not of the library, whose lines are those that were written live.
  package func string(for transcript: Transcript, revisions: [Int: [SegmentRevision]]? = nil) -> String {
    numbered(lines(for: transcript, revisions: revisions), from: 0, transcript.source)
  }

  /// The line of a new segment of a transcript that is being made; the segments before it have theirs already.
  /// - Parameter source: the name of the recording.
  package func line(for segment: Segment, of source: String) -> String {
    numbered([final(segment, number: segment.id)], from: segment.id, source)
  }

  /// The lines after those of the segments: silence is known only at the end.
  package func rest(of transcript: Transcript) -> String {
    numbered(
      lines(for: transcript, withFinals: false), from: transcript.segments.count, transcript.source)
  }

  private func numbered(
    _ lines: [[(key: String, value: JSONValue)]], from first: Int, _ source: String
  ) -> String {
    lines.enumerated().map { index, members in
      let isNamed = namesSourceInEveryLine || first + index == 0
      let source = isNamed ? [("source", JSONValue.string(source))] : []
      return JSONValue.object([("sequence", .integer(first + index))] + members + source).text + "\n"
    }.joined()
  }

  private func lines(
    for transcript: Transcript, withFinals: Bool = true, revisions: [Int: [SegmentRevision]]? = nil
  ) -> [[(key: String, value: JSONValue)]] {
    let others = transcript.spans.isEmpty ? Self.silence(in: transcript) : transcript.spans
    var rest = others.filter { Milliseconds(seconds: $0.start) < Milliseconds(seconds: $0.end) }[...]
    var lines: [[(key: String, value: JSONValue)]] = []
    let starts = revisions.map { _ in Paragraph.starts(of: transcript.segments, in: transcript.locale) }
    for (number, segment) in transcript.segments.enumerated() {
      let before = rest.prefix { $0.start < segment.start }
      rest = rest.dropFirst(before.count)
      lines += before.compactMap(Self.line)
      let versions = revisions?[segment.id] ?? []
      if withFinals { lines.append(final(versions.first?.segment ?? segment, number: number)) }
      lines += versions.dropFirst().map { revision($0, number: number) }
      if let starts { lines[lines.count - 1].append(("beginsParagraph", .boolean(starts.contains(number)))) }
    }
    lines += rest.compactMap(Self.line)
    let warnings =
      transcript.warnings.isEmpty ? [] : [("warnings", JSONDocument.warnings(transcript.warnings))]
    let tracks = transcript.tracks.isEmpty ? [] : [("tracks", JSONDocument.tracks(transcript.tracks))]
    let speakers =
      transcript.speakers.isEmpty ? [] : [("speakers", JSONDocument.speakers(transcript.speakers))]
    lines.append(
      [
        TranscriptLine.Kind.end.member, ("end", .seconds(transcript.duration)),
        ("coverage", JSONDocument.coverage(transcript.coverage)),
      ] + speakers + warnings + tracks)
    return lines
  }

  /// The line of a part without text; nil if it has none.
  private static func line(_ span: CoverageSpan) -> [(key: String, value: JSONValue)]? {
    switch span.kind {
    case .silent, .nonspeech, .wordless: line(.silence, span)
    case .gap: line(.gap, span)
    case .transcribed, .pending, .failed: nil
    }
  }

  private static func line(
    _ kind: TranscriptLine.Kind, _ span: CoverageSpan
  ) -> [(key: String, value: JSONValue)] {
    [kind.member, ("start", .seconds(span.start)), ("end", .seconds(span.end))]
      + (span.reason.isEmpty ? [] : [("reason", .string(span.reason))])
  }

  /// The parts between segments, if nothing else is known of them.
  private static func silence(in transcript: Transcript) -> [CoverageSpan] {
    let unknown = transcript.coverage.pending + transcript.coverage.failed + transcript.coverage.gaps
    guard Milliseconds(seconds: unknown).count == 0 else { return [] }
    let known = transcript.segments.map { ($0.range, CoverageSpan.Kind.transcribed, "") }
    return CoverageSpan.all(of: transcript.duration, known)
  }

  package func final(_ segment: Segment, number: Int) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = [
      TranscriptLine.Kind.final.member, ("segment", .integer(number)), ("key", .integer(segment.id)),
      ("start", .seconds(segment.start)), ("end", .seconds(max(segment.start, segment.end))),
      ("is_final", .boolean(true)),
      ("text", .string(segment.text)),
    ]
    let speaker = segment.speaker?.speaker ?? segment.channel.map(SessionSpeakers.id(ofChannel:))
    if let speaker { members.append(("speaker", .string(speaker))) }
    if !wordTimestamps { members += JSONDocument.parts(of: segment) { $0 } }
    members += (JSONDocument.language(of: segment) + JSONDocument.echo(segment.isEcho)).map {
      (key: $0.0, value: $0.1)
    }
    if wordTimestamps { members.append(("words", JSONDocument.words(segment.words))) }
    members.append(("alternatives", JSONDocument.alternatives(segment, atMost: alternatives)))
    return members
  }

  /// A later version of a segment. The line of the first version never changes.
  private func revision(_ revision: SegmentRevision, number: Int) -> [(key: String, value: JSONValue)] {
    let members = final(revision.segment, number: number).map { member in
      member.key == "type" ? TranscriptLine.Kind.revision.member : member
    }
    return members + [
      ("revision", .integer(revision.segment.revision)), ("reason", .string(revision.reason)),
    ] + (revision.segment.isCorrected ? [("corrected", .boolean(true))] : [])
  }
}
