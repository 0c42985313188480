import CSandbox
import Foundation

/// A file in memory, for libraries that read from a path. It works inside the sandbox of a recognizer, which has no
/// other paths.
package final class MemoryFile {
  /// The path, for this process alone and while the object exists.
  package var path: String { "/proc/self/fd/\(descriptor)" }
  private let descriptor: Int32

  /// Creates a file with these bytes; nil if there is not enough memory.
  package init?(_ bytes: Data) {
    descriptor = longhand_memory_file()
    guard descriptor >= 0 else { return nil }
    let isWritten = bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        guard count > 0 || errno == EINTR else { return false }
        done += max(0, count)
      }
      return true
    }
    guard isWritten else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
