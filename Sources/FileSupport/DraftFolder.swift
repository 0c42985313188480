import Foundation

/// A folder for unfinished files. If its process is killed, the next one that looks there removes it.
///
/// The process holds a lock on the folder. The system releases the lock when the process ends, however it ends.
package final class DraftFolder: Sendable {
  /// The path of the folder.
  package let path: String
  private let lock: FolderLock

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
      guard let lock = Self.lock(path, .exclusiveAfterOthers) else { continue }
      self.path = path
      self.lock = lock
      return
    }
  }

  /// Removes the folder and its files.
  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folders in `parent` that this user's killed processes left. Other names are not touched.
  package static func removeAbandoned(in parent: String, prefix: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
      let path = "\(parent)/\(name)"
      guard let lock = lock(path, .exclusive) else { continue }
      withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
    }
  }

  /// Locks a folder of this user.
  /// - Returns: nil if there is no such folder, or if another process has locked it.
  private static func lock(_ path: String, _ kind: FolderLock.Kind) -> FolderLock? {
    let lock = try? FolderLock(URL(fileURLWithPath: path), kind, followsLinks: false)
    var status = stat()
    return lstat(path, &status) == 0 && status.st_uid == geteuid() ? lock : nil
  }
}
