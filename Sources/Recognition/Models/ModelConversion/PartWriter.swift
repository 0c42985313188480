import Foundation

/// Writes a new file in parts. The file is removed unless it is finished.
struct PartWriter: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isFinished = false

  init(path: String) throws(ConversionError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(errno, path: path) }
    self.path = path
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path) }
  }

  mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  mutating func append(_ number: Int) {
    withUnsafeBytes(of: Int32(truncatingIfNeeded: number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func flush(ifLargerThan size: Int = 0) throws(ConversionError) {
    guard bytes.count > size else { return }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Foundation.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw .system(count == 0 ? ENOSPC : errno, path: path)
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Makes the bytes durable.
  mutating func finish() throws(ConversionError) {
    try flush()
    guard fsync(descriptor) == 0 else { throw .system(errno, path: path) }
    isFinished = true
  }
}
