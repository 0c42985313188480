import Foundation
import LonghandTranscripts
import SentenceFormatting

/// Edits of whole paragraphs.
extension TranscriptStore {
  /// The most characters of a paragraph.
  public static let maxParagraphLength = 20_000

  /// Replaces the text of segments that follow each other by what a person wrote, as one step that `undo(in:)` takes back.
  ///
  /// Each text becomes a paragraph. Words that are as `writtenSegments` shows them stay in their segment, with their times
  /// and confidences. New words share the time of those that they replace, and have no confidence. A segment in which a
  /// paragraph ends is divided; the segments after it get another ID. A segment whose words are gone stays without text.
  /// The recognizer's candidates and the earlier revisions stay, and so does the coverage. An edit that is made again because
  /// its answer was lost changes nothing.
  ///
  /// ```swift
  /// try store.edit(3..<4, to: ["One paragraph.", "And another."], in: session)
  /// ```
  ///
  /// - Parameters:
  ///   - ids: the IDs of the segments, at least one.
  ///   - paragraphs: the new text, one paragraph each; empty removes it.
  ///   - session: the ID of the session.
  ///   - expected: the current revisions of the segments, as the caller knows them; nil for any.
  ///   - count: the number of segments of the session, as the caller knows it; nil for any.
  /// - Returns: the changes; nil if there are none.
  /// - Throws: `StoreError`; `changed` if the segments have other revisions, or if their number is another one.
  @discardableResult public func edit(
    _ ids: Range<Int>, to paragraphs: [String], in session: String, ifRevisions expected: [Int]? = nil,
    ifCount count: Int? = nil
  ) throws -> TextChange? {
    guard
      paragraphs.allSatisfy({ text in
        text.count <= Self.maxParagraphLength
          && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      })
    else {
      throw error(
        .invalid("a paragraph is one line of at most \(Self.maxParagraphLength) characters"))
    }
    return try step(of: session) { number, database in
      let known = try self.segmentCount(of: number, in: database)
      // If the edit is stored already, it has changed the number itself.
      let added = known - (count ?? known)
      let current = ids.lowerBound..<max(ids.lowerBound, ids.upperBound + added)
      // This connection alone writes, so that what others read is the same.
      let shown = try self.writtenSegments(of: session, from: current.lowerBound, limit: current.count)
      guard !current.isEmpty, shown.map(\.segment.id) == Array(current) else {
        try self.check(count, known)
        throw self.error(.noSegment(ids.upperBound - 1))
      }
      guard Set(shown.map(\.segment.channel)).count == 1 else {
        try self.check(count, known)
        throw self.error(.invalid("segments of different channels are not one text"))
      }
      let near = try self.segments(near: current, of: session)
      let starts = try self.paragraphStarts(of: session, in: current.upperBound..<current.upperBound + 1)
      let edit = SegmentsEdit(
        paragraphs.filter { !LineText.of($0).isEmpty }, of: shown,
        before: near.filter { $0.id < current.lowerBound },
        next: near.first { $0.id == current.upperBound && starts.contains($0.id) })
      let revisions = shown.map(\.segment.revision)
      if added != 0 || expected.map({ zip($0, revisions).contains { $0 != $1 } }) == true {
        if edit.changesNoText { return nil }
        // What is stored already may have other marks now, and capitals: they are written again.
        if edit.changesWords {
          try self.check(count, known)
          for (revision, current) in zip(expected ?? [], revisions) { try self.check(revision, current) }
        }
      }
      let isFinal = try self.session(number, in: database).state.isFinal
      guard isFinal || edit.added.isEmpty else {
        throw self.error(.invalid("a segment can be divided only after the whole recording is transcribed"))
      }
      let changed = try self.store(edit, number, in: database)
      guard !changed.isEmpty else { return nil }
      return TextChange(segments: changed, segmentCount: known + edit.added.count)
    }
  }

  private func store(_ edit: SegmentsEdit, _ session: Int, in database: StoreDatabase) throws -> [Int] {
    try makeRoom(at: edit.added.map(\.position), session, in: database)
    let reason = edit.added.isEmpty ? "edited by the user" : "edited and divided by the user"
    var changed: [Int] = []
    for segment in edit.revised {
      let id = segment.id + edit.added.count { $0.position <= segment.id }
      _ = try revise(
        id, as: segment.withoutLabels, reason: reason, author: .person, isStep: true, session: session,
        in: database)
      changed.append(id)
    }
    for (number, var segment) in edit.added.map(\.segment).enumerated() {
      segment.id = edit.added[number].position + number
      segment.revision = 0
      let plain = segment.withoutLabels
      try insert(
        plain, try data(of: plain), reason: "divided by the user", author: .person, isStep: true,
        session: session, in: database)
      changed.append(segment.id)
    }
    return changed.sorted()
  }
}

/// How segments change when a person edits their text.
struct SegmentsEdit {
  /// New versions of segments, by the IDs before any change.
  private(set) var revised: [Segment] = []
  /// New segments, each before the segment that had this ID.
  private(set) var added: [(segment: Segment, position: Int)] = []
  /// Whether all texts and paragraphs are as they were.
  let changesNoText: Bool
  /// Whether more than marks and capitals is not as it was shown.
  let changesWords: Bool

