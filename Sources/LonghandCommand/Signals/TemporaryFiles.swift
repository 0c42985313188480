import Foundation
import Synchronization

/// The files that must not outlive the program, whichever way it ends.
enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Takes note of a path before anything is made there.
  static func add(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  /// Removes the file, or the folder with what is in it, if it is there.
  static func remove(_ path: String) {
    if unlink(path) != 0, errno == EISDIR || errno == EPERM {
      try? FileManager.default.removeItem(atPath: path)
    }
    paths.withLock { _ = $0.remove(path) }
  }

  /// Removes everything that was noted.
  static func removeAll() {
    for path in paths.withLock({ $0 }) { remove(path) }
  }
}
