import Foundation

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
  func announce() { setenv(Self.variable, String(count), wasGiven ? 1 : 0) }
}
