import Foundation
import LonghandTranscripts
import LonghandVocabulary

extension TranscriptStore {
  /// Selects a candidate of a segment because a person chose it, as a new revision. A candidate that a rule selected before
  /// gets that rule again.
  ///
  /// A new decoding does not replace the choice. The segment becomes longer if the candidate's words need that, as far as
  /// its neighbours allow.
  ///
  /// - Parameters:
  ///   - index: the index of the candidate.
  ///   - id: the ID of the segment.
  ///   - session: the ID of the session.
  ///   - expected: the current revision of the segment, as the caller knows it; nil for any.
  /// - Returns: the new version of the segment.
  /// - Throws: `StoreError`; `changed` if the segment has another revision.
  @discardableResult public func choose(
    _ index: Int, of id: Int, in session: String, ifRevision expected: Int? = nil
  ) throws -> Segment {
    try step(of: session) { number, database in
      try self.choose(index, of: id, number, expected, in: database)
    }
  }

  /// The same in a transaction.
  func choose(
    _ index: Int, of id: Int, _ session: Int, _ expected: Int? = nil, in database: StoreDatabase
  ) throws -> Segment {
    let revisions = try revisions(of: id, session, in: database).map(\.segment)
    try check(expected, revisions.last?.revision ?? 0)
    let all = revisions.last?.candidates ?? []
    // What a person wrote is not among the candidates any more, unless that would change the numbers before it.
    let written = all.firstIndex { $0.source == Candidate.person } ?? all.endIndex
    let candidates = index < written ? all.filter { $0.source != Candidate.person } : all
    // Only times may differ, those of the words of another choice, and what a person composed of the candidates. The
    // index of one of these may have been that of a correction.
    let texts = candidates.recognizedTexts
    let text = candidates.indices.contains(index) ? candidates[index].text : nil
    let earlier = revisions.last { segment in
      segment.selection.index == index && segment.selection.rule != RerankingRule.user.rawValue
        && segment.text == text && segment.candidates.recognizedTexts == texts
    }
    // What a person wrote stays labelled as such.
    let isWritten = candidates.indices.contains(index) && candidates[index].source == Candidate.person
    let rule = isWritten ? revisions.last?.personsRule ?? .correction : .user
    return try revise(
      id, session, candidates: earlier?.candidates ?? candidates,
      selection: earlier?.selection ?? Segment.Selection(index: index, rule: rule.rawValue),
      range: earlier?.range, reason: "chosen by the user", author: .person, in: database)
  }

  /// Replaces words of a segment by those of an alternative because a person chose it, as a new revision: see
  /// `Segment.wordAlternatives`. The whole text becomes a new candidate, which is labelled as composed and names the words
  /// of the recognizer's candidates that it consists of, see `CandidateComposition`. If a person wrote some of these,
  /// it is labelled as a person's. If a candidate has this text already, that candidate is chosen.
  ///
  /// ```swift
  /// let segment = try store.segment(3, in: session)
  /// if let other = segment.wordAlternatives[2].first { try store.choose(other, of: 3, in: session) }
  /// ```
  ///
  /// - Parameters:
  ///   - alternative: one of the alternatives of the current version of the segment.
  ///   - id: the ID of the segment.
  ///   - session: the ID of the session.
  ///   - expected: the current revision of the segment, as the caller knows it; nil for any.
  /// - Returns: the new version of the segment.
  /// - Throws: `StoreError`, also if the segment does not have the alternative any more; `changed` if it has another
  ///   revision.
  @discardableResult public func choose(
    _ alternative: WordAlternative, of id: Int, in session: String, ifRevision expected: Int? = nil
  ) throws -> Segment {
    try step(of: session) { number, database in
      guard let segment = try self.current(id, number, in: database)?.1.segment else {
        throw self.error(.noSegment(id))
      }
      try self.check(expected, segment.revision)
      guard segment.wordAlternatives.contains(where: { $0.contains(alternative) }) else {
        throw self.error(
          .invalid("segment \(id) has no alternative \"\(alternative.text)\" for these words"))
      }
      let composed = segment.composed(with: alternative)
      if let index = segment.candidates.firstIndex(where: { $0.text == composed.text }) {
        return try self.choose(index, of: id, number, in: database)
      }
      let isPersons = composed.source == Candidate.person
      let others = isPersons ? segment.recognizedCandidates : segment.candidates
      let rule = isPersons ? segment.personsRule : .user
      return try self.revise(
        id, number, candidates: others + [composed],
        selection: Segment.Selection(index: others.count, rule: rule.rawValue),
        reason: "a word chosen by the user", author: .person, in: database)
    }
  }

