import Foundation
import Synchronization

/// Standard error: permanent lines, and below them at most one status line that is redrawn.
final class StandardError: Sendable {
  private let descriptor: Int32 = STDERR_FILENO
  /// The status line on the terminal.
  private let transient = Mutex("")

  /// Whether a status line can be shown: standard error is a terminal that can move its cursor.
  let canRedraw: Bool
  /// Whether text may be dim and italic.
  private let canStyle: Bool

  /// - Parameter environment: the source of `TERM` and `NO_COLOR`. Without `TERM`, or with `dumb`, nothing is redrawn.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let terminal = environment["TERM"] ?? "dumb"
    canRedraw = isatty(STDERR_FILENO) == 1 && terminal != "dumb" && !terminal.isEmpty
    canStyle = (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The terminal's width in characters.
  var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a permanent line.
  func line(_ text: String) {
    transient.withLock { shown in
      write(erasing(shown) + text + "\n" + shown)
    }
  }

  /// Removes the status line while `body` writes to the same terminal.
  func around(_ body: () throws -> Void) rethrows {
    try transient.withLock { shown in
      write(erasing(shown))
      defer { write(shown) }
      try body()
    }
  }

  /// Replaces the status line; an empty text removes it.
  ///
  /// - Parameter aside: follows the text, dim and italic. If it does not fit, its end is shown.
  func redraw(_ text: String, aside: String = "") {
    guard canRedraw else { return }
    let room = max(columns - 1, 1)
    var fitting = String(text.prefix(room))
    let left = room - fitting.count - 2
    if !aside.isEmpty, left > 1 {
      let end = aside.count > left ? "…" + aside.suffix(left - 1) : aside
      fitting += "  " + (canStyle ? "\u{1B}[2;3m\(end)\u{1B}[0m" : end)
    }
    transient.withLock { shown in
      guard fitting != shown else { return }
      write(erasing(shown) + fitting)
      shown = fitting
    }
  }

  /// Carriage return, then erase to the end of the line.
  private func erasing(_ shown: String) -> String { shown.isEmpty ? "" : "\r\u{1B}[K" }

  /// Errors are ignored: there is no other stream to report them on.
  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if errno != EINTR, errno != EAGAIN {
        return
      }
    }
  }
}
