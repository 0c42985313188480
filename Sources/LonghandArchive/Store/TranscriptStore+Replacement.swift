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
    /// The indices of the words in the segment.
    package var words: Range<Int>
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
  }

  /// The places where words are, as `places(of:in:)` finds them: the newest session first.
  /// - Parameters:
  ///   - text: the words.
  ///   - session: the ID of a session; nil for all.
  /// - Throws: `StoreError`.
  package func textPlaces(of text: String, in session: String?) throws -> [TextPlace] {
    // The search finds at least the same words, and knows where without reading everything.
    let sessions = try session.map { [$0] } ?? search(text, limit: .max).map(\.session).withoutRepetition
    return try read { database in
      try sessions.flatMap { session in
        try self.matches(of: text, self.number(of: session, in: database), in: database).map {
          TextPlace(session: session, segment: $0.segment, number: $0.number, words: $0.words)
        }
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
    let after = try places.reduce(before) { revision, place in
      try correct(place.first..<place.end, to: text, of: id, number, revision, in: database).revision
    }
    return Replacement(session: session, segment: id, before: before, after: after)
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

extension [String] {
  /// Without elements that equal the one before.
  fileprivate var withoutRepetition: [String] {
    indices.filter { $0 == 0 || self[$0] != self[$0 - 1] }.map { self[$0] }
  }
}
