import Foundation

#if canImport(Darwin)
  @_exported import CryptoKit
#else
  import CNettle

  /// SHA-256 by the library Nettle, with the declarations of Apple's CryptoKit, so that callers compile on both platforms.
  ///
  /// This module is not named `CryptoKit`. Other packages ask `canImport(CryptoKit)` to choose between it and swift-crypto;
  /// a CryptoKit with one hash function would break them in a program that uses both.
  package struct SHA256: Sendable {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    /// The digest of bytes that are in memory.
    package static func hash(data: some DataProtocol) -> SHA256Digest {
      var function = SHA256()
      function.update(data: data)
      return function.finalize()
    }

    /// Adds bytes to the end of the message.
    package mutating func update(data: some DataProtocol) {
      for region in data.regions {
        region.withUnsafeBytes {
          nettle_sha256_update(&context, $0.count, $0.bindMemory(to: UInt8.self).baseAddress)
        }
      }
    }

    /// The digest of all bytes so far.
    package func finalize() -> SHA256Digest {
      var (last, bytes) = (context, [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE)))
      nettle_sha256_digest(&last, bytes.count, &bytes)
      return SHA256Digest(bytes: bytes)
    }
  }

  /// The 32 bytes that SHA-256 computes.
  package struct SHA256Digest: Hashable, Sequence, Sendable {
    fileprivate let bytes: [UInt8]

    package func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }
  }
#endif

extension SHA256Digest {
  /// The digest in lowercase hexadecimal digits.
  package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension SHA256 {
  /// The digest of a file, which is read in parts of 1 MB.
  /// - Parameter length: how many bytes of its beginning are read at most.
  /// - Throws: `CocoaError` if the file cannot be read; `CancellationError`.
  package static func hash(contentsOf file: URL, first length: Int64 = .max) throws -> SHA256Digest {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var function = SHA256()
    var left = length
    while left > 0, let part = try handle.read(upToCount: Int(min(left, 1 << 20))), !part.isEmpty {
      try Task.checkCancellation()
      function.update(data: part)
      left -= Int64(part.count)
    }
    return function.finalize()
  }
}
