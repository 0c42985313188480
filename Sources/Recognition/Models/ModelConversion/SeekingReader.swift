import Foundation

/// Reads a file from its beginning to its end in small parts, and seeks over what is not needed.
package struct SeekingReader: ~Copyable {
  private static let bufferSize = 4096

  package let size: UInt64
  /// The offset of the next byte.
  package private(set) var offset: UInt64 = 0
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var bufferStart: UInt64 = 0

  /// Opens a regular file; nil if there is none or it may not be read.
  package init?(path: String) {
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
  package mutating func byte() -> UInt8? {
    if offset < bufferStart || offset >= bufferStart + UInt64(buffer.count) { fill() }
    guard offset - bufferStart < UInt64(buffer.count) else { return nil }
    defer { offset += 1 }
    return buffer[Int(offset - bufferStart)]
  }

  /// The next `count` bytes, which the caller has bounded; nil if the file has fewer.
  package mutating func bytes(_ count: Int) -> [UInt8]? {
    if count > Self.bufferSize { return part(count) }
    if let start = buffered(count) { return Array(buffer[start..<start + count]) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard let byte = byte() else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// The next number, with its least significant byte first; nil at the end of the file.
  package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    if let start = buffered(Number.bitWidth / 8) {
      let value = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Number.self) }
      return Number(littleEndian: value)
    }
    var value: Number = 0
    for index in 0..<Number.bitWidth / 8 {
      guard let byte = byte() else { return nil }
      value |= Number(truncatingIfNeeded: byte) << (index * 8)
    }
    return value
  }

  /// Moves past the next `count` bytes if all are in the buffer, and returns where they begin there: a vocabulary has
  /// 50,000 lengths and names.
  private mutating func buffered(_ count: Int) -> Int? {
    guard offset >= bufferStart, offset - bufferStart <= UInt64(buffer.count) else { return nil }
    let start = Int(offset - bufferStart)
    guard count <= buffer.count - start else { return nil }
    offset += UInt64(count)
    return start
  }

  /// Moves on to an offset within the file.
  package mutating func seek(to offset: UInt64) { self.offset = offset }

  /// Bytes past the buffer.
  private mutating func part(_ count: Int) -> [UInt8]? {
    guard offset <= size, UInt64(count) <= size - offset else { return nil }
    let (descriptor, offset) = (descriptor, offset)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let done = pread(descriptor, base + filled, count - filled, off_t(offset) + off_t(filled))
        if done <= 0 { break }
        filled += done
      }
    }
    guard bytes.count == count else { return nil }
    self.offset += UInt64(count)
    return bytes
  }

  private mutating func fill() {
    bufferStart = offset
    let (descriptor, offset) = (descriptor, offset)
    buffer = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, Self.bufferSize, off_t(offset)))
    }
  }
}
