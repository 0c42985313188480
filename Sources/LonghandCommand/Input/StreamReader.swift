import Foundation
import Synchronization

/// Reads a descriptor, such as a pipe, with a wait that can be cancelled at any time.
struct StreamReader: Sendable {
  /// Milliseconds between two checks for cancellation.
  private static let interval: Int32 = 100

  let descriptor: Int32
  /// The name in errors.
  let name: String

  /// Returns the available bytes, at most `count`; `nil` at the end of the stream.
  ///
  /// - Throws: `CancellationError` at most 0.1 s after `flag` is cancelled; a `Failure` if reading fails.
  func read(_ count: Int, until flag: CancellationFlag) throws -> [UInt8]? {
    while true {
      if flag.isCancelled { throw CancellationError() }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      switch poll(&waiting, 1, Self.interval) {
      case 0: continue
      case ..<0 where errno == EINTR: continue
      case ..<0: throw failure(errno)
      default: break
      }
      var buffer = [UInt8](repeating: 0, count: count)
      let length = Foundation.read(descriptor, &buffer, count)
      if length > 0 { return Array(buffer[..<length]) }
      if length == 0 { return nil }
      if errno != EINTR, errno != EAGAIN { throw failure(errno) }
    }
  }

  /// Opens a file of the user for reading, or standard input for `-`. The caller closes the descriptor.
  /// - Parameter contents: what the file has, for the error.
  /// - Throws: a `Failure`.
  static func open(_ file: String, contents: String) throws -> StreamReader {
    let name = file == "-" ? "standard input" : file.readableName
    let descriptor =
      file == "-" ? dup(STDIN_FILENO) : Foundation.open(file.systemName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure.system(
        errno, .unreadable, "Cannot read the \(contents)", input: name, hint: "Check its name.")
    }
    return StreamReader(descriptor: descriptor, name: name)
  }

  private func failure(_ number: Int32) -> Failure {
    Failure.system(number, .unreadable, "Cannot read the input", input: name)
  }
}

/// Cancels work on a thread that is not a task.
final class CancellationFlag: Sendable {
  private let flag = Mutex(false)

  /// Whether the work is cancelled.
  var isCancelled: Bool { flag.withLock { $0 } }

  /// Cancels the work.
  func cancel() { flag.withLock { $0 = true } }
}
