import Foundation

/// Standard output, for results and nothing else.
struct StandardOutput: Sendable {
  /// How long a cancelled task waits for a reader that does not read.
  private static let patience = Duration.seconds(2)

  /// The descriptor that is written.
  var descriptor: Int32 = STDOUT_FILENO

  /// Writes the whole of `text`, or throws. A cancelled task writes nothing.
  ///
  /// - Throws: `ClosedOutput` when the reader is gone, `Failure` when writing fails, for example on a full disk,
  ///   `CancellationError`.
  func write(_ text: String) throws {
    try Task.checkCancellation()
    try flush(text)
  }

  /// Writes the whole of `text`, also in a cancelled task.
  ///
  /// A reader that does not read, such as a pager, must not keep the program from ending. Each write therefore follows
  /// a wait that ends when the task is cancelled and the reader's time is up, and is small enough not to block.
  ///
  /// - Throws: the errors of `write(_:)`.
  func flush(_ text: String) throws { try flush(Data(text.utf8)) }

  /// As `flush`, with bytes.
  func flush(_ data: Data) throws {
    var bytes = Array(data)[...]
    var end: ContinuousClock.Instant?
    while !bytes.isEmpty {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&waiting, 1, 100) == 0 {
        guard Task.isCancelled else { continue }
        end = end ?? .now + Self.patience
        if let end, end < .now { throw CancellationError() }
        continue
      }
      // A pipe that is ready takes 4096 bytes (PIPE_BUF) without blocking.
      let written = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, min($0.count, 4096))
      }
      if written >= 0 {
        bytes = bytes.dropFirst(written)
      } else if errno == EPIPE {
        throw ClosedOutput()
      } else if errno != EINTR, errno != EAGAIN {
        throw Failure.system(errno, .output, "Cannot write to standard output")
      }
    }
  }
}

extension StandardOutput {
  /// Whether it is a pipe or a socket whose reader has closed it.
  var isAbandoned: Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR | POLLHUP) != 0
  }
}

/// The reader of standard output closed it. The program ends without an error message.
struct ClosedOutput: Error {}
