/// The kinds of failure that `longhand --json-errors` reports. The raw values are part of the command line's contract.
package enum ErrorCode: String, Codable, Sendable {
  /// The command line is wrong.
  case usage
  /// An input is missing, or cannot be read.
  case unreadable
  /// An input is not audio that can be decoded.
  case undecodable
  /// An input has no audio in it.
  case empty
  /// The recognizer does not support the language.
  case unsupportedLocale = "unsupported_locale"
  /// A component that the work needs is not installed.
  case notInstalled = "not_installed"
  /// The user or the system does not allow the program to recognize or record speech.
  case notAuthorized = "not_authorized"
  /// Only a server recognizes the language, and the user has not allowed that.
  case leavesDevice = "leaves_device"
  /// The recognizer failed on a whole input.
  case recognizerFailed = "recognizer_failed"
  /// A part of an input has no text, because the recognizer failed on it or the work was interrupted; the rest was
  /// written.
  case incomplete
  /// The output exists already, and must not be overwritten.
  case outputExists = "output_exists"
  /// The output could not be written.
  case output
  /// A file that the work needs has invalid content.
  case malformed
  /// The library cannot be used, or has no such session.
  case library
  /// A search has no result.
  case notFound = "not_found"
  /// The server cannot be started.
  case server
  /// Any other failure.
  case unexpected
}

/// One failure as `longhand --json-errors` prints it. Programs that run `longhand` decode it, the server among them.
package struct ErrorDocument: Codable, Sendable {
  package struct Details: Codable, Sendable {
    /// The kind of failure.
    package var code: ErrorCode
    /// What went wrong, for people.
    package var message: String
    /// The input that failed, as the user named it.
    package var input: String?
    /// What to do next.
    package var hint: String?

    package init(code: ErrorCode, message: String, input: String?, hint: String?) {
      self.code = code
      self.message = message
      self.input = input
      self.hint = hint
    }

    /// Writes all four keys always, with `null` for a missing value.
    package func encode(to encoder: any Encoder) throws {
      var details = encoder.container(keyedBy: CodingKeys.self)
      try details.encode(code, forKey: .code)
      try details.encode(message, forKey: .message)
      try details.encode(input, forKey: .input)
      try details.encode(hint, forKey: .hint)
    }
  }

  package var error: Details

  package init(_ error: Details) { self.error = error }
}

/// One warning as `longhand --json-errors` prints it. The input was processed.
package struct WarningDocument: Codable, Sendable {
  package struct Details: Codable, Sendable {
    /// What the warning is about, as in the transcript's JSON.
    package var code: String
    /// The warning, for people.
    package var message: String
    /// The input, as the user named it.
    package var input: String

    package init(code: String, message: String, input: String) {
      self.code = code
      self.message = message
      self.input = input
    }
  }

  package var warning: Details

  package init(_ warning: Details) { self.warning = warning }
}
