import Foundation

/// An open file of the machine's file system.
package final class SystemDiskFile: RecordingFile {
  private var descriptor: Int32
  private let url: URL

  init(descriptor: Int32, url: URL) {
    self.descriptor = descriptor
    self.url = url
  }

  package func length() throws -> UInt64 {
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw SystemDisk.error("get the length of", url) }
    return UInt64(end)
  }

  package func write(_ data: Data, at offset: UInt64) throws {
    var done = 0
    while done < data.count {
      let written = data.withUnsafeBytes { bytes in
        pwrite(
          descriptor, bytes.baseAddress?.advanced(by: done), data.count - done, off_t(offset) + off_t(done))
      }
      if written > 0 {
        done += written
      } else if written == 0 {
        errno = ENOSPC
        throw SystemDisk.error("write", url)
      } else if errno != EINTR {
        throw SystemDisk.error("write", url)
      }
    }
  }

  package func extend(to length: UInt64) throws {
    guard try self.length() < length else { return }
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw SystemDisk.error("extend", url) }
  }

  /// Ends the file at a length.
  package func cut(to length: UInt64) throws {
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw SystemDisk.error("shorten", url) }
  }

  package func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw SystemDisk.error("synchronize", url) }
  }

  package func close() {
    if descriptor >= 0 { Foundation.close(descriptor) }
    descriptor = -1
  }
}