  /// A segment as it becomes.
  private struct Part {
    var segment: Segment
    var isAdded = false
    /// Whether a paragraph begins with it; nil if that stays as it is.
    var begins: Bool?
  }

  /// - Parameters:
  ///   - paragraphs: the new text.
  ///   - shown: the segments, and as they are shown.
  ///   - before: the segments before them on which their paragraphs depend.
  ///   - next: the segment after them, if a paragraph begins with it.
  init(
    _ paragraphs: [String], of shown: [(segment: Segment, written: Segment)], before: [Segment],
    next: Segment?
  ) {
    let written = EditedText(paragraphs, in: shown.map(\.written)).parts
    var parts: [Part] = []
    for (index, (segment, known)) in shown.enumerated() {
      let own = written.indices.filter { written[$0].segment == index }
      if own.isEmpty {
        parts.append(Part(segment: LineText.of(segment.text).isEmpty ? segment : segment.withoutWords))
      }
      for (number, place) in own.enumerated() {
        let new =
          own.count == 1
          ? segment.edited(to: written[place], shownAs: known)
          : segment.part(number, of: own.map { written[$0] })
        let begins = place == 0 || written[place].paragraph != written[place - 1].paragraph
        // What a paragraph of the segments before begins with stays as it is.
        let isFirst = place == 0 && index == 0
        parts.append(Part(segment: new, isAdded: number > 0, begins: isFirst ? nil : begins))
      }
    }
    // With more or fewer words before it, it would begin another paragraph or none.
    if let next { parts.append(Part(segment: next, begins: true)) }
    Self.mark(&parts, after: before)
    let originals = shown.map(\.segment) + (next.map { [$0] } ?? [])
    for part in parts {
      if part.isAdded {
        added.append((part.segment, part.segment.id + 1))
      } else if !originals.contains(part.segment) {
        revised.append(part.segment)
      }
    }
    func original(of new: Segment) -> Segment? { originals.first { $0.id == new.id } }
    let keepsParagraphs = added.isEmpty && revised.allSatisfy { original(of: $0)?.paragraph == $0.paragraph }
    // A segment is revised even if a word only has the capital with which it was shown.
    changesNoText = keepsParagraphs && revised.allSatisfy { original(of: $0)?.text == $0.text }
    changesWords =
      !keepsParagraphs
      || EchoWord.key(of: paragraphs.joined()) != EchoWord.key(of: shown.map(\.written.text).joined())
  }

  /// Marks where a person's paragraphs begin and go on, if the pauses and the number of words say something else.
  private static func mark(_ parts: inout [Part], after before: [Segment]) {
    let first = (before.last?.id ?? -1) + 1
    func starts() -> Set<Int> {
      Paragraph.starts(
        of: before
          + parts.enumerated().map { index, part in
            var segment = part.segment
            segment.id = first + index
            return segment
          })
    }
    var known = starts()
    for (index, part) in parts.enumerated() {
      guard let begins = part.begins, begins != known.contains(first + index) else { continue }
      parts[index].segment.paragraph = begins ? .begins : .continues
      known = starts()
    }
  }
}

extension Segment {
  /// The segment with another text in its place.
  fileprivate func edited(to part: EditedText.Part, shownAs written: Segment) -> Segment {
    if part.kept == 0..<written.timedWords.count { return self }
    var new = self
    new.write(part.words, among: recognizedCandidates)
    new.enclose(within: range, widens: false)
    return new
  }

  /// One of the parts into which the segment is divided, with what each candidate of the recognizer has in its time.
  fileprivate func part(_ number: Int, of parts: [EditedText.Part]) -> Segment {
    let words = parts[number].words
    let (before, after) = (
      number > 0 ? parts[number - 1].words.last : nil, parts.dropFirst(number + 1).first?.words.first
    )
    var new = self
    new.paragraph = number == 0 ? paragraph : nil
    if let before, let first = words.first { new.start = min(max(first.start, before.end), end) }
    if after != nil, let last = words.last { new.end = min(max(last.end, new.start), end) }
    let from = before.map { ($0.end + new.start) / 2 } ?? -.infinity
    let to = after.map { (new.end + $0.start) / 2 } ?? .infinity
    let recognized = recognizedCandidates.filter { $0.composition == nil }.compactMap {
      $0.part(within: from..<max(from, to))
    }
    new.write(words, among: recognized)
    new.enclose(within: new.range, widens: false)
    return new
  }

  /// Selects a text that a person wrote.
  private mutating func write(_ words: [Word], among recognized: [Candidate]) {
    let text = words.map(\.text).joinedWords()
    candidates =
      recognized + [Candidate(text: text, words: words, confidence: nil, source: Candidate.person)]
    selection = Selection(index: recognized.count, rule: RerankingRule.paragraph.rawValue)
  }
}

extension Candidate {
  /// The words in a time; nil if there are none.
  fileprivate func part(within time: Range<TimeInterval>) -> Candidate? {
    let own = words.filter { time.contains(($0.start + $0.end) / 2) }
    guard !own.isEmpty else { return nil }
    return Candidate(
      text: own.count == words.count ? text : own.map(\.text).joinedWords(), words: own,
      confidence: confidence,
      source: source, language: language)
  }
}
