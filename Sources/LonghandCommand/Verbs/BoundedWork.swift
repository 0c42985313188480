import Foundation

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

/// Gives out what arrives in any order, in order.
struct InOrder<Element> {
  private var expected: ArraySlice<Int>
  private var arrived: [Int: Element] = [:]

  /// - Parameter expected: the indices in their order.
  init(_ expected: ArraySlice<Int>) { self.expected = expected }

  /// Takes an element, and gives out all whose turn has come.
  mutating func add(_ element: Element, at index: Int) -> [Element] {
    arrived[index] = element
    var ready: [Element] = []
    while let next = expected.first, let element = arrived.removeValue(forKey: next) {
      ready.append(element)
      expected.removeFirst()
    }
    return ready
  }
}

/// How much is done at once: so many inputs, and so many recognizers that share their pieces.
struct JobCount: Sendable, Hashable {
  /// The variable that tells the recognizers' pool its size.
  static let variable = "SPEECH_SERVICE_COUNT"

  /// The number.
  let count: Int
  private let wasGiven: Bool

  init(_ arguments: ParsedArguments) throws {
    let given = try arguments.integer(.jobs, in: 1...1024)
    count = given ?? ProcessInfo.processInfo.activeProcessorCount
    wasGiven = given != nil
  }

  /// Tells the pool, which asks once, before the first recognition. What the user set stands unless `--jobs` was given.
  func setServiceCount() { setenv(Self.variable, String(count), wasGiven ? 1 : 0) }
}
