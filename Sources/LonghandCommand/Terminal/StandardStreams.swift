import Foundation

/// The three streams that a program is started with.
enum StandardStreams {
  /// Makes sure that all three are open.
  ///
  /// A caller may have closed one (`>&-`). The next file that is opened would take its number, and results or errors
  /// would then be written into it; so the number is taken by something that refuses them.
  static func secure() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is the one that was found closed.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