  /// Makes an earlier version of a segment the current one, as a new revision by a person. A new decoding does not replace
  /// it. Its times are cut where the neighbours have other times now. Segments that were divided off it since stay
  /// without words: the earlier version has these words.
  ///
  /// ```swift
  /// for revision in try store.revisions(of: 3, in: session) { print(revision.segment.revision, revision.author) }
  /// try store.restore(0, of: 3, in: session)
  /// ```
  ///
  /// - Parameters:
  ///   - revision: the number of the version, see `revisions(of:in:)`.
  ///   - id: the ID of the segment.
  ///   - session: the ID of the session.
  ///   - expected: the current revision of the segment, as the caller knows it; nil for any.
  /// - Returns: the new version of the segment.
  /// - Throws: `StoreError`; `changed` if the segment has another revision.
  @discardableResult public func restore(
    _ revision: Int, of id: Int, in session: String, ifRevision expected: Int? = nil
  ) throws -> Segment {
    try step(of: session) { number, database in
      try self.restore(revision, of: id, number, expected, in: database)
    }
  }

  /// The same in a transaction.
  func restore(
    _ revision: Int, of id: Int, _ session: Int, _ expected: Int?, in database: StoreDatabase
  ) throws -> Segment {
    let revisions = try revisions(of: id, session, in: database).map(\.segment)
    guard let earlier = revisions.first(where: { $0.revision == revision }) else {
      throw error(.noSegment(id))
    }
    try check(expected, revisions.last?.revision ?? 0)
    let reason = "revision \(revision) restored by the user"
    let divided = try dividedOff(id, since: revision, session, in: database)
    let restored = try revise(
      id, session, candidates: earlier.candidates, selection: earlier.selection, range: earlier.range,
      reason: reason, author: .person, inPlaceOf: divided, in: database)
    for part in divided {
      guard let old = try current(part, session, in: database)?.1.segment, !old.text.isEmpty else { continue }
      var empty = old.withoutWords
      (empty.start, empty.end) = (restored.end, restored.end)
      empty = try revise(
        part, as: empty, reason: reason, author: .person, isStep: true, session: session, in: database)
      try updateCoverage(from: old, to: empty, session, in: database)
    }
    return restored
  }

  /// Adds a revision of a segment with another selection or other candidates. Earlier revisions stay, see
  /// `revisions(of:in:)`. The coverage of the session follows the segment's range.
  ///
  /// - Parameters:
  ///   - id: the ID of the segment.
  ///   - session: the ID of the session.
  ///   - candidates: the candidates; nil for those of the current revision.
  ///   - selection: the selected candidate.
  ///   - range: seconds from the start of the audio; nil for those of the current revision. It is made longer for the words
  ///     of the selected candidate, and cut where the segments before and after it are.
  ///   - reason: the reason, for a reader.
  ///   - author: who made the revision. A new decoding does not replace the revision of a person.
  /// - Returns: the new version of the segment.
  /// - Throws: `StoreError`.
  @discardableResult public func revise(
    _ id: Int, in session: String, candidates: [Candidate]? = nil, selection: Segment.Selection,
    range: ClosedRange<TimeInterval>? = nil, reason: String, author: SegmentRevision.Author = .recognizer
  ) throws -> Segment {
    let change = { @Sendable (number: Int, database: StoreDatabase) throws -> Segment in
      try self.revise(
        id, number, candidates: candidates, selection: selection, range: range, reason: reason,
        author: author,
        in: database)
    }
    if author == .person { return try step(of: session, change) }
    return try write { database in
      try database.transaction { try change(self.number(of: session, in: database), database) }
    }
  }

