import Speech
import Synchronization

/// Inputs of which it is known how many were asked for.
struct CountedInputs: AsyncSequence, Sendable {
  /// What happened to the sequence.
  final class Log: Sendable {
    private let counts = Mutex((asked: 0, given: 0))

    /// How often somebody asked for another one, and waits for it maybe.
    var asked: Int { counts.withLock(\.asked) }
    /// How many were handed over.
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
