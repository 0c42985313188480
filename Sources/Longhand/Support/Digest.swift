import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Digests
#endif

/// Computes digests.
enum Digest {
  /// SHA-256 (FIPS 180-4), in lowercase hexadecimal digits.
  static func sha256(of content: Data) -> String {
    #if canImport(CryptoKit)
      return SHA256.hash(data: content).map { String(format: "%02x", $0) }.joined()
    #else
      var digest = SHA256()
      digest.update(content)
      return digest.hexadecimal()
    #endif
  }
}