  /// The same in a transaction.
  /// - Parameter others: segments after it whose time it may take.
  func revise(
    _ id: Int, _ session: Int, candidates: [Candidate]? = nil, selection: Segment.Selection,
    range: ClosedRange<TimeInterval>? = nil, reason: String, author: SegmentRevision.Author,
    inPlaceOf others: [Int] = [], in database: StoreDatabase
  ) throws -> Segment {
    guard let old = try current(id, session, in: database)?.1.segment else { throw error(.noSegment(id)) }
    let candidates = candidates ?? old.candidates
    guard candidates.indices.contains(selection.index) else {
      throw error(.invalid("segment \(id) has no candidate \(selection.index), only \(candidates.count)"))
    }
    let range = range ?? old.range
    var new = Segment(
      id: id, start: range.lowerBound, end: range.upperBound, candidates: candidates, selection: selection,
      channel: old.channel)
    new.paragraph = old.paragraph
    let start = try segment(before: old, session, in: database)?.end ?? -.infinity
    let end = try segment(after: old, besides: others, session, in: database)?.start ?? .infinity
    new.enclose(within: start...max(start, end), widens: true)
    new = try revise(
      id, as: new, reason: reason, author: author, isStep: author == .person, session: session, in: database)
    try updateCoverage(from: old, to: new, session, in: database)
    return new
  }

  /// The segment before another on its channel that has a text.
  func segment(before segment: Segment, _ session: Int, in database: StoreDatabase) throws -> Segment? {
    try database.row(
      """
      SELECT * FROM current_segment
      WHERE session = ?1 AND rank < (SELECT rank FROM segment WHERE session = ?1 AND key = ?2)
        AND channel IS ?3 AND text <> ''
      ORDER BY rank DESC LIMIT 1
      """, .integer(session), .integer(segment.id), StoreValue(segment.channel)
    ) { try self.revision($0).segment }
  }

  /// The segment after another on its channel that has a text.
  func segment(
    after segment: Segment, besides others: [Int] = [], _ session: Int, in database: StoreDatabase
  ) throws -> Segment? {
    try database.row(
      """
      SELECT * FROM current_segment
      WHERE session = ?1 AND rank > (SELECT rank FROM segment WHERE session = ?1 AND key = ?2)
        AND channel IS ?3 AND text <> '' AND segment NOT IN (SELECT value FROM json_each(?4))
      ORDER BY rank LIMIT 1
      """, .integer(session), .integer(segment.id), StoreValue(segment.channel), .text("\(others)")
    ) { try self.revision($0).segment }
  }

  /// Adds a revision of a segment, whatever its neighbours are.
  func revise(
    _ id: Int, as segment: Segment, reason: String, author: SegmentRevision.Author, isStep: Bool = false,
    session: Int, in database: StoreDatabase
  ) throws -> Segment {
    guard let (key, old) = try current(id, session, in: database) else { throw error(.noSegment(id)) }
    var new = segment
    (new.id, new.revision) = (id, old.segment.revision + 1)
    try removeFromIndex(key, old.segment.text, in: database)
    try insert(
      new, try data(of: new), reason: reason, author: author, isStep: isStep, session: session, in: database)
    return new
  }
}

extension [Candidate] {
  /// The texts of the recognizer's candidates.
  fileprivate var recognizedTexts: [String] {
    filter { $0.composition == nil && $0.source != Candidate.person }.map(\.text)
  }
}

