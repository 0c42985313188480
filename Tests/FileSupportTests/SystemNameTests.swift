import FileSupport
import Testing

@Suite struct SystemNameTests {
  private func bytes(_ name: String) -> [UInt8] { name.systemName.dropLast().map { UInt8(bitPattern: $0) } }

  @Test func everyNameBecomesTheSameBytes() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...12, using: &generator)
      // Whole and cut characters of every length, and the private ones that stand for bytes.
      let parts: [[UInt8]] = [
        [UInt8.random(in: 1...255, using: &generator)], Array("é".utf8), Array("文".utf8), Array("👩".utf8),
        [0xF4, 0x8F, 0xBB, UInt8.random(in: 0x80...0xBF, using: &generator)], [0xF4, 0x8F], [0xC0, 0xAF],
        [0xED, 0xA0, 0x80],
      ]
      let name = (0..<count).flatMap { _ in parts.randomElement(using: &generator) ?? [] }
      #expect(bytes(String(systemName: name)) == name)
    }
  }

  @Test func unicodeStaysAsItIs() {
    for name in ["", "talk.wav", "é文👩\u{301}", "a\u{FFFD}b"] {
      let decoded = String(systemName: Array(name.utf8))
      #expect(decoded == name)
      #expect(decoded.isUnicodeName)
      #expect(decoded.readableName == name)
    }
  }

  @Test func bytesThatAreNotUnicodeAreReadable() {
    let name = String(systemName: Array("caf".utf8) + [0xE9, 0x0A] + Array("文".utf8))
    #expect(!name.isUnicodeName)
    #expect(name.readableName == "caf\\xE9\n文")
  }
}
