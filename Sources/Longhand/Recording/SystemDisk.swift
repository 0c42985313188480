import FileSupport
import Foundation

/// The file system of this machine.
public struct SystemDisk: RecordingDisk {
  /// The file system of this machine.
  public init() {}

  /// Makes a folder of mode 0700, durably.
  public func makeFolder(_ url: URL) throws {
    guard mkdir(url.path, 0o700) == 0 else { throw Self.error("make the folder", url) }
    try Self.synchronizeFolder(url.deletingLastPathComponent())
  }

  /// Opens or makes a file of mode 0600 with a lock that goes with the process.
  public func open(_ url: URL, isNew: Bool) throws -> any RecordingFile {
    let flags = O_RDWR | O_CLOEXEC | (isNew ? O_CREAT | O_EXCL : 0)
    let descriptor = Foundation.open(url.path, flags, 0o600)
    guard descriptor >= 0 else { throw Self.error(isNew ? "make" : "open", url) }
    // The lock goes with the process, however that ends.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      defer { Foundation.close(descriptor) }
      throw errno == EWOULDBLOCK ? RecordingError.inUse(path: url.path) : Self.error("lock", url)
    }
    if isNew { try Self.synchronizeFolder(url.deletingLastPathComponent()) }
    return SystemDiskFile(descriptor: descriptor, url: url)
  }

  /// Whether somebody has the file open, as `open(_:isNew:)` opens it.
  func isInUse(_ url: URL) -> Bool {
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

  /// Writes beside it under another name, makes that durable, and renames it.
  public func replace(_ url: URL, with data: Data) throws {
    let draft = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).part")
    // One that a killed process left is in nobody's way.
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

  /// Bytes that are free in the file system of the folder.
  public func freeBytes(_ folder: URL) -> Int64? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// A file's name is durable only when its folder is.
  private static func synchronizeFolder(_ url: URL) throws {
    let descriptor = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("open the folder", url) }
    defer { Foundation.close(descriptor) }
    // Where a folder cannot be synchronized there is nothing to do about it.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw error("make durable the folder", url) }
  }

  static func error(_ action: String, _ url: URL) -> RecordingError {
    .system(action: action, path: url.path, number: errno)
  }
}
