import Foundation

/// Bytes that media objects share without copying them.
///
/// On Linux they are always one contiguous block, which this object owns. As on Apple platforms the type is not `Sendable`,
/// because every holder may write to the bytes.
public final class CMBlockBuffer {
  /// The errors of a block buffer, with Apple's status codes.
  public enum Error {
    /// There is not enough memory.
    public static let blockAllocationFailed = NSError(status: -12701)
    /// An offset lies outside the buffer.
    public static let badOffsetParameter = NSError(status: -12703)
    /// A length is not positive, or goes beyond the end of the buffer.
    public static let badLengthParameter = NSError(status: -12704)
  }

  /// How a buffer allocates its memory. Linux always allocates it immediately.
  public struct Flags: OptionSet, Sendable {
    /// The bits of all flags.
    public let rawValue: UInt32

    /// Creates the flags whose bits are set in `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Allocate the memory immediately.
    public static let assureMemoryNow = Flags(rawValue: 1 << 0)
  }

  private let bytes: UnsafeMutableRawBufferPointer

  /// Creates a buffer of `length` zero bytes; on Apple platforms their values are undefined. `length` must be positive.
  public init(length: Int, allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []) throws {
    guard length > 0 else { throw Error.badLengthParameter }
    guard let memory = calloc(length, 1) else { throw Error.blockAllocationFailed }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: length)
  }

  deinit { free(bytes.baseAddress) }

  /// The number of bytes.
  public var dataLength: Int { bytes.count }

  /// Whether the bytes are in one block; always true on Linux.
  public var isContiguous: Bool { true }

  /// Calls `body` with the bytes. The pointer is valid only during the call.
  public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    try body(UnsafeRawBufferPointer(bytes))
  }

  /// Calls `body` with the bytes from `offset` on, to read or change them. The pointer is valid only during the call.
  public func withUnsafeMutableBytes<R>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) throws -> R {
    guard bytes.indices.contains(offset) else { throw Error.badOffsetParameter }
    return try body(UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
  }

  /// A copy of the bytes.
  public func dataBytes() throws -> Data { Data(bytes) }

  /// Fills `destination` with the first bytes of the buffer, which must be at least as long.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
    guard destination.count <= bytes.count else { throw Error.badLengthParameter }
    destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<destination.count]))
  }

  /// Copies `source` to the start of the buffer, which must be at least as long.
  public func replaceDataBytes(with source: UnsafeRawBufferPointer) throws {
    guard source.count <= bytes.count else { throw Error.badLengthParameter }
    bytes.copyMemory(from: source)
  }
}

/// The number of bytes in `theBuffer`.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }
