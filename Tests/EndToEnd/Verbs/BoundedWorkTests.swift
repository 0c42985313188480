import Synchronization
import Testing

@testable import LonghandCommand

@Suite struct BoundedWorkTests {
  @Test(arguments: [1, 3, 100]) func resultsKeepTheirOrderAndTheLimitIsKept(_ limit: Int) async throws {
    let running = Mutex((now: 0, max: 0))
    var received: [Int] = []
    let indices = Array(stride(from: 0, to: 40, by: 2))
    try await BoundedWork.run(indices, atOnce: limit) { index in
      running.withLock {
        $0.now += 1
        $0.max = max($0.max, $0.now)
      }
      // Later inputs finish first.
      try await Task.sleep(for: .milliseconds((40 - index) / 4))
      running.withLock { $0.now -= 1 }
      return index
    } receive: {
      received.append($0)
    }
    #expect(received == indices)
    #expect(running.withLock(\.max) <= limit)
  }

  @Test func firstErrorCancelsTheRest() async {
    struct Wrong: Error {}
    let wasCancelled = Mutex(false)
    await #expect(throws: Wrong.self) {
      try await BoundedWork.run([0, 1], atOnce: 2) { index in
        if index == 0 { throw Wrong() }
        do { try await Task.sleep(for: .seconds(60)) } catch { wasCancelled.withLock { $0 = true } }
      } receive: { _ in
      }
    }
    #expect(wasCancelled.withLock { $0 })
  }
}
