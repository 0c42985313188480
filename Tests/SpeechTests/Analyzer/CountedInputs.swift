import Speech
import Synchronization

/// An input sequence that counts its requests.
struct CountedInputs: AsyncSequence, Sendable {
  /// The number of requests and of delivered inputs.
  final class Log: Sendable {
    private let counts = Mutex((asked: 0, given: 0))

    /// The number of requests, including one that still waits.
    var asked: Int { counts.withLock(\.asked) }
    /// The number of inputs that were delivered.
    var given: Int { counts.withLock(\.given) }

    fileprivate func ask() { counts.withLock { $0.asked += 1 } }
    fileprivate func give() { counts.withLock { $0.given += 1 } }
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let log: Log
    var base: AsyncStream<AnalyzerInput>.AsyncIterator

    mutating func next() async -> AnalyzerInput? {
      log.ask()
      let input = await base.next()
      if input != nil { log.give() }
      return input
    }
  }

  let log = Log()
  let base: AsyncStream<AnalyzerInput>

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(log: log, base: base.makeAsyncIterator()) }
}
