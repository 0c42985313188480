import Synchronization

/// What a stream of snapshots stands on: it asks once, and remembers the answer.
final class ResponseSource: Sendable {
  enum Progress: Sendable {
    case text(String)
    case done(RawResponse)
  }

  typealias Generate = @Sendable (_ report: (String) -> Void) async throws -> RawResponse

  private let generate: Generate
  private let answer = Mutex<RawResponse?>(nil)

  init(_ generate: @escaping Generate) { self.generate = generate }

  /// The answer, once it is there.
  var finished: RawResponse? { answer.withLock { $0 } }

  /// Asks, or gives the answer that is there. Who is slow sees the newest alone. The request ends with the stream.
  func progress() -> AsyncThrowingStream<Progress, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      if let finished {
        continuation.yield(.done(finished))
        continuation.finish()
        return
      }
      let task = Task {
        do {
          let response = try await generate { continuation.yield(.text($0)) }
          answer.withLock { $0 = response }
          continuation.yield(.done(response))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
