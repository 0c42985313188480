import FileSupport
import Foundation

/// The file system of this machine.
public struct SystemDisk: RecordingDisk {
  /// Creates a value; it has no state.
  public init() {}

  /// Creates a folder with mode 0700, and makes it durable.
  public func makeFolder(_ url: URL) throws {
    guard mkdir(url.path, 0o700) == 0 else { throw Self.error("create the folder", url) }
    try Self.synchronizeFolder(url.deletingLastPathComponent())
  }

  /// Opens a file, or creates one with mode 0600, and locks it. The lock ends with the process.
  public func open(_ url: URL, isNew: Bool) throws -> any RecordingFile {
    let flags = O_RDWR | O_CLOEXEC | (isNew ? O_CREAT | O_EXCL : 0)
    let descriptor = Foundation.open(url.path, flags, 0o600)
    guard descriptor >= 0 else { throw Self.error(isNew ? "create" : "open", url) }
    // The system releases the lock when the process ends, also after a crash.
    guard lock(descriptor) else {
      defer { Foundation.close(descriptor) }
      throw errno == EWOULDBLOCK ? RecordingError.inUse(path: url.path) : Self.error("lock", url)
    }
    if isNew { try Self.synchronizeFolder(url.deletingLastPathComponent()) }
    return SystemDiskFile(descriptor: descriptor, url: url)
  }

  /// Locks a file. `isInUse` has a shared lock for a moment, and many processes may ask, so this tries for a second unless
  /// a process has the file open.
  private func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<500 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK, flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return false }
      flock(descriptor, LOCK_UN)
      usleep(2000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Whether a process has the file open through `open(_:isNew:)`.
  package func isInUse(_ url: URL) -> Bool {
    let descriptor = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Foundation.close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Reads a whole file.
  public func read(_ url: URL) throws -> Data {
    guard let data = FileManager.default.contents(atPath: url.path) else { throw Self.error("read", url) }
    return data
  }

  /// Writes a temporary file in the same folder, makes it durable, and renames it.
  public func replace(_ url: URL, with data: Data) throws {
    let draft = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).part")
    // A killed process may have left one.
    unlink(draft.path)
    do {
      let file = try AtomicFile(url.path, temporary: draft.path, permissions: 0o600)
      try file.write(data)
      try file.publish()
    } catch {
      throw RecordingError.system(action: "write", path: url.path, number: error.number)
    }
    try Self.synchronizeFolder(url.deletingLastPathComponent())
  }

  /// Sets the protection of a file or folder, on Apple's platforms.
  public func protect(_ url: URL, _ protection: FileProtection) { protection.protect(url) }

  /// Free bytes in the file system of the folder.
  public func freeBytes(_ folder: URL) -> Int64? { DiskSpace.free(folder.path) }

  /// A file's name is durable only when its folder is.
  private static func synchronizeFolder(_ url: URL) throws {
    let descriptor = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("open the folder", url) }
    defer { Foundation.close(descriptor) }
    // EINVAL: this file system cannot synchronize folders.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw error("synchronize the folder", url) }
  }

  static func error(_ action: String, _ url: URL) -> RecordingError {
    .system(action: action, path: url.path, number: errno)
  }
}
