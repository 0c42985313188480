import Foundation

/// Bytes of media that cannot be changed.
///
/// On Linux they are always one contiguous block, which is a copy of the bytes that the buffer was created from. Apple's
/// functions that compose a buffer of parts are missing.
public struct CMReadOnlyDataBlockBuffer: DataProtocol, CMSampleBuffer.Content {
  private let bytes: Data

  /// Creates a buffer with the bytes of `data`.
  public init(_ data: Data) {
    // A slice of data may begin at another index.
    bytes = data.startIndex == 0 ? data : Data(data)
  }

  /// Creates a buffer with the bytes of `unsafeBlockBuffer`. On Linux they are copied.
  public init(unsafeBlockBuffer: sending CMBlockBuffer) {
    // Copying the bytes of a buffer does not fail.
    self.init((try? unsafeBlockBuffer.dataBytes()) ?? Data())
  }

  /// The index of the first byte: 0.
  public var startIndex: Int { 0 }
  /// The number of bytes.
  public var endIndex: Int { bytes.count }
  /// The byte at `position`.
  public subscript(position: Int) -> UInt8 { bytes[position] }
  /// The contiguous parts of the buffer; on Linux one.
  public var regions: CollectionOfOne<Data> { CollectionOfOne(bytes) }
  /// Whether the bytes are in one block; always true on Linux.
  public var isContiguous: Bool { true }

  /// Calls `body` with the bytes. The pointer is valid only during the call.
  public func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> R
  ) rethrows -> R? {
    try bytes.withContiguousStorageIfAvailable(body)
  }
}