/// A change of a session by a new decoding.
enum SegmentEdit: Sendable {
  /// A new version of the segment with this ID. It does not become the current one if a person made that.
  case revise(Int, Segment)
  /// A new segment after the segment with this ID, or at the beginning; behind those that were inserted there before it.
  case insert(after: Int?, Segment)
  /// The segment with this ID, which a person divided off another one and took back, stays without words, at a time.
  case leaveEmpty(Int, at: TimeInterval)
}

extension TranscriptStore {
  /// Changes the segments of a session, its coverage and its properties: all of it or, if an error is thrown, nothing.
  ///
  /// - Parameters:
  ///   - edits: in the order of the segments.
  ///   - reason: the reason, for a reader.
  ///   - spans: the coverage.
  ///   - session: the session with its new properties.
  ///   - spellings: what the second text of all segments is written by from now on.
  ///   - others: other changes of the session, before these.
  /// - Returns: the segments that are new or changed, and those of a person that stay.
  /// - Throws: `StoreError`.
  func apply(
    _ edits: [SegmentEdit], reason: String, _ spans: [CoverageSpan], to session: RecordedSession,
    spellings: Vocabulary?,
    after others: @Sendable (_ session: Int, StoreDatabase) throws -> Void = { _, _ in }
  ) throws -> (changed: [Segment], kept: [Segment]) {
    let spans = try checked(spans, from: 0)
    return try write { database in
      try database.transaction {
        let number = try self.number(of: session.id, in: database)
        try others(number, database)
        let assigned = try self.assignedTurns(of: number, in: database)
        let parts = try self.assignedParts(of: number, in: database)
        var (changed, kept): ([Segment], [Segment]) = ([], [])
        var last: [Int?: Int] = [:]
        for edit in edits {
          switch edit {
          case .insert(let before, var segment):
            segment.id = try self.newSegment(after: last[before] ?? before, number, in: database)
            segment.revision = 0
            last[before] = segment.id
            try self.insert(
              segment, try self.data(of: segment), reason: reason, session: number, in: database)
            // If other channels are transcribed than before, their segments are new.
            let middle = (segment.start + segment.end) / 2
            let own = assigned.last {
              $0.isAbout(segment.channel) && $0.start < middle && middle < $0.end
            }
            if let own { try self.assign(segment.id, to: own.speaker, number, in: database) }
            for (part, channel) in parts
            where (channel == nil || segment.channel == nil || channel == segment.channel)
              && part.start < segment.end && segment.start < part.end
            {
              var part = part
              part.segment = segment.id
              try self.assign(part, number, in: database)
            }
            changed.append(segment)
          case .revise(let id, let segment):
            guard let (_, own) = try self.current(id, number, in: database) else {
              throw self.error(.noSegment(id))
            }
            let new = try self.revise(
              id, as: segment, reason: reason, author: .recognizer, session: number, in: database)
            guard own.author == .person else {
              changed.append(new)
              continue
            }
            kept.append(
              try self.revise(
                id, as: own.segment, reason: "kept instead of revision \(new.revision)", author: .person,
                session: number, in: database))
          case .leaveEmpty(let id, let time):
            guard var empty = try self.current(id, number, in: database)?.1.segment else {
              throw self.error(.noSegment(id))
            }
            (empty.start, empty.end) = (time, time)
            // What was recognized there before is now said by the segment that it was divided off.
            let none = Segment(
              id: id, start: time, end: time, candidates: [Candidate(text: "", words: [])],
              channel: empty.channel)
            _ = try self.revise(
              id, as: none, reason: reason, author: .recognizer, session: number, in: database)
            _ = try self.revise(
              id, as: empty, reason: reason, author: .person, session: number, in: database)
          }
        }
        try self.replaceCoverage(spans, from: 0, of: number, in: database)
        try self.update(session, number, in: database)
        try self.setSpellings(spellings, of: number, in: database)
        return (changed, kept)
      }
    }
  }
}
