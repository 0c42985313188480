import FileSupport
import Foundation
import Testing

/// The known answers are the examples of FIPS 180-4 and of NIST's test vectors.
@Suite struct SHA256Tests {
  private static let answers = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 100_000),
      "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
    ),
  ]

  @Test(arguments: answers)
  func digestEqualsTheKnownAnswer(text: String, expected: String) {
    #expect(SHA256.hash(data: Data(text.utf8)).hexadecimal == expected)
  }

  @Test(arguments: answers)
  func digestDoesNotDependOnHowTheBytesArrive(text: String, expected: String) {
    var function = SHA256()
    for start in stride(from: 0, to: text.utf8.count, by: 37) {
      function.update(data: Array(text.utf8.dropFirst(start).prefix(37)))
    }
    #expect(function.finalize().hexadecimal == expected)
    // Finalizing does not end the function: CryptoKit's can go on, too.
    #expect(function.finalize().hexadecimal == expected)
  }

  @Test func digestOfFileEqualsDigestOfItsBytes() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    // More than one part of those in which files are read.
    let data = Data((0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
    try data.write(to: file)
    let digest = try SHA256.hash(contentsOf: file)
    #expect(digest == SHA256.hash(data: data))
    #expect(throws: CocoaError.self) { try SHA256.hash(contentsOf: file.appendingPathComponent("missing")) }
  }
}
