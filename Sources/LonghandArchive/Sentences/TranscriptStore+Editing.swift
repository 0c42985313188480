import Foundation
import LonghandTranscripts
import SentenceFormatting

/// Edits of whole paragraphs.
extension TranscriptStore {
  /// The most characters of a paragraph.
  public static let maxParagraphLength = 20_000

  /// Replaces the text of segments that follow each other by what a person wrote, as one step that `undo(in:)` takes back.
  ///
  /// Each text becomes a paragraph. Words that are as `shownSegments` shows them stay in their segment, with their times
  /// and confidences. New words share the time of those that they replace, and have no confidence. A segment in which a
  /// paragraph ends is divided: what follows becomes a new segment. A segment whose words are gone stays without text.
  /// The recognizer's candidates and the earlier revisions stay, and so does the coverage. An edit that is made again because
  /// its answer was lost changes nothing.
  ///
  /// ```swift
  /// try store.edit([3], to: ["One paragraph.", "And another."], in: session)
  /// ```
  ///
  /// - Parameters:
  ///   - ids: the IDs of the segments in order, at least one.
  ///   - paragraphs: the new text, one paragraph each; empty removes it.
  ///   - session: the ID of the session.
  ///   - expected: the current revisions of the segments, as the caller knows them; nil for any.
  /// - Returns: the changes; nil if there are none.
  /// - Throws: `StoreError`; `changed` if the segments have other revisions, `separated` if others are between them.
  @discardableResult public func edit(
    _ ids: [Int], to paragraphs: [String], in session: String, ifRevisions expected: [Int]? = nil
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
    guard !ids.isEmpty, Set(ids).count == ids.count, expected.map({ $0.count == ids.count }) ?? true else {
      throw error(.invalid("each segment is named once, with its revision"))
    }
    return try step(of: session) { number, database in
      let revisions = try ids.map { id in
        guard let current = try self.current(id, number, in: database) else {
          throw self.error(.noSegment(id))
        }
        return current.1.segment.revision
      }
      let expected = expected ?? revisions
      let divided = try zip(ids, expected).flatMap {
        try self.dividedOff($0, since: $1, number, in: database)
      }
      let wanted = Set(ids + divided)
      let first = try self.number(ofSegment: ids[0], number, in: database) ?? 0
      let numbers = first..<first + wanted.count
      let shown = try self.segmentsInContext(of: number, numbers, in: database).written
      guard shown.map(\.segment.id).filter(ids.contains) == ids,
        shown.allSatisfy({ wanted.contains($0.segment.id) })
      else { throw self.error(.separated(ids)) }
      guard Set(shown.map(\.segment.channel)).count == 1 else {
        throw self.error(.invalid("segments of different channels are not one text"))
      }
      let (start, near) = try self.segments(near: numbers, of: number, in: database)
      let known = try self.session(number, in: database)
      let starts = Self.paragraphStarts(
        of: near, known.locale, from: start, in: numbers.upperBound..<numbers.upperBound + 1)
      let edit = SegmentsEdit(
        paragraphs.filter { !LineText.of($0).isEmpty }, of: shown, known.locale,
        before: Array(near.prefix(first - start)),
        next: near.dropFirst(numbers.upperBound - start).first { starts.contains($0.id) })
      if expected != revisions {
        let written = Set(zip(ids, zip(expected, revisions)).filter { $1.0 != $1.1 }.map(\.0) + divided)
        if edit.isStored(besides: written) { return nil }
        for (expected, current) in zip(expected, revisions) { try self.check(expected, current) }
      }
      guard known.state.isFinal || edit.added.isEmpty else {
        throw self.error(.invalid("a segment can be divided only after the whole recording is transcribed"))
      }
      try self.store(edit, number, in: database)
      let changed = try self.changedSegments(number, in: database)
      guard !changed.isEmpty else { return nil }
      return TextChange(segments: changed, segmentCount: try self.segmentCount(of: number, in: database))
    }
  }

  /// The present segments in place of some that were named: these, those that were divided off them since, and those between
  /// them, in order.
  ///
  /// - Parameter named: the IDs of the segments, and the revisions that the caller knows.
  /// - Throws: `StoreError`.
  package func present(
    _ named: [(id: Int, revision: Int)], in session: String
  ) throws -> [ShownSegment] {
    let numbers = try read { database in
      let session = try self.number(of: session, in: database)
      let ids = try named.flatMap {
        [$0.id] + (try self.dividedOff($0.id, since: $0.revision, session, in: database))
      }
      let numbers = try self.numbers(ofSegments: ids, session, in: database)
      return ids.compactMap { numbers[$0] }
    }
    guard let first = numbers.min(), let last = numbers.max() else { return [] }
    return try shownSegments(of: session, from: first, limit: min(last - first + 1, 200))
  }

