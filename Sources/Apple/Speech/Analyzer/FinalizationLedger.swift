import CoreMedia

/// Who waits for audio to be final, and for what: a pure value.
struct FinalizationLedger {
  /// A wish that everything up to a time be final.
  struct Request: Equatable {
    var id: Int
    /// Nil: to the end of the input.
    var through: CMTime?
    /// No more audio is wanted.
    var isLast: Bool
  }

  private struct Flush {
    var id: Int
    var end: CMTime
    var modules: Set<Int>
  }

  private var waiting: [Request] = []
  private var flushes: [Flush] = []

  /// Whether a request is not answered yet.
  func contains(_ id: Int) -> Bool {
    waiting.contains { $0.id == id } || flushes.contains { $0.id == id }
  }

  mutating func add(_ request: Request) { waiting.append(request) }

  /// Nobody waits for this one any more.
  mutating func forget(_ id: Int) {
    waiting.removeAll { $0.id == id }
    flushes.removeAll { $0.id == id }
  }

  /// Takes out the requests whose audio is there, or will never come.
  mutating func due(end: CMTime?, isInputOver: Bool) -> [Request] {
    let due = waiting.filter { request in
      if isInputOver { return true }
      guard let through = request.through, let end else { return false }
      return through <= end
    }
    waiting.removeAll(where: due.contains)
    return due
  }

  /// `modules` have been asked to commit everything up to `end`.
  mutating func begin(_ id: Int, end: CMTime, modules: Set<Int>) {
    flushes.append(Flush(id: id, end: end, modules: modules))
  }

  /// A module has answered a request, or, without an `id`, will answer none any more.
  mutating func answer(_ id: Int?, by module: Int) {
    for index in flushes.indices where id == nil || flushes[index].id == id {
      flushes[index].modules.remove(module)
    }
  }

  /// Takes out the requests that every module has answered; gives up to where all is final now.
  mutating func completed() -> CMTime? {
    let done = flushes.filter(\.modules.isEmpty)
    flushes.removeAll(where: \.modules.isEmpty)
    return done.map(\.end).max()
  }
}
