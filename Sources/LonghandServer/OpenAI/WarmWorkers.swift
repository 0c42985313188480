import Foundation

/// The workers that wait for their next job, on a clock that is passed in.
struct WarmWorkers<Worker> {
  /// Seconds that a worker waits.
  static var lifetime: TimeInterval { 600 }

  private var waiting: [(worker: Worker, since: TimeInterval)] = []

  /// The worker that has waited the shortest time, so that the others can end; nil if there is none.
  mutating func take() -> Worker? { waiting.popLast()?.worker }

  mutating func add(_ worker: Worker, now: TimeInterval) { waiting.append((worker, now)) }

  /// Removes those that have waited long enough.
  mutating func removeExpired(now: TimeInterval) -> [Worker] {
    let count = waiting.prefix { now - $0.since >= Self.lifetime }.count
    defer { waiting.removeFirst(count) }
    return waiting.prefix(count).map(\.worker)
  }

  mutating func removeAll() -> [Worker] {
    defer { waiting = [] }
    return waiting.map(\.worker)
  }
}
