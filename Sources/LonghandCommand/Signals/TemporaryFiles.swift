import FileSupport
import Foundation
import Synchronization

/// The temporary files and folders that the program removes when it ends, after a signal too.
enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Registers a path, before anything is created there.
  static func add(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  /// Removes the file, or the folder and its contents.
  static func remove(_ path: String) {
    if unlink(path.systemName) != 0, errno == EISDIR || errno == EPERM {
      try? FileManager.default.removeItem(atPath: path)
    }
    paths.withLock { _ = $0.remove(path) }
  }

  /// Removes all registered files and folders.
  static func removeAll() {
    for path in paths.withLock({ $0 }) { remove(path) }
  }
}
