import Dispatch
import Foundation
import Synchronization

/// A small pool of connections that read a store. Each is opened when it is first needed, and used by one thread at a time.
final class StoreReaders: Sendable {
  /// The most connections. Those who read while all are in use wait.
  static let maxCount = 4

  private final class Reader: Sendable {
    let database = Mutex<StoreDatabase?>(nil)
  }

  private let file: URL
  private let pragmas: [StaticString]
  private let free = DispatchSemaphore(value: maxCount)
  /// The one that was used last is at the end, and is used next, so that few are opened.
  private let idle = Mutex((0..<maxCount).map { _ in Reader() })

  init(of file: URL, pragmas: [StaticString]) {
    self.file = file
    self.pragmas = pragmas
  }

  /// Runs `body` with a connection that no other thread uses.
  func withConnection<Result: Sendable>(
    _ body: @Sendable (StoreDatabase) throws -> Result
  ) throws -> Result {
    free.wait()
    defer { free.signal() }
    let reader = idle.withLock { $0.popLast() } ?? Reader()
    defer { idle.withLock { $0.append(reader) } }
    return try reader.database.withLock { database in
      let connection = try database ?? StoreDatabase.open(file, role: .reader, pragmas: pragmas)
      database = connection
      return try body(connection)
    }
  }
}
