import Longhand
import Synchronization

/// The unsure words and speakers of the session that was asked for last, so that going from one to the next does not read all of it again.
final class UnsureWordsCache: Sendable {
  private struct Known {
    var session = ""
    var sequence = -1
    var speakersRevision = -1
    var unsure = TranscriptStore.UnsureWords()
  }

  private let store: TranscriptStore
  private let known = Mutex(Known())

  init(_ store: TranscriptStore) { self.store = store }

  /// - Throws: `StoreError`.
  func words(of session: String) throws -> TranscriptStore.UnsureWords {
    let sequence = try store.status(of: session).sequence
    let speakersRevision = try store.speakersRevision(of: session)
    let before = known.withLock { $0 }
    if before.session == session, before.sequence == sequence, before.speakersRevision == speakersRevision {
      return before.unsure
    }
    let unsure = try store.unsureWords(of: session)
    known.withLock {
      $0 = Known(session: session, sequence: sequence, speakersRevision: speakersRevision, unsure: unsure)
    }
    return unsure
  }
}
