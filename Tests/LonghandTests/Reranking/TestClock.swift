import Synchronization

/// A clock that only `advance(by:)` moves, for code that sleeps.
final class TestClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: Int
    let end: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock forward, and wakes the tasks whose deadline has passed.
  func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let awake = state.sleepers.filter { $0.end <= now }
      state.sleepers.removeAll { $0.end <= now }
      return awake
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }

  /// Returns when a task sleeps.
  func untilSleeping() async {
    await withCheckedContinuation { continuation in
      let isSo = state.withLock { state in
        if state.sleepers.isEmpty { state.waiting.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isSo { continuation.resume() }
    }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (over, waiting) = state.withLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
          if state.cancelled.contains(id) { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleepers.append(Sleeper(id: id, end: deadline, continuation: continuation))
          defer { state.waiting = [] }
          return (nil, state.waiting)
        }
        if let over { continuation.resume(with: over) }
        for waiter in waiting { waiter.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        state.cancelled.insert(id)
        defer { state.sleepers.removeAll { $0.id == id } }
        return state.sleepers.first { $0.id == id }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
