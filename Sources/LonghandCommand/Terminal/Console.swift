import Foundation
import Longhand

/// The program's output: results on standard output, everything else on standard error.
struct Console: Sendable {
  /// How failures are written.
  enum ErrorStyle: Sendable { case line, json }

  /// For results.
  var output = StandardOutput()
  /// For everything else.
  var errors = StandardError()
  /// Whether a signal asked the program to end.
  var isInterrupted: @Sendable () -> Bool = { false }
  /// How failures are written.
  var errorStyle = ErrorStyle.line

  /// Prints a line that is not a failure. Programs that read failures as JSON do not get it.
  func note(_ text: String) {
    if errorStyle == .line { errors.line("longhand: \(text)".escapingControls) }
  }

  /// Whether a person can be asked: neither the answer nor the question goes elsewhere than to a terminal.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a question, and waits for the answer. A signal ends the wait: an answer after it does not count.
  /// - Returns: whether the answer means yes.
  /// - Throws: `CancellationError`; a `Failure` if the answer cannot be read.
  func confirms(_ question: String, answers: Int32 = STDIN_FILENO) async throws -> Bool {
    errors.line("\(question) Type yes or no:".escapingControls)
    let reader = StreamReader(descriptor: answers, name: "standard input")
    let answer = try await LineReader(reader, maxLength: 1 << 10).next()
    try Task.checkCancellation()
    guard case .bytes(let bytes)? = answer else { return false }
    return Self.isYes(String(decoding: bytes, as: UTF8.self))
  }

  /// Whether an answer means yes.
  private static func isYes(_ answer: String) -> Bool {
    ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespacesAndNewlines).lowercased())
  }

  /// Prints a failure; does not end the program.
  func report(_ failure: Failure) { errors.line(text(of: failure)) }

  /// A failure as it is written.
  func text(of failure: Failure) -> String { errorStyle == .json ? failure.json : failure.line }

  /// Prints how many seconds of speech have no recognized words, if any have none.
  ///
  /// - Parameters:
  ///   - seconds: the seconds, see `Coverage.wordless`.
  ///   - input: the file or the session.
  ///   - hint: how to see where they are.
  func report(wordless seconds: TimeInterval, input: String, hint: String) {
    guard seconds > 0 else { return }
    note(
      "\(input): No words were recognized in \(String(format: "%.1f", seconds)) seconds of speech. \(hint)")
  }

  /// Prints one line for each kind of warning about an input.
  func report(_ warnings: [TranscriptWarning], input: String) {
    for (code, message) in TranscriptWarning.summary(of: warnings) {
      let text = "longhand: \(input): Warning: \(message)"
      let warning = WarningDocument(.init(code: code.rawValue, message: message, input: input))
      errors.line(errorStyle == .json ? JSONLine.string(warning) : text.escapingControls)
    }
  }
}
