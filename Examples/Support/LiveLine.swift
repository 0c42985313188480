import Foundation

/// A line of output that is replaced until it is final. Without a terminal each version is a separate line, and only the
/// final one has no dots before it.
@MainActor
package final class LiveLine {
  private let output = FileHandle.standardOutput
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private var shown = ""

  package init() {}

  /// Shows a text that may still change.
  package func replace(_ text: String) {
    guard text != shown else { return }
    shown = text
    // The end of the line is what is new; the beginning has been read.
    write(isTerminal ? "\r\u{1B}[K\(text.suffix(76))" : "... \(text)\n")
  }

  /// Shows a text that stays.
  package func finish(_ text: String) {
    shown = ""
    write(isTerminal ? "\r\u{1B}[K\(text)\n" : "\(text)\n")
  }

  private func write(_ text: String) { output.write(Data(text.utf8)) }
}
