/// An error in a file that an evaluation reads.
package struct EvaluationInputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// The file cannot be read; the text is the system's.
    case unreadable(String)
    /// The file extension is not `txt`, `stm` or `ctm`.
    case unknownFormat(String)
    /// The file is not what its name says; the text says why.
    case malformed(String)
    /// The bytes are not UTF-8.
    case invalidUTF8
    /// The line has the wrong number of columns.
    case columns(found: Int, expected: String)
    /// The text is not a time in seconds, 0 or more.
    case time(String)
    /// The text is neither a number nor `NA`.
    case confidence(String)
    /// The end is before the start.
    case endBeforeStart
    /// The column must not be empty.
    case empty(column: String)
    /// The line uses alternations (`{ a / b }`, `<ALT>`), which are not scored.
    case alternation
    /// The reference file does not exist.
    case missingReference(String)
  }

  /// The path of the file.
  package var file: String
  /// The line, from 1; nil if the error concerns the whole file.
  package var line: Int?
  /// What is wrong.
  package var reason: Reason

  package init(file: String, line: Int? = nil, reason: Reason) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  /// The message, as `file:line: what is wrong`.
  package var description: String {
    let location = line.map { "\(file):\($0)" } ?? file
    let problem =
      switch reason {
      case .unreadable(let why): "cannot be read: \(why)"
      case .unknownFormat(let format): "'\(format)' is not a known format; use a .txt, .stm or .ctm file"
      case .malformed(let why): why
      case .invalidUTF8: "is not UTF-8; convert it, for example with iconv"
      case .columns(let found, let expected): "\(found) columns, expected: \(expected)"
      case .time(let text): "'\(text)' is not a time in seconds; write a number of 0 or more, such as 12.5"
      case .confidence(let text): "'\(text)' is not a confidence; write a number or NA"
      case .endBeforeStart: "ends before it starts"
      case .empty(let column): "the \(column) is empty"
      case .alternation: "alternations are not supported; write one alternative only"
      case .missingReference(let path): "the reference '\(path)' does not exist"
      }
    return "\(location): \(problem)"
  }
}
