import FileSupport
import Foundation
import Glibc

/// A folder that this program alone uses, among the programs that lock it. It is unlocked with this object.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Creates the folder if it does not exist, and waits until no other program has locked it.
  /// - Throws: `AtomicFile.Failure`, `CancellationError`.
  package init(_ folder: URL) async throws {
    while true {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw AtomicFile.Failure(number: errno) }
      do {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
          guard errno == EWOULDBLOCK || errno == EINTR else { throw AtomicFile.Failure(number: errno) }
          try await Task.sleep(for: .milliseconds(100))
        }
      } catch {
        close(descriptor)
        throw error
      }
      // The program that had the lock may have removed the folder.
      if Self.isSame(descriptor, folder) {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  deinit { close(descriptor) }

  private static func isSame(_ descriptor: Int32, _ folder: URL) -> Bool {
    var locked = Glibc.stat()
    var named = Glibc.stat()
    return fstat(descriptor, &locked) == 0 && stat(folder.path, &named) == 0 && locked.st_dev == named.st_dev
      && locked.st_ino == named.st_ino
  }
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