  /// The segments that were divided off one since it had a revision, and those that were divided off these, in order.
  func dividedOff(
    _ id: Int, since revision: Int, _ session: Int, in database: StoreDatabase
  ) throws -> [Int] {
    let changes = try database.rows(
      """
      SELECT key, step, min(revision) FROM revision
        JOIN segment ON segment.session = revision.session AND key = revision.segment
      WHERE revision.session = ?1 AND step IN (
        SELECT step FROM revision WHERE session = ?1 AND revision = 0 AND step IS NOT NULL)
      GROUP BY key, step ORDER BY rank
      """, .integer(session)
    ) { (id: $0.integer(0), step: $0.integer(1), first: $0.integer(2)) }
    // A step that divides several segments puts each part behind the segment that it was in.
    var last: [Int: (id: Int, first: Int)] = [:]
    var divided: [Int] = []
    for change in changes {
      if change.first == 0, let origin = last[change.step],
        divided.contains(origin.id) || origin.id == id && origin.first > revision
      {
        divided.append(change.id)
      }
      last[change.step] = (change.id, change.first)
    }
    return divided
  }

  private func store(_ edit: SegmentsEdit, _ session: Int, in database: StoreDatabase) throws {
    let reason = edit.added.isEmpty ? "edited by the user" : "edited and divided by the user"
    for segment in edit.revised {
      _ = try revise(
        segment.id, as: segment.withoutLabels, reason: reason, author: .person, isStep: true,
        session: session,
        in: database)
    }
    var last: [Int: Int] = [:]
    for var segment in edit.added {
      let divided = segment.id
      segment.id = try newSegment(after: last[divided] ?? divided, session, in: database)
      segment.revision = 0
      last[divided] = segment.id
      let plain = segment.withoutLabels
      try insert(
        plain, try data(of: plain), reason: "divided by the user", author: .person, isStep: true,
        session: session, in: database)
      try database.run(
        "INSERT INTO assignment SELECT session, ?, speaker FROM assignment WHERE session = ? AND segment = ?",
        .integer(segment.id), .integer(session), .integer(divided))
      try database.run(
        """
        INSERT INTO assigned_part (session, segment, start, "end", speaker)
          SELECT session, ?, start, "end", speaker FROM assigned_part WHERE session = ? AND segment = ? ORDER BY rowid
        """, .integer(segment.id), .integer(session), .integer(divided))
    }
  }
}

/// How segments change when a person edits their text.
struct SegmentsEdit {
  /// New versions of segments.
  private(set) var revised: [Segment] = []
  /// New segments in order, each with the ID of the segment from which it is divided off.
  private(set) var added: [Segment] = []
  private let originals: [Segment]

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
  ///   - locale: the language of segments that have none of their own.
  ///   - before: the segments before them on which their paragraphs depend.
  ///   - next: the segment after them, if a paragraph begins with it.
  init(
    _ paragraphs: [String], of shown: [(segment: Segment, written: Segment)], _ locale: String,
    before: [Segment], next: Segment?
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
    Self.mark(&parts, locale, after: before)
    originals = shown.map(\.segment) + (next.map { [$0] } ?? [])
    added = parts.filter(\.isAdded).map(\.segment)
    revised = parts.filter { !$0.isAdded }.map(\.segment).filter { !originals.contains($0) }
  }

  /// Whether all texts and paragraphs are so already. Other segments than those that were written are shown with other marks and
  /// capitals than before, if the text beside them has changed.
  func isStored(besides written: Set<Int>) -> Bool {
    added.isEmpty
      && revised.allSatisfy { new in
        guard let old = originals.first(where: { $0.id == new.id }), old.paragraph == new.paragraph else {
          return false
        }
        return old.text == new.text
          || !written.contains(new.id) && EchoWord.key(of: old.text) == EchoWord.key(of: new.text)
      }
  }

  /// Marks where a person's paragraphs begin and go on, if the pauses and the number of words say something else.
  private static func mark(_ parts: inout [Part], _ locale: String, after before: [Segment]) {
    func starts() -> Set<Int> { Paragraph.starts(of: before + parts.map(\.segment), in: locale) }
    var known = starts()
    for (index, part) in parts.enumerated() {
      guard let begins = part.begins, begins != known.contains(before.count + index) else { continue }
      parts[index].segment.paragraph = begins ? .begins : .continues
      known = starts()
    }
  }
}

extension Segment {
  /// The segment with another text in its place.
  fileprivate func edited(to part: EditedText.Part, shownAs written: Segment) -> Segment {
    // In writing without spaces between words, a space is a mark of its own.
    if part.kept == 0..<written.timedWords.count, part.text.betweenSpaces == written.text.betweenSpaces {
      return self
    }
    var new = self
    new.write(part, among: recognizedCandidates)
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
    new.write(parts[number], among: recognized)
    new.enclose(within: new.range, widens: false)
    return new
  }

  /// Selects a text that a person wrote.
  private mutating func write(_ part: EditedText.Part, among recognized: [Candidate]) {
    candidates =
      recognized
      + [Candidate(text: part.text, words: part.words, confidence: nil, source: Candidate.person)]
    selection = Selection(index: recognized.count, rule: RerankingRule.paragraph.rawValue)
  }
}

extension String {
  /// What is between the spaces of the line, whatever spaces they are.
  fileprivate var betweenSpaces: [String] {
    LineText.of(self).split(whereSeparator: \.isWhitespace).map(String.init)
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
