import Foundation

/// Reads and checks the lines of a file for an evaluation.
enum InputLines {
  /// - Throws: `EvaluationInputError`.
  static func data(of url: URL) throws -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw EvaluationInputError(file: url.path, reason: .unreadable(error.localizedDescription))
    }
  }

  /// The lines without their ends (`\n` or `\r\n`) and without a byte order mark.
  ///
  /// - Throws: `EvaluationInputError` for the first line that is not UTF-8.
  static func lines(of data: Data, file: String) throws -> [String] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var bytes = data.starts(with: mark) ? data.dropFirst(mark.count) : data[...]
    if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
    guard !bytes.isEmpty else { return [] }
    return try bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
      index, line in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let text = String(validating: line, as: UTF8.self) else {
        throw EvaluationInputError(file: file, line: index + 1, reason: .invalidUTF8)
      }
      return text
    }
  }

  /// A time or a duration in seconds, 0 or more.
  static func seconds(_ text: Substring, file: String, line: Int) throws -> TimeInterval {
    guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
      throw EvaluationInputError(file: file, line: line, reason: .time(String(text)))
    }
    return seconds
  }
}
