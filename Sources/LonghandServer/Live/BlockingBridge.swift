import Foundation
import Synchronization

/// Waits on a thread that is none of Swift's own for work that runs on those.
final class BlockingBridge<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  private init() {}

  /// - Throws: what the work throws.
  static func wait(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let waiting = BlockingBridge()
    Task {
      do {
        let value = try await work()
        waiting.result.withLock { $0 = .success(value) }
      } catch {
        waiting.result.withLock { $0 = .failure(error) }
      }
      waiting.done.signal()
    }
    waiting.done.wait()
    guard let result = waiting.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
