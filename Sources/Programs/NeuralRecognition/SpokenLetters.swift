/// The letters of a text as it is written token by token, without marks, capitals and spaces at its ends. Texts with equal
/// letters are forms of one text: "Two-day" and "two day."
package struct SpokenLetters: Hashable {
  private var bytes: [UInt8] = []
  private var isBetweenWords = false
  /// Whether an apostrophe follows, which is a letter between two letters.
  private var isAfterApostrophe = false
  /// Bytes of a character that may be a mark.
  private var open = 0

  package mutating func append(_ token: [UInt8]) {
    for byte in token { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    switch (open, byte) {
    // U+2000 to U+203F are spaces, dashes, quotation marks and dots.
    case (0, 0xE2): open = 1
    case (1, 0x80): open = 2
    case (2, _):
      open = 0
      // A curly apostrophe.
      if byte == 0x99 { isAfterApostrophe = true } else { isBetweenWords = true }
    default:
      if open == 1 { add(0xE2) }
      open = 0
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: add(byte)
      case UInt8(ascii: "'"): isAfterApostrophe = true
      // What is said.
      case UInt8(ascii: "&"), UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "+"): add(byte)
      default: isBetweenWords = true
      }
    }
  }

  private mutating func add(_ byte: UInt8) {
    if !bytes.isEmpty {
      if isBetweenWords {
        bytes.append(UInt8(ascii: " "))
      } else if isAfterApostrophe {
        bytes.append(UInt8(ascii: "'"))
      }
    }
    isBetweenWords = false
    isAfterApostrophe = false
    bytes.append(byte)
  }

  // What a text has after its last letter does not count.
  package static func == (one: Self, other: Self) -> Bool {
    one.bytes == other.bytes && one.open == other.open
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
