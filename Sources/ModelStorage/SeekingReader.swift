import Glibc

/// Reads a file from its beginning to its end in small parts, and seeks over what is not needed.
struct SeekingReader: ~Copyable {
  private static let bufferSize = 4096

  let size: UInt64
  /// The offset of the next byte.
  private(set) var offset: UInt64 = 0
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var bufferStart: UInt64 = 0

  /// Opens a regular file; nil if there is none or it may not be read.
  init?(path: String) {
    // A pipe would block here without O_NONBLOCK.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    size = UInt64(status.st_size)
  }

  deinit { close(descriptor) }

  /// The next byte; nil at the end of the file.
  mutating func byte() -> UInt8? {
    if offset < bufferStart || offset >= bufferStart + UInt64(buffer.count) { fill() }
    guard offset - bufferStart < UInt64(buffer.count) else { return nil }
    defer { offset += 1 }
    return buffer[Int(offset - bufferStart)]
  }

  /// The next `count` bytes, which the caller has bounded; nil if the file has fewer.
  mutating func bytes(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard let byte = byte() else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// Moves on to an offset within the file.
  mutating func seek(to offset: UInt64) { self.offset = offset }

  private mutating func fill() {
    bufferStart = offset
    let (descriptor, offset) = (descriptor, offset)
    buffer = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, Self.bufferSize, off_t(offset)))
    }
  }
}
