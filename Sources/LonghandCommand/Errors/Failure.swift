import Foundation

/// Something that went wrong, in words that the user can act on.
struct Failure: Error, Hashable, Sendable {
  /// What kind of thing went wrong, for programs; the raw values are part of the contract.
  enum Code: String, Sendable {
    /// The command line cannot be carried out as it stands.
    case usage
    /// An input is missing, or may not be read.
    case unreadable
    /// An input is no sound that can be decoded.
    case undecodable
    /// An input holds nothing.
    case empty
    /// The recognizer does not know the language.
    case unsupportedLocale = "unsupported_locale"
    /// Something that the work stands on is not installed.
    case notInstalled = "not_installed"
    /// The recognizer failed on a whole input.
    case recognizerFailed = "recognizer_failed"
    /// The recognizer failed on a part of an input; the rest was written.
    case incomplete
    /// The output exists, and may not be written over.
    case outputExists = "output_exists"
    /// The output could not be written.
    case output
    /// A file that the work needs does not hold what it should.
    case malformed
    /// The library cannot be used, or has no such session.
    case library
    /// The server cannot be started.
    case server
    /// Anything else.
    case unexpected
  }

  /// What kind of thing went wrong.
  var code: Code
  /// What went wrong, without the input's name and without a full stop.
  var message: String
  /// The input that it went wrong with, as the user named it.
  var input: String?
  /// What to do about it.
  var hint: String?

  init(_ code: Code, _ message: String, input: String? = nil, hint: String? = nil) {
    self.code = code
    self.message = message
    self.input = input
    self.hint = hint
  }

  /// A command line that cannot be carried out as it stands.
  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(.usage, message, hint: hint)
  }

  /// What the program ends with when this is the end of it.
  var status: Int32 { code == .usage ? ExitStatus.usage : ExitStatus.failed }

  /// The one line that people read.
  var line: String {
    var line = "longhand: "
    if let input { line += "\(input): " }
    // Messages of others may be sentences.
    line += message.hasSuffix(".") ? message.dropLast() : message[...]
    if let hint { line += "; \(hint)" }
    return line.escapingControls
  }

  /// The same failure, with the input that it belongs to unless it names one already.
  func about(_ name: String) -> Failure {
    var failure = self
    failure.input = input ?? name
    return failure
  }
}

extension Failure {
  /// A system call that failed, in the system's own words.
  ///
  /// - Parameter number: the value of `errno` right after the call.
  static func system(
    _ number: Int32, _ code: Code, _ action: String, input: String? = nil, hint: String? = nil
  ) -> Failure {
    let reason = String(cString: strerror(number))
    let mending = hint ?? (number == ENOSPC ? "free some space and try again" : nil)
    return Failure(code, "\(action): \(reason)", input: input, hint: mending)
  }
}

/// What the program tells its caller when it ends; the numbers are part of the contract.
enum ExitStatus {
  /// Everything asked for was done.
  static let done: Int32 = 0
  /// The work failed, for any one of several inputs too.
  static let failed: Int32 = 1
  /// The command line cannot be carried out as it stands.
  static let usage: Int32 = 2

  /// Ended by a signal, after a clean drain: 130 for SIGINT, 143 for SIGTERM.
  static func ended(by signal: Int32) -> Int32 { 128 + signal }
}
