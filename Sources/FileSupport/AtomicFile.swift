import Foundation

/// A file that gets its name only when all of its bytes are on the disk.
///
/// The bytes go to a temporary file in the same folder. `publish(replacing:)` makes them durable, and then renames the
/// temporary file in one step. A file that is never published is removed. Use it from one thread at a time.
///
/// ```swift
/// let file = try AtomicFile("/data/model")
/// try file.write(Data("text".utf8))
/// try file.publish()
/// ```
package final class AtomicFile {
  /// A system call that failed.
  package struct Failure: Error, Equatable {
    /// The value of `errno`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The failure as Foundation's functions report it.
    package func cocoaError(path: String) -> CocoaError {
      let code: CocoaError.Code =
        switch number {
        case ENOENT, ENOTDIR: .fileNoSuchFile
        case EACCES, EPERM: .fileWriteNoPermission
        case EEXIST: .fileWriteFileExists
        case ENOSPC, EDQUOT: .fileWriteOutOfSpace
        case EROFS: .fileWriteVolumeReadOnly
        default: .fileWriteUnknown
        }
      let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(number))
      return CocoaError(code, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: cause])
    }
  }

  private enum State { case open, closed, published }

  /// The open temporary file, for libraries that write to a descriptor.
  package let descriptor: Int32
  private let path: String
  private let temporary: String
  private var state = State.open

  /// Creates the temporary file.
  /// - Parameters:
  ///   - path: the name that the file gets in the end.
  ///   - temporary: a path in the same folder that does not exist; nil chooses one.
  ///   - permissions: the file's mode, before the process's umask.
  package init(_ path: String, temporary: String? = nil, permissions: mode_t = 0o666) throws(Failure) {
    let temporary = temporary ?? "\(path).\(UUID().uuidString).part"
    let descriptor = open(temporary.systemName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    // Before all properties are set: `deinit` must not remove a file that another process has created.
    guard descriptor >= 0 else { throw Failure(number: errno) }
    self.path = path
    self.temporary = temporary
    self.descriptor = descriptor
  }

  deinit {
    if state == .open { close(descriptor) }
    if state != .published { unlink(temporary.systemName) }
  }

  /// Appends bytes.
  package func write(_ data: Data) throws(Failure) { try Self.write(data, to: descriptor) }

  /// Writes all of `data` to an open file.
  package static func write(_ data: Data, to descriptor: Int32) throws(Failure) {
    var written = 0
    while written < data.count {
      let count = data.withUnsafeBytes { bytes in
        Foundation.write(descriptor, bytes.baseAddress?.advanced(by: written), data.count - written)
      }
      if count > 0 {
        written += count
      } else if count == 0 {
        throw Failure(number: ENOSPC)
      } else if errno != EINTR {
        throw Failure(number: errno)
      }
    }
  }

  /// Makes the bytes durable and gives the file its name. Nothing can be written afterwards.
  /// - Parameter replacing: whether a file of that name is replaced; if not, its existence is the failure `EEXIST`.
  package func publish(replacing: Bool = true) throws(Failure) {
    guard fsync(descriptor) == 0 else { throw Failure(number: errno) }
    state = .closed
    // Some file systems report only here that the bytes did not arrive.
    guard close(descriptor) == 0 else { throw Failure(number: errno) }
    if replacing { try rename() } else { try link() }
    state = .published
    synchronizeFolder()
  }

  private func rename() throws(Failure) {
    guard Foundation.rename(temporary.systemName, path.systemName) == 0 else { throw Failure(number: errno) }
  }

  /// Gives the file its name if no other file has it. Unlike `rename`, `link` never replaces a file.
  private func link() throws(Failure) {
    if Foundation.link(temporary.systemName, path.systemName) == 0 {
      unlink(temporary.systemName)
      return
    }
    switch errno {
    case EPERM, ENOTSUP, ENOSYS, EMLINK, EACCES:
      // A file system without hard links (FAT, some network shares): create an empty file of that name, which only
      // one process can, then replace it.
      let reserved = open(path.systemName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard reserved >= 0 else { throw Failure(number: errno) }
      close(reserved)
      do { try rename() } catch {
        unlink(path.systemName)
        throw error
      }
    case let number: throw Failure(number: number)
    }
  }

  /// Makes the new name durable. Where a folder cannot be synchronized, there is no other way.
  private func synchronizeFolder() {
    let folder = open(
      URL(fileURLWithPath: path).deletingLastPathComponent().path.systemName, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}
