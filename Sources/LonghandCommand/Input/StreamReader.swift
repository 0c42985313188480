import Foundation
import Synchronization

/// Reads a descriptor to which bytes come when they come: it can be told at any time to wait no more.
struct StreamReader: Sendable {
  /// Milliseconds after which a reader that waits looks whether it still is to.
  private static let interval: Int32 = 100

  let descriptor: Int32
  /// What errors call it.
  let name: String

  /// The next bytes, as many as are there but no more than `most`; `nil` at the end.
  ///
  /// Throws `CancellationError` when `flag` says so, a tenth of a second later at most, and a `Failure` when the system
  /// refuses.
  func read(_ most: Int, until flag: CancellationFlag) throws -> [UInt8]? {
    while true {
      if flag.isCancelled { throw CancellationError() }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      switch poll(&waiting, 1, Self.interval) {
      case 0: continue
      case ..<0 where errno == EINTR: continue
      case ..<0: throw refused(errno)
      default: break
      }
      var buffer = [UInt8](repeating: 0, count: most)
      let count = Foundation.read(descriptor, &buffer, most)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 { return nil }
      if errno != EINTR, errno != EAGAIN { throw refused(errno) }
    }
  }

  private func refused(_ number: Int32) -> Failure {
    Failure.system(number, .unreadable, "it cannot be read", input: name)
  }
}

/// Tells a thread outside of Swift's tasks that its work is not wanted any more.
final class CancellationFlag: Sendable {
  private let flag = Mutex(false)

  /// Whether the work is not wanted any more.
  var isCancelled: Bool { flag.withLock { $0 } }

  /// Asks the work to end.
  func cancel() { flag.withLock { $0 = true } }
}
