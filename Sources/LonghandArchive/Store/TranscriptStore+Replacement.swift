import Foundation
import LonghandTranscripts

/// Words that are replaced at several places at once, of one session or of many. Each is a correction by hand.
extension TranscriptStore {
  /// A place where words are.
  package struct TextPlace: Sendable, Hashable {
    /// The ID of the session.
    package var session: String
    /// The segment, as it is now.
    package var segment: Segment
    /// The number of the segment in the order, from 0.
    package var number: Int
    /// The words in the segment.
    package var match: TextFinder.Match

    /// The same without the texts.
    package var wordPlace: WordPlace { WordPlace(segment: segment.id, number: number, words: match.words) }
  }

  /// The places where a text is, and where it is left because it is a part of a longer word.
  package struct TextPlaces: Sendable, Hashable {
    /// The newest session first.
    package var places: [TextPlace] = []
    /// The longer words, each with the number of its places.
    package var left: [String: Int] = [:]
  }

  /// A segment in which words were replaced.
  package struct Replacement: Sendable, Hashable, Codable {
    /// The ID of the session.
    package var session: String
    /// The ID of the segment.
    package var segment: Int
    /// The revision before.
    package var before: Int
    /// The revision with the new words.
    package var after: Int
  }

  /// Words of a segment that are to be replaced.
  package struct Replaced: Sendable, Hashable, Codable {
    /// The ID of the session.
    package var session: String
    /// The ID of the segment.
    package var segment: Int
    /// The index of the first word.
    package var first: Int
    /// The index after the last word.
    package var end: Int
    /// The revision of the segment to which the indices belong.
    package var revision: Int
    /// What stays before and after the text in its words, as in `TextFinder.Match`. The new text then has the capitals of the old
    /// one. Nil for words that are replaced as a whole, by the text as it is.
    package var prefix: String?
    package var suffix: String?
  }

  /// The places where a text is. Case and marks do not matter. Places do not overlap: after one, the search goes on behind
  /// its words.
  /// - Parameters:
  ///   - text: as it was typed.
  ///   - session: the ID of a session; nil for all.
  ///   - isWhole: whether parts of longer words are left.
  /// - Throws: `StoreError`.
  package func textPlaces(
    of text: String, in session: String?, isWhole: Bool = true
  ) throws -> TextPlaces {
    let finder = TextFinder(text, isWhole: isWhole)
    let parts = isWhole ? TextFinder(text, isWhole: false) : nil
    guard !finder.isEmpty else { return TextPlaces() }
    return try read { database in
      let sessions =
        try session.map { [($0, try self.number(of: $0, in: database))] }
        ?? database.rows(
          """
          SELECT id, number FROM session
          WHERE state <> 'erasing' AND EXISTS (
            SELECT 1 FROM current_segment WHERE session = session.number AND instr(lower(text), ?) > 0)
          ORDER BY start DESC, number DESC
          """, .text(finder.surePart)
        ) { ($0.text(0), $0.integer(1)) }
      return try sessions.reduce(into: TextPlaces()) { found, session in
        try self.find(finder, parts, session, &found, in: database)
      }
    }
  }

  private func find(
    _ finder: TextFinder, _ parts: TextFinder?, _ session: (id: String, number: Int),
    _ found: inout TextPlaces, in database: StoreDatabase
  ) throws {
    let segments = try database.rows(
      "SELECT * FROM current_segment WHERE session = ? AND instr(lower(text), ?) > 0 ORDER BY rank",
      // SQLite's `lower` knows ASCII only; other letters are compared below.
      .integer(session.number), .text(finder.surePart)
    ) { try self.revision($0).segment }
    let numbers = segments.isEmpty ? [:] : try self.numbers(of: session.number, in: database)
    for segment in segments {
      let words = segment.words.map(\.text)
      let matches = finder.matches(in: words)
      found.places += matches.map {
        TextPlace(session: session.id, segment: segment, number: numbers[segment.id] ?? 0, match: $0)
      }
      for part in parts?.matches(in: words) ?? []
      where !matches.contains(where: { $0.words.overlaps(part.words) }) {
        found.left[part.prefix + part.text + part.suffix, default: 0] += 1
      }
    }
  }

  /// Replaces words at places: at all of them or, if an error is thrown, at none.
  /// - Returns: the segments that were changed.
  /// - Throws: `StoreError`; `changed` if a segment has another revision, `invalid` if places have words in common.
  package func replace(_ places: [Replaced], with text: String) throws -> [Replacement] {
    guard places.allSatisfy({ $0.first < $0.end }) else {
      throw error(.invalid("a place has at least one word"))
    }
    return try write { database in
      try database.transaction {
        var replacements: [Replacement] = []
        for (session, places) in Dictionary(grouping: places, by: \.session).sorted(by: { $0.key < $1.key }) {
          let number = try self.number(of: session, in: database)
          replacements += try self.step(of: number, in: database) {
            try Dictionary(grouping: places, by: \.segment).sorted { $0.key < $1.key }.map { id, places in
              try self.replace(places, of: id, number, session, with: text, in: database)
            }
          }
        }
        return replacements
      }
    }
  }

  /// Replaces words of one segment.
  private func replace(
    _ places: [Replaced], of id: Int, _ number: Int, _ session: String, with text: String,
    in database: StoreDatabase
  ) throws -> Replacement {
    // From the end, so that the places before keep their indices.
    let places = places.sorted { $0.first > $1.first }
    guard zip(places, places.dropFirst()).allSatisfy({ $1.end <= $0.first && $1.revision == $0.revision })
    else {
      throw error(.invalid("places in segment \(id) overlap, or are of different revisions"))
    }
    let before = places.first?.revision ?? 0
    let words = try revisions(of: id, number, in: database).first { $0.segment.revision == before }?.segment
      .words.map(\.text)
    let after = try places.reduce(before) { revision, place in
      let range = place.first..<place.end
      let new = try self.text(text, at: place, of: words ?? [])
      return try correct(range, to: new, of: id, number, revision, in: database).revision
    }
    return Replacement(session: session, segment: id, before: before, after: after)
  }

  /// A text as it is written at a place.
  private func text(_ text: String, at place: Replaced, of words: [String]) throws -> String {
    let range = place.first..<place.end
    guard place.prefix != nil || place.suffix != nil, words.indices.contains(range.lowerBound),
      range.upperBound <= words.count
    else { return text }
    let match = TextFinder.match(at: range, of: words, place.prefix ?? "", place.suffix ?? "")
    guard let match else {
      throw error(.invalid("the words of segment \(place.segment) have another text beside what is replaced"))
    }
    return match.replaced(by: text)
  }

  /// Undoes replacements, except in segments that were changed since.
  /// - Returns: those that were undone.
  /// - Throws: `StoreError`.
  package func undo(_ replacements: [Replacement]) throws -> [Replacement] {
    try write { database in
      try database.transaction {
        try replacements.filter { one in
          guard let number = try? self.number(of: one.session, in: database),
            try self.current(one.segment, number, in: database)?.1.segment.revision == one.after
          else { return false }
          try self.beginStep(of: number, in: database)
          _ = try self.restore(one.before, of: one.segment, number, one.after, in: database)
          return true
        }
      }
    }
  }
}
