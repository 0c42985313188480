import CoreMedia

/// The requests to finalize audio, and the modules that have not answered them yet: a pure value.
struct FinalizationLedger {
  /// A request that everything up to a time becomes final.
  struct Request: Equatable {
    var id: Int
    /// Nil for the end of the input.
    var through: CMTime?
    /// Whether the session ends afterwards.
    var isLast: Bool
  }

  private struct Flush {
    var id: Int
    var end: CMTime
    var modules: Set<Int>
  }

  /// The requests that wait for audio.
  private(set) var waiting: [Request] = []
  private var flushes: [Flush] = []

  /// Whether a request is not completed yet.
  func contains(_ id: Int) -> Bool {
    waiting.contains { $0.id == id } || flushes.contains { $0.id == id }
  }

  /// Whether a request waits for audio, not for recognition.
  func isWaiting(_ id: Int) -> Bool { waiting.contains { $0.id == id } }

  /// Whether a request waits for the end of the input.
  var waitsForEndOfInput: Bool { waiting.contains { $0.through == nil } }

  mutating func add(_ request: Request) { waiting.append(request) }

  /// Removes a request whose waiter was cancelled.
  mutating func forget(_ id: Int) {
    waiting.removeAll { $0.id == id }
    flushes.removeAll { $0.id == id }
  }

  /// Removes and returns the requests whose audio has arrived or will never arrive.
  mutating func due(end: CMTime?, isInputOver: Bool) -> [Request] {
    let due = waiting.filter { request in
      if isInputOver { return true }
      guard let through = request.through, let end else { return false }
      return through <= end
    }
    waiting.removeAll(where: due.contains)
    return due
  }

  /// Notes that `modules` were asked to commit everything up to `end`.
  mutating func begin(_ id: Int, end: CMTime, modules: Set<Int>) {
    flushes.append(Flush(id: id, end: end, modules: modules))
  }

  /// Notes that a module has answered a request; without an `id`, that it will not answer any more.
  mutating func answer(_ id: Int?, by module: Int) {
    for index in flushes.indices where id == nil || flushes[index].id == id {
      flushes[index].modules.remove(module)
    }
  }

  /// Removes the requests that every module has answered. Returns the end of the audio that is final now.
  mutating func completed() -> CMTime? {
    let done = flushes.filter(\.modules.isEmpty)
    flushes.removeAll(where: \.modules.isEmpty)
    return done.map(\.end).max()
  }
}
