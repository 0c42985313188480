import Foundation
import Synchronization
import Testing

@testable import Speech

@Suite struct ResultStreamTests {
  @Test func cancelledReaderLeavesLaterResultsToTheNext() async throws {
    let stream = ResultStream<Int>()
    stream.publish(1)
    let read = Mutex<[Int]>([])
    let reader = Task { for try await value in stream { read.withLock { $0.append(value) } } }
    while read.withLock(\.isEmpty) { await Task.yield() }
    reader.cancel()
    try await reader.value
    for value in 2...4 { stream.publish(value) }
    stream.finish(nil)
    var rest: [Int] = []
    for try await value in stream { rest.append(value) }
    #expect(read.withLock(\.self) == [1])
    #expect(rest == [2, 3, 4])
  }

  @Test func everyResultGoesToOneReaderInOrder() async throws {
    let stream = ResultStream<Int>()
    let count = 2000
    let readers = (0..<4).map { _ in
      Task {
        var values: [Int] = []
        for try await value in stream { values.append(value) }
        return values
      }
    }
    for value in 0..<count { stream.publish(value) }
    stream.finish(nil)
    stream.publish(-1)
    var all: [Int] = []
    for reader in readers {
      let values = try await reader.value
      #expect(values == values.sorted())
      all += values
    }
    #expect(all.sorted() == Array(0..<count))
  }

  @Test func errorIsThrownOnceAfterTheResults() async throws {
    let stream = ResultStream<Int>()
    stream.publish(1)
    stream.finish(SFSpeechError(.timeout))
    stream.finish(nil)
    let iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    await #expect { _ = try await iterator.next() } throws: { SFSpeechError.timeout ~= $0 }
    #expect(try await iterator.next() == nil)
    let waiting = ResultStream<Int>()
    let reader = Task { try await waiting.makeAsyncIterator().next() }
    waiting.finish(SFSpeechError(.timeout))
    await #expect { _ = try await reader.value } throws: { SFSpeechError.timeout ~= $0 }
  }
}
