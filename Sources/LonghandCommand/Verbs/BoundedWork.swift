import Foundation

/// Runs work on many inputs, a limited number at a time.
enum BoundedWork {
  /// Runs `work` for every index, and passes the results to `receive` in the order of `indices`.
  ///
  /// The first error of either closure cancels the running work, and is thrown when that work has ended.
  ///
  /// - Parameters:
  ///   - indices: the inputs, in the order in which they are started.
  ///   - limit: the number of inputs at a time, at least 1.
  ///   - work: processes one input, concurrently with others.
  ///   - receive: receives one result; its calls never overlap.
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

/// Brings results that arrive in any order into the order of their indices.
private struct InOrder<Element> {
  private var expected: ArraySlice<Int>
  private var arrived: [Int: Element] = [:]

  init(_ expected: ArraySlice<Int>) { self.expected = expected }

  /// Adds an element; returns all elements whose predecessors have been returned.
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

/// The number of inputs processed at once, which is also the number of recognizer processes.
struct JobCount: Sendable, Hashable {
  /// The environment variable with the number of recognizer processes.
  static let variable = "SPEECH_SERVICE_COUNT"

  let count: Int
  private let wasGiven: Bool

  init(_ arguments: ParsedArguments) throws {
    let given = try arguments.integer(.jobs, in: 1...1024)
    count = given ?? ProcessInfo.processInfo.activeProcessorCount
    wasGiven = given != nil
  }

  /// Sets the variable, which is read once before the first recognition. Without `--jobs` the user's value stays.
  func setServiceCount() { setenv(Self.variable, String(count), wasGiven ? 1 : 0) }
}

/// How long a program that waits for its next task keeps idle recognizer processes.
enum ServiceLingering {
  /// Sets the variable for ten minutes. It is read once before the first recognition. The user's value stays.
  static func set() { setenv("SPEECH_SERVICE_LINGERING", "600", 0) }
}
