import Foundation
import Longhand

/// An error that the user can act on: what went wrong, with which input, and what to do next.
struct Failure: Error, Hashable, Sendable {
  typealias Code = ErrorCode

  /// What kind of thing went wrong.
  var code: Code
  /// What went wrong: a sentence without the input's name.
  var message: String
  /// The input, as the user named it.
  var input: String?
  /// What to do next: a sentence, or a label and a command.
  var hint: String?

  init(_ code: Code, _ message: String, input: String? = nil, hint: String? = nil) {
    self.code = code
    self.message = Self.sentence(message)
    self.input = input
    self.hint = hint.map(Self.capitalized)
  }

  /// A mistake on the command line.
  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(.usage, message, hint: hint)
  }

  /// The program's exit status if this failure ends it.
  var status: Int32 { code == .usage ? ExitStatus.usage : ExitStatus.failed }

  /// The line that people read.
  var line: String {
    var line = "longhand: "
    // A message that quotes the input needs no prefix.
    if let input, !message.contains("'\(input)'") { line += "\(input): " }
    line += message
    if let hint { line += " \(hint)" }
    return line.escapingControls
  }

  /// The message as a sentence, because messages of other modules may be fragments.
  private static func sentence(_ text: String) -> String {
    let text = capitalized(text)
    return text.last.map { ".!?".contains($0) } == true ? text : text + "."
  }

  /// The text with a capital letter, unless it begins with something other than a word, such as a path.
  private static func capitalized(_ text: String) -> String {
    let word = text.prefix { $0 != " " }
    guard word.count < text.count, word.allSatisfy({ $0.isLetter || $0 == "'" }) else { return text }
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The same failure with `name` as its input, unless it already has one.
  func about(_ name: String) -> Failure {
    var failure = self
    failure.input = input ?? name
    return failure
  }
}

extension Failure {
  /// A failed system call, with the system's description of the reason.
  ///
  /// - Parameter number: the value of `errno` right after the call.
  static func system(
    _ number: Int32, _ code: Code, _ action: String, input: String? = nil, hint: String? = nil
  ) -> Failure {
    let reason = String(cString: strerror(number))
    let remedy = hint ?? (number == ENOSPC ? "Free some disk space and try again." : nil)
    return Failure(code, "\(action): \(reason).", input: input, hint: remedy)
  }
}

/// The program's exit statuses. The numbers are part of the contract.
enum ExitStatus {
  /// Everything was done.
  static let done: Int32 = 0
  /// The work failed for at least one input.
  static let failed: Int32 = 1
  /// The command line has a mistake.
  static let usage: Int32 = 2
  /// Everything was done, and `audit` found something wrong.
  static let found: Int32 = 3

  /// Ended by a signal, after a clean drain: 130 for SIGINT, 143 for SIGTERM.
  static func ended(by signal: Int32) -> Int32 { 128 + signal }
}
