import Synchronization
import Testing

@testable import LonghandCommand

@Suite struct BoundedWorkTests {
  @Test(arguments: [1, 3, 100]) func resultsComeInOrderAndNeverTooManyAtOnce(_ limit: Int) async throws {
    let running = Mutex((now: 0, most: 0))
    var received: [Int] = []
    let indices = Array(stride(from: 0, to: 40, by: 2))
    try await BoundedWork.run(indices, atOnce: limit) { index in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      // The later ones are done first.
      try await Task.sleep(for: .milliseconds((40 - index) / 4))
      running.withLock { $0.now -= 1 }
      return index
    } receive: {
      received.append($0)
    }
    #expect(received == indices)
    #expect(running.withLock(\.most) <= limit)
  }

  @Test func theFirstErrorEndsTheRest() async {
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
