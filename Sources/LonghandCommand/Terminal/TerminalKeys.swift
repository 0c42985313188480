import Foundation
import Synchronization

/// The keys that a user presses at the terminal while the program works. Ctrl-C remains a signal.
final class TerminalKeys: Sendable {
  /// The terminal's settings before the program changed them.
  private let former: Mutex<termios?>

  private let flag = CancellationFlag()

  /// Begins to read the keys of standard input, without waiting for Enter.
  ///
  /// - Parameter pressed: called with each character, on a thread of its own.
  /// - Returns: nil if standard input is not a terminal.
  init?(_ pressed: @escaping @Sendable (Character) -> Void) {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, Self.isInForeground, tcgetattr(STDIN_FILENO, &settings) == 0 else {
      return nil
    }
    // Moved into the background, the program must not be stopped because it reads a key.
    signal(SIGTTIN, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
    former = Mutex(settings)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    Thread.detachNewThread { [flag] in
      let reader = StreamReader(descriptor: STDIN_FILENO, name: "standard input")
      while true {
        do {
          guard let bytes = try reader.read(64, until: flag) else { return }
          String(decoding: bytes, as: UTF8.self).forEach(pressed)
        } catch is CancellationError {
          return
        } catch {
          // In the background there are no keys.
          Thread.sleep(forTimeInterval: 0.5)
        }
      }
    }
  }

  /// Stops reading, and gives the terminal its settings back.
  func close() {
    flag.cancel()
    former.withLock { former in
      guard var settings = former else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      former = nil
    }
  }

  /// Whether the program may use the terminal: no other job of the shell does.
  private static var isInForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    // Of a terminal that controls no jobs there is no group.
    return group == getpgrp() || (group == -1 && errno == ENOTTY)
  }
}
