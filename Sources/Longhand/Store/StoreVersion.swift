import Foundation
import Synchronization

/// Tells whether anybody has written to a store, in this process or another, without reading any of it: it can be asked
/// a hundred times a second.
package final class StoreVersion: Sendable {
  private let database: Mutex<StoreDatabase>

  /// - Throws: `StoreError`.
  package init(of store: TranscriptStore) throws {
    database = Mutex(try StoreDatabase(store.file, role: .reader))
  }

  /// A number that is another one after every commit.
  /// - Throws: `StoreError`.
  package func current() throws -> Int {
    try database.withLock { try $0.row("PRAGMA data_version") { $0.integer(0) } ?? 0 }
  }
}
