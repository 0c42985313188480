import Foundation
import Longhand
import Synchronization

/// Searches in all transcripts, one after the other, so that they leave the store's other connections to other requests.
///
/// A page searches at each letter and gives up the search before. Such a search ends early; otherwise those of a word would
/// pile up.
final class TranscriptSearch: Sendable {
  /// Hits that are written in sentences at a time.
  private static let portion = 10

  private let library: Library
  private let turn = Mutex(())
  private let waiting = Atomic(0)

  init(_ library: Library) { self.library = library }

  /// Whether a client may still read the answer. One that has closed its connection may only have ended its sending side;
  /// it counts as gone when other searches wait.
  static func isWanted(_ presence: ClientPresence, waiting: Int) -> Bool {
    switch presence {
    case .open: true
    case .silent: waiting == 0
    case .gone: false
    }
  }

  /// What is looked for.
  enum Query {
    /// Words.
    case words(String)
    /// A name of the vocabulary, also where it was recognized wrongly.
    case term(String)
  }

  /// The first hits, written in sentences.
  ///
  /// - Parameters:
  ///   - query: what to find.
  ///   - filter: which sessions count.
  ///   - speaker: the name of the speaker, in any case; nil for all speakers.
  ///   - limit: the most hits.
  ///   - client: who waits for them.
  /// - Throws: `StoreError`; `HTTPError` if the client has gone.
  func hits(
    _ query: Query, of filter: SessionFilter, saidBy speaker: String?, limit: Int, for client: any HTTPClient
  ) throws -> [SearchHit] {
    waiting.add(1, ordering: .relaxed)
    return try turn.withLock { _ in
      waiting.subtract(1, ordering: .relaxed)
      try checkWanted(client)
      let found =
        if let speaker {
          try library.store.hits(
            saidBy: speaker, limit: limit, among: { try find(query, of: filter, limit: $0) },
            check: { try checkWanted(client) })
        } else { try find(query, of: filter, limit: limit) }
      var written: [SearchHit] = []
      for first in stride(from: 0, to: found.count, by: Self.portion) {
        try checkWanted(client)
        written += try library.store.written(Array(found.dropFirst(first).prefix(Self.portion)))
      }
      return written
    }
  }

  private func checkWanted(_ client: any HTTPClient) throws {
    guard Self.isWanted(client.presence, waiting: waiting.load(ordering: .relaxed)) else {
      throw HTTPError(
        .unavailable, "The connection was closed and other searches waited. Repeat the search.",
        code: "abandoned")
    }
  }

  private func find(_ query: Query, of filter: SessionFilter, limit: Int) throws -> [SearchHit] {
    switch query {
    case .words(let text): try library.store.search(text, of: filter, limit: limit)
    case .term(let term): try library.store.search(term: term, of: filter, limit: limit)
    }
  }
}
