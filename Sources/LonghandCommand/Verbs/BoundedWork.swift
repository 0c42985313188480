/// Work on many things of which only some are in hand at once.
enum BoundedWork {
  /// Does `work` for every index, and hands the results on in the order of `indices`.
  ///
  /// The first error of either closure cancels what is still running and is thrown when that has ended.
  ///
  /// - Parameters:
  ///   - indices: what is to be done, in the order in which it is begun.
  ///   - limit: how much is in hand at once, at least 1.
  ///   - work: does one thing, beside others.
  ///   - receive: takes one result; never called twice at once.
  static func run<Output: Sendable>(
    _ indices: [Int], atOnce limit: Int, work: @escaping @Sendable (Int) async throws -> Output,
    receive: (Output) throws -> Void
  ) async throws {
    var waiting = indices[...]
    var inOrder = InOrder<Output>(indices[...])
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
      for index in waiting.prefix(limit) { group.addTask { (index, try await work(index)) } }
      waiting = waiting.dropFirst(limit)
      while let (index, output) = try await group.next() {
        if let next = waiting.popFirst() { group.addTask { (next, try await work(next)) } }
        for ready in inOrder.add(output, at: index) { try receive(ready) }
      }
    }
  }
}
