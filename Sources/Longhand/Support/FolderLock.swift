import Foundation

/// A lock on a folder that processes agree on. The system releases it when the process ends.
struct FolderLock {
  /// What others may do meanwhile.
  enum Kind {
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

  /// - Returns: nil if another process has the lock, or if the folder cannot be locked.
  init?(_ folder: URL, _ kind: Kind) {
    descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, kind.operation) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        return nil
      }
    }
  }

  func release() { close(descriptor) }
}
