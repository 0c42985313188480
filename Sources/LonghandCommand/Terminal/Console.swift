import Foundation

/// The program's output: results on standard output, everything else on standard error.
struct Console: Sendable {
  /// How failures are written.
  enum ErrorStyle: Sendable { case line, json }

  /// For results.
  var output = StandardOutput()
  /// For everything else.
  var errors = StandardError()
  /// How failures are written.
  var errorStyle = ErrorStyle.line

  /// Prints a failure; does not end the program.
  func report(_ failure: Failure) {
    errors.line(errorStyle == .json ? failure.json : failure.line)
  }

  /// Prints how many seconds of speech have no recognized words, if any have none.
  ///
  /// - Parameters:
  ///   - seconds: the seconds, see `Coverage.wordless`.
  ///   - input: the file or the session.
  ///   - hint: how to see where they are.
  func report(wordless seconds: TimeInterval, input: String, hint: String) {
    guard seconds > 0 else { return }
    let sum = String(format: "%.1f", seconds)
    errors.line(
      "longhand: \(input): No words were recognized in \(sum) seconds of speech. \(hint)".escapingControls)
  }
}
