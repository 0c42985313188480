import Foundation
import Synchronization

/// Runs asynchronous work from a thread of libmicrohttpd, which waits for the result.
final class BlockingBridge<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  private init() {}

  /// Never call this from a task: it blocks the thread.
  /// - Throws: the error of the work.
  static func wait(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let bridge = BlockingBridge()
    Task {
      do {
        let value = try await work()
        bridge.result.withLock { $0 = .success(value) }
      } catch {
        bridge.result.withLock { $0 = .failure(error) }
      }
      bridge.done.signal()
    }
    bridge.done.wait()
    guard let result = bridge.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
