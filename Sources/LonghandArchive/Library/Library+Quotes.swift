import Foundation
import LonghandTranscripts
import LonghandVocabulary

/// Whether quotes were said, and where.
package struct QuoteAnswers: Sendable {
  /// One for each quote, in their order.
  package var quotes: [QuoteAnswer]
  /// Seconds of the sessions of which no words are known. What is `notSaid` may have been said there.
  package var unheard: TimeInterval
}

/// Whether a quote was said, and where.
package struct QuoteAnswer: Sendable {
  /// A passage of a session that is like the quote.
  package struct Place: Sendable {
    /// The ID of the session.
    package var session: String
    package var passage: QuoteCheck.Place
    /// The names of the speakers that are known.
    package var speakers: [String]
  }

  package var quote: String
  package var verdict: QuoteCheck.Verdict
  /// The number of places with this verdict.
  package var count: Int
  /// The best places with this verdict; of the same ones those of the newest session first.
  package var places: [Place]
}

extension Library {
  /// The most quotes that are checked at once.
  package static let maxQuotes = 100
  /// The most characters of a quote.
  package static let maxQuote = 5000
  /// The most characters of all quotes.
  package static let maxQuoted = 50_000
  /// Places of a quote that an answer names.
  private static let maxQuotePlaces = 5

  /// Finds out whether quotes were said, in the sessions that a filter takes. Only what was recognized, or what a person corrected,
  /// counts as said; second texts do not.
  /// - Throws: `QuoteError` if a quote cannot be looked for; `StoreError`.
  package func check(_ quotes: [String], in filter: SessionFilter) throws -> QuoteAnswers {
    guard !quotes.isEmpty else {
      throw QuoteError(problem: "There is no quote.", remedy: "Send at least one.")
    }
    guard quotes.count <= Self.maxQuotes else {
      throw QuoteError(
        problem: "There are \(quotes.count) quotes.", remedy: "Send at most \(Self.maxQuotes) at once.")
    }
    let total = quotes.reduce(0) { $0 + $1.count }
    let checks = try quotes.enumerated().map { index, quote in
      guard quote.count <= Self.maxQuote else {
        throw QuoteError(
          problem: "Quote \(index + 1) has \(quote.count) characters.",
          remedy: "Send at most \(Self.maxQuote), for example each sentence as a quote.")
      }
      let check = QuoteCheck(quote)
      guard !check.isEmpty else {
        throw QuoteError(
          problem: "Quote \(index + 1) has no words.", remedy: "Send the words that were said.")
      }
      return check
    }
    guard total <= Self.maxQuoted else {
      throw QuoteError(
        problem: "The quotes have \(total) characters together.",
        remedy: "Send at most \(Self.maxQuoted) at once.")
    }
    let answers = try zip(quotes, checks).map { quote, check in
      try Task.checkCancellation()
      return try answer(quote, check, filter)
    }
    return QuoteAnswers(quotes: answers, unheard: try store.unheardSeconds(in: filter))
  }

  private func answer(_ quote: String, _ check: QuoteCheck, _ filter: SessionFilter) throws -> QuoteAnswer {
    let passages = try store.read { database in
      try QuoteSearch(store: store, database: database, filter: filter).passages(
        of: quote, count: check.count)
    }
    var found: [(session: RecordedSession, place: QuoteCheck.Place)] = []
    for passage in passages {
      for place in check.places(in: passage.segments, passage.spans, locale: passage.session.locale) {
        let isKnown = found.contains {
          $0.session.id == passage.session.id && $0.place.start < place.end && place.start < $0.place.end
            && $0.place.segments == place.segments
        }
        if !isKnown { found.append((passage.session, place)) }
      }
    }
    guard let verdict = found.map(\.place.verdict).min() else {
      return QuoteAnswer(quote: quote, verdict: .notSaid, count: 0, places: [])
    }
    let best = found.filter { $0.place.verdict == verdict }.sorted { left, right in
      (left.place.share, left.session.start, right.place.start)
        > (right.place.share, right.session.start, left.place.start)
    }
    let places = try best.prefix(Self.maxQuotePlaces).map { session, place in
      let names = try store.speakers(of: session.id).named.filter { place.speakers.contains($0.id) }
      return QuoteAnswer.Place(session: session.id, passage: place, speakers: names.map(\.name))
    }
    return QuoteAnswer(quote: quote, verdict: verdict, count: best.count, places: places)
  }
}

/// Why quotes cannot be checked.
package struct QuoteError: Error, Hashable, CustomStringConvertible {
  package var problem: String
  package var remedy: String
  package var description: String { "\(problem) \(remedy)" }
}

extension QuoteAnswers {
  /// The answer as the API gives it.
  package var members: [(key: String, value: JSONValue)] {
    [("quotes", .array(quotes.map(\.document))), ("unheard", .seconds(unheard))]
  }
}

extension QuoteAnswer {
  /// The answer as the API and the tools for agents give it.
  package var document: JSONValue {
    .object([
      ("quote", .string(quote)), ("verdict", .string(verdict.rawValue)), ("count", .integer(count)),
      ("places", .array(places.map(\.document))),
    ])
  }
}

extension QuoteAnswer.Place {
  fileprivate var document: JSONValue {
    .object([
      ("session", .string(session)), ("key", .integer(passage.segments[0])),
      ("keys", .array(passage.segments.map(JSONValue.integer))), ("start", .seconds(passage.start)),
      ("end", .seconds(passage.end)), ("speakers", .array(speakers.map(JSONValue.string))),
      ("heard", .string(passage.heard)), ("confidence", .confidence(passage.confidence)),
      (
        "differences",
        .array(
          passage.differences.map { difference in
            .object([
              ("quoted", .string(difference.quoted)), ("heard", .string(difference.heard)),
              ("verdict", .string(difference.verdict.rawValue)), ("start", .seconds(difference.start)),
              ("end", .seconds(difference.end)), ("confidence", .confidence(difference.confidence)),
              ("reason", .string(difference.reason)),
            ])
          })
      ),
    ])
  }
}
