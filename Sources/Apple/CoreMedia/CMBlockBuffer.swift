import Foundation

/// Bytes that media objects hand to each other without copying them.
///
/// On Linux always one contiguous block, which belongs to this object. As on Apple's systems it is not
/// `Sendable`: whoever holds it may write to it.
public final class CMBlockBuffer {
  /// What can go wrong with a block buffer, each with Apple's status code.
  public enum Error {
    /// There is not that much memory.
    public static let blockAllocationFailed = NSError(status: -12701)
    /// An offset lies outside the buffer.
    public static let badOffsetParameter = NSError(status: -12703)
    /// A length is not positive, or reaches beyond the buffer.
    public static let badLengthParameter = NSError(status: -12704)
  }

  /// How a buffer gets its memory; Linux allocates it at once in any case.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// The flags whose bits are set in `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Allocate the memory at once.
    public static let assureMemoryNow = Flags(rawValue: 1 << 0)
  }

  private let bytes: UnsafeMutableRawBufferPointer

  /// A buffer of `length` bytes, which must be positive. They are zero at first; Apple leaves them undefined.
  public init(length: Int, allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []) throws {
    guard length > 0 else { throw Error.badLengthParameter }
    guard let memory = calloc(length, 1) else { throw Error.blockAllocationFailed }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: length)
  }

  deinit { free(bytes.baseAddress) }

  /// How many bytes there are.
  public var dataLength: Int { bytes.count }

  /// Whether the bytes lie in one block, as they always do on Linux.
  public var isContiguous: Bool { true }

  /// Calls `body` with the bytes, which it must not keep.
  public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    try body(UnsafeRawBufferPointer(bytes))
  }

  /// Calls `body` with the bytes from `offset` on, which it may change but must not keep.
  public func withUnsafeMutableBytes<R>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) throws -> R {
    guard bytes.indices.contains(offset) else { throw Error.badOffsetParameter }
    return try body(UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
  }

  /// A copy of the bytes.
  public func dataBytes() throws -> Data { Data(bytes) }

  /// Fills `destination` from the start of the buffer, which must be at least as long.
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

/// How many bytes `theBuffer` has.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }
