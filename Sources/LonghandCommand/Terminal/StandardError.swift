import Foundation
import Synchronization

/// Standard error: whole lines that stay, and below them at most one that is drawn over.
final class StandardError: Sendable {
  private let descriptor: Int32 = STDERR_FILENO
  /// The line that is drawn over.
  private let transient = Mutex("")

  /// Whether a line can be drawn over: a person is watching, on a terminal that can move its cursor.
  let canRedraw: Bool
  /// Whether a part of it may be dim and italic.
  private let canStyle: Bool

  /// - Parameter environment: where `TERM` is looked up; `dumb` and none at all mean that nothing is redrawn.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let terminal = environment["TERM"] ?? "dumb"
    canRedraw = isatty(STDERR_FILENO) == 1 && terminal != "dumb" && !terminal.isEmpty
    canStyle = (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// How many characters fit a line.
  var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a line that stays.
  func line(_ text: String) {
    transient.withLock { shown in
      write(erasing(shown) + text + "\n" + shown)
    }
  }

  /// Writes elsewhere on the same terminal, while the line that is drawn over is out of the way.
  func around(_ body: () throws -> Void) rethrows {
    try transient.withLock { shown in
      write(erasing(shown))
      defer { write(shown) }
      try body()
    }
  }

  /// Shows a line in the place of the one before; an empty one clears it.
  /// - Parameter aside: comes after it, dim and italic; of what does not fit its end is shown.
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

  /// Carriage return, then erase to the end of the line. No colour is ever used, which is what `NO_COLOR` asks for.
  private func erasing(_ shown: String) -> String { shown.isEmpty ? "" : "\r\u{1B}[K" }

  /// There is nowhere to complain about standard error, so what cannot be written is left out.
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
