import Foundation

/// Compares the names that a module should declare with those that it declares.
package struct NameCoverage {
  /// A prefix of names that may be missing, with the reason.
  package struct Exception {
    let prefix: String
    let reason: String

    package init(prefix: String, reason: String) {
      self.prefix = prefix
      self.reason = reason
    }
  }

  /// The expected names.
  package let wanted: [String]
  private let missing: [(name: String, exception: Exception?)]
  private let exceptions: [Exception]

  /// - Parameters:
  ///   - list: a file with one name per line.
  ///   - declared: the names that the module declares.
  ///   - exceptions: the names that may be missing.
  ///   - normalized: converts a name of the list to the module's form.
  package init(
    of list: URL, in declared: Set<String>, but exceptions: [Exception], normalized: (String) -> String
  ) throws {
    wanted = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
    missing = wanted.filter { !declared.contains(normalized($0)) }.map { name in
      (name, exceptions.first { name.hasPrefix($0.prefix) })
    }
    self.exceptions = exceptions
  }

  /// A summary: the share of present names, and the missing names with their reasons.
  package var summary: String {
    let present = wanted.count - missing.count
    let head = "\(present) of \(wanted.count) names, \(100 * present / max(1, wanted.count)) %"
    let reasons = Dictionary(grouping: missing) { $0.exception?.reason ?? "without a reason" }
    return ([head] + reasons.map { "  missing, \($0.key): \($0.value.map(\.name).joined(separator: ", "))" })
      .joined(separator: "\n")
  }

  /// The names that are missing without a reason, and the exceptions without a missing name.
  package var complaints: [String] {
    missing.filter { $0.exception == nil }.map { "\($0.name) is missing" }
      + exceptions.filter { exception in !missing.contains { $0.name.hasPrefix(exception.prefix) } }
      .map { "nothing is missing of \($0.prefix)" }
  }
}
