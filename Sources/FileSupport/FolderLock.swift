import Foundation

/// A lock on a folder that processes agree on. It is released with this object, and when the process ends.
package final class FolderLock: Sendable {
  /// What others may do meanwhile.
  package enum Kind {
    /// Others may have a shared lock too. Waits for an exclusive one.
    case shared
    /// No other process may have a lock. Does not wait.
    case exclusive
    /// No other process may have a lock. Waits until none has.
    case exclusiveAfterOthers

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH
      case .exclusive: LOCK_EX | LOCK_NB
      case .exclusiveAfterOthers: LOCK_EX
      }
    }
  }

  private let descriptor: Int32

  /// Locks a folder, but not one that a symbolic link names if `followsLinks` is false.
  /// - Throws: `AtomicFile.Failure`: `EWOULDBLOCK` if another process has the lock, `ENOENT` if there is no such folder,
  ///   also because the process that had the lock removed it.
  package init(_ folder: URL, _ kind: Kind, followsLinks: Bool = true) throws(AtomicFile.Failure) {
    let path = folder.path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw AtomicFile.Failure(number: errno) }
    while flock(descriptor, kind.operation) != 0 {
      // `deinit` closes the descriptor.
      guard errno == EINTR else { throw AtomicFile.Failure(number: errno) }
    }
    var (locked, named) = (stat(), stat())
    guard fstat(descriptor, &locked) == 0, stat(path, &named) == 0, locked.st_dev == named.st_dev,
      locked.st_ino == named.st_ino
    else { throw AtomicFile.Failure(number: ENOENT) }
  }

  /// Creates a folder if it does not exist, and waits until no other process has locked it. No thread waits.
  /// - Throws: `AtomicFile.Failure`, `CancellationError`, errors of Foundation.
  package static func exclusive(creating folder: URL) async throws -> FolderLock {
    while true {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      do {
        return try FolderLock(folder, .exclusive)
      } catch  where error.number == ENOENT {
        continue
      } catch  where error.number == EWOULDBLOCK {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The space of a disk.
package enum DiskSpace {
  /// The free space of a folder's disk for this user, in bytes; nil if unknown.
  package static func free(_ path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isMore ? .max : Int64(clamping: bytes)
  }
}
