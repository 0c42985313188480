/// A mistake in a file that an evaluation reads.
public struct EvaluationInputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The file does not exist or may not be read; the text is the system's.
    case unreadable(String)
    /// The file's name ends in none of `txt`, `stm` and `ctm`.
    case unknownForm(String)
    /// The bytes are not UTF-8.
    case invalidUTF8
    /// The line has another number of columns than the form asks for.
    case columns(found: Int, expected: String)
    /// What should be a time in seconds, 0 or more, is not.
    case time(String)
    /// What should be a confidence is no number (and not `NA`).
    case confidence(String)
    /// The end is before the start.
    case endBeforeStart
    /// A column that must not be empty is.
    case empty(column: String)
    /// The line uses alternations (`{ a / b }`, `<ALT>`), which are not scored.
    case alternation
    /// The row names a reference that does not exist.
    case missingReference(String)
  }

  /// The file, as it was named.
  public var file: String
  /// The line, from 1; nil when the mistake is the file's.
  public var line: Int?
  /// What is wrong.
  public var reason: Reason

  /// Each field by its name.
  public init(file: String, line: Int? = nil, reason: Reason) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  /// `file:line: what is wrong`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let problem =
      switch reason {
      case .unreadable(let why): "cannot be read: \(why)"
      case .unknownForm(let form): "'\(form)' is no known form; use a .txt, .stm or .ctm file"
      case .invalidUTF8: "is not UTF-8; convert it, for example with iconv"
      case .columns(let found, let expected): "\(found) columns, expected \(expected)"
      case .time(let text): "'\(text)' is no time in seconds"
      case .confidence(let text): "'\(text)' is no confidence"
      case .endBeforeStart: "ends before it starts"
      case .empty(let column): "the \(column) is empty"
      case .alternation: "alternations are not supported; write one reading"
      case .missingReference(let path): "the reference '\(path)' does not exist"
      }
    return "\(place): \(problem)"
  }
}
