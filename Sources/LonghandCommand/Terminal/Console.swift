import Foundation

/// Everything that the program says: results on standard output, the rest on standard error.
struct Console: Sendable {
  /// How failures are written.
  enum ErrorStyle: Sendable { case line, json }

  /// For results.
  var output = StandardOutput()
  /// For everything else.
  var errors = StandardError()
  /// How failures are written.
  var errorStyle = ErrorStyle.line

  /// Tells the user of a failure, and goes on.
  func report(_ failure: Failure) {
    errors.line(errorStyle == .json ? failure.json : failure.line)
  }
}
