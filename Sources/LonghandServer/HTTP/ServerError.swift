/// Why the server cannot be started.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let problem: String
  /// What to do.
  public let remedy: String

  init(_ problem: String, remedy: String) {
    self.problem = problem
    self.remedy = remedy
  }

  /// What is wrong, and what to do.
  public var description: String { "\(problem); \(remedy)" }
}
