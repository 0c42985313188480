import Foundation

/// Standard output, for results and nothing else.
struct StandardOutput: Sendable {
  /// Where the results go.
  var descriptor: Int32 = STDOUT_FILENO

  /// Writes the whole of `text`, or throws.
  ///
  /// A reader that does not read (a pager) must not keep the program from ending, so each write is preceded by a wait
  /// that cancellation ends, and is small enough not to block after it.
  ///
  /// - Throws: `ClosedOutput` when the reader is gone, `Failure` when the output cannot take it (a full disk),
  ///   `CancellationError`.
  func write(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      try Task.checkCancellation()
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&waiting, 1, 100) == 0 { continue }
      // 4096 bytes are what a pipe that is ready takes at once (PIPE_BUF); files do not care.
      let written = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, min($0.count, 4096))
      }
      if written >= 0 {
        bytes = bytes.dropFirst(written)
      } else if errno == EPIPE {
        throw ClosedOutput()
      } else if errno != EINTR, errno != EAGAIN {
        throw Failure.system(errno, .output, "standard output cannot be written")
      }
    }
  }
}

/// Whoever read standard output has had enough: nothing is wrong, and nothing more is wanted.
struct ClosedOutput: Error {}
