import Foundation

/// A folder for unfinished files. If its process is killed, the next one that looks there removes it.
///
/// The process holds a lock on the folder. The system releases the lock when the process ends, however it ends.
package final class DraftFolder: Sendable {
  /// The path of the folder.
  package let path: String
  private let descriptor: Int32

  /// A path in `parent` for a new folder: the prefix and a UUID.
  package static func path(in parent: String, prefix: String) -> String {
    "\(parent)/\(prefix)\(UUID().uuidString)"
  }

  /// Creates the folder, which only its owner can read.
  /// - Parameter path: a path from `path(in:prefix:)`.
  package init(_ path: String) throws(AtomicFile.Failure) {
    while true {
      guard mkdir(path, 0o700) == 0 else { throw AtomicFile.Failure(number: errno) }
      // Another process may remove the folder before it is locked; then it is created again.
      guard let descriptor = Self.lock(path, waits: true) else { continue }
      self.path = path
      self.descriptor = descriptor
      return
    }
  }

  /// Removes the folder and its files.
  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  deinit { close(descriptor) }

  /// Removes the folders in `parent` that this user's killed processes left. Other names are not touched.
  package static func removeAbandoned(in parent: String, prefix: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
      let path = "\(parent)/\(name)"
      guard let descriptor = lock(path, waits: false) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }

  /// Locks a folder of this user.
  /// - Returns: nil if there is no such folder, or if another process has locked it.
  private static func lock(_ path: String, waits: Bool) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var locked = stat()
    var named = stat()
    while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        return nil
      }
    }
    guard fstat(descriptor, &locked) == 0, locked.st_uid == geteuid(), lstat(path, &named) == 0,
      locked.st_dev == named.st_dev, locked.st_ino == named.st_ino
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
