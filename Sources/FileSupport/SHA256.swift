import Foundation

#if canImport(Darwin)
  @_exported import CryptoKit
#else
  /// SHA-256 (FIPS 180-4) with the declarations of Apple's CryptoKit, so that callers compile on both platforms.
  ///
  /// This module is not named `CryptoKit`. Other packages ask `canImport(CryptoKit)` to choose between it and swift-crypto;
  /// a CryptoKit with one hash function would break them in a program that uses both.
  package struct SHA256 {
    private static let constants: [UInt32] = [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
      0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
      0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
      0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
      0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
      0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
      0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var length: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: 64)

    package init() {}

    /// The digest of bytes that are in memory.
    package static func hash(data: some DataProtocol) -> SHA256Digest {
      var function = SHA256()
      function.update(data: data)
      return function.finalize()
    }

    /// Adds bytes to the end of the message.
    package mutating func update(data: some DataProtocol) {
      length += UInt64(data.count)
      for region in data.regions { region.withUnsafeBytes { pending.append(contentsOf: $0) } }
      let whole = pending.count / 64 * 64
      pending.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: whole, by: 64) {
          Self.mix(bytes, at: start, into: &state, schedule: &schedule)
        }
      }
      pending.removeFirst(whole)
    }

    /// The digest of all bytes so far.
    package func finalize() -> SHA256Digest {
      var last = self
      var padding = Data([0x80])
      padding.append(Data(count: (119 - Int(length % 64)) % 64))
      withUnsafeBytes(of: (length * 8).bigEndian) { padding.append(contentsOf: $0) }
      last.update(data: padding)
      return SHA256Digest(
        bytes: last.state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    }

    private static func mix(
      _ bytes: UnsafeRawBufferPointer, at start: Int, into state: inout [UInt32], schedule: inout [UInt32]
    ) {
      func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
      for index in 0..<16 {
        schedule[index] = UInt32(
          bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
      }
      for index in 16..<64 {
        let old = schedule[index - 15]
        let recent = schedule[index - 2]
        let first = rotate(old, 7) ^ rotate(old, 18) ^ old >> 3
        let second = rotate(recent, 17) ^ rotate(recent, 19) ^ recent >> 10
        schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for index in 0..<64 {
        let choice = (e & f) ^ (~e & g)
        let sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
        let first = h &+ sum &+ choice &+ constants[index] &+ schedule[index]
        let majority = (a & b) ^ (a & c) ^ (b & c)
        let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
      for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
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
  package var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}

extension SHA256 {
  /// The digest of a file, which is read in parts of 1 MB.
  /// - Throws: `CocoaError` if the file cannot be read; `CancellationError`.
  package static func hash(contentsOf file: URL) throws -> SHA256Digest {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var function = SHA256()
    while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
      try Task.checkCancellation()
      function.update(data: part)
    }
    return function.finalize()
  }
}
