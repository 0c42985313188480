import Foundation

/// Converts JSON5 to JSON, with the line and column of errors.
///
/// Foundation reads JSON5, but not all of it (line continuations, `\v`, `\0`). It also silently takes the first of two equal
/// keys, and its errors have no location. The grammar is that of json5.org, version 1.0.0.
struct JSON5Text {
  /// An error and its location, counted from 1.
  struct SyntaxError: Error, Equatable {
    var line: Int
    var column: Int
    var problem: String
  }

  /// Deeper than any real file.
  private static let maxDepth = 64

  private let text: [UInt8]
  private var offset = 0
  private var depth = 0
  private var json: [UInt8] = []

  /// Converts a document.
  /// - Parameter text: UTF-8.
  /// - Throws: `SyntaxError`.
  static func json(_ text: Data) throws(SyntaxError) -> Data {
    var reader = JSON5Text(text: Array(text))
    return try reader.document()
  }

  private init(text: [UInt8]) {
    self.text = text
    json.reserveCapacity(text.count)
    // A byte order mark.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  private mutating func document() throws(SyntaxError) -> Data {
    try value()
    try skip()
    if offset < text.count { throw failure("unexpected text after the end of the document") }
    return Data(json)
  }

  private var next: UInt8? { offset < text.count ? text[offset] : nil }

  private func failure(_ problem: String, at offset: Int? = nil) -> SyntaxError {
    let before = text[..<min(offset ?? self.offset, text.count)]
    let start = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    return SyntaxError(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: String(decoding: before[start...], as: UTF8.self).count + 1, problem: problem)
  }

  private mutating func take(_ byte: Character) -> Bool {
    guard let value = byte.asciiValue, next == value else { return false }
    offset += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard text[offset...].starts(with: word.utf8) else { return false }
    offset += word.utf8.count
    return true
  }

  // MARK: Between values

  /// Skips white space and comments.
  private mutating func skip() throws(SyntaxError) {
    while let byte = next {
      if (9...13).contains(byte) || byte == 0x20 {
        offset += 1
      } else if byte >= 0x80, let width = spaceWidth {
        offset += width
      } else if take(word: "//") {
        while let byte = next, byte != 0x0A, byte != 0x0D { offset += 1 }
      } else if take(word: "/*") {
        let start = offset - 2
        while !take(word: "*/") {
          guard offset < text.count else { throw failure("the comment has no end; add '*/'", at: start) }
          offset += 1
        }
      } else {
        return
      }
    }
  }

  /// The number of bytes of a space outside ASCII; nil if there is none.
  private var spaceWidth: Int? {
    let spaces = [
      "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{3000}", "\u{1680}", "\u{202F}", "\u{205F}",
    ]
    if let space = spaces.first(where: { text[offset...].starts(with: $0.utf8) }) { return space.utf8.count }
    // U+2000 to U+200A.
    let isWide = text[offset...].starts(with: [0xE2, 0x80]) && offset + 2 < text.count
    return isWide && (0x80...0x8A).contains(text[offset + 2]) ? 3 : nil
  }

  // MARK: Values

  private mutating func value() throws(SyntaxError) {
    try skip()
    switch next {
    case nil: throw failure("the text ends where a value is missing")
    case UInt8(ascii: "{"):
      try members(until: "}") { reader, keys throws(SyntaxError) in try reader.member(&keys) }
    case UInt8(ascii: "["): try members(until: "]") { reader, _ throws(SyntaxError) in try reader.value() }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): json += Self.quoted(try string())
    default: try word()
    }
  }

  /// The members of an object or array, separated by commas.
  private mutating func members(
    until end: Character, _ member: (inout Self, inout Set<String>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    let start = offset
    depth += 1
    guard depth <= Self.maxDepth else { throw failure("more than \(Self.maxDepth) brackets are nested") }
    json.append(text[offset])
    offset += 1
    var keys: Set<String> = []
    var isFirst = true
    while true {
      try skip()
      if take(end) { break }
      guard offset < text.count else { throw failure("the bracket is not closed", at: start) }
      if !isFirst { json.append(UInt8(ascii: ",")) }
      isFirst = false
      try member(&self, &keys)
      try skip()
      if take(",") { continue }
      if take(end) { break }
      guard offset < text.count else { throw failure("the bracket is not closed", at: start) }
      throw failure("a comma or '\(end)' is missing here")
    }
    json += Array(String(end).utf8)
    depth -= 1
  }

  private mutating func member(_ keys: inout Set<String>) throws(SyntaxError) {
    let start = offset
    let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
    let key = isQuoted ? try string() : try name()
    guard keys.insert(key).inserted else {
      throw failure("the key '\(key)' is there twice; remove one", at: start)
    }
    try skip()
    guard take(":") else { throw failure("a ':' is missing after the key '\(key)'") }
    json += Self.quoted(key) + [UInt8(ascii: ":")]
    try value()
  }

  /// A key without quotation marks.
  private mutating func name() throws(SyntaxError) -> String {
    let start = offset
    var name: [UInt8] = []
    while let byte = next {
      let isLetter = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "_") || byte >= 0x80
      let isPart =
        isLetter || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
      if byte == UInt8(ascii: "\\") {
        offset += 1
        guard take("u") else { throw failure("a key may only have escapes of the form \\u0041") }
        name += Array(String(try scalar(digits: 4)).utf8)
      } else if isPart, spaceWidth == nil || byte < 0x80 {
        name.append(byte)
        offset += 1
      } else {
        break
      }
    }
    guard let first = name.first, !(0x30...0x39).contains(first) else {
      throw failure("a key is missing here", at: start)
    }
    return String(decoding: name, as: UTF8.self)
  }

  // MARK: Strings

  private mutating func string() throws(SyntaxError) -> String {
    let (start, quote) = (offset, text[offset])
    offset += 1
    var bytes: [UInt8] = []
    while let byte = next, byte != quote {
      switch byte {
      case UInt8(ascii: "\\"):
        offset += 1
        bytes += try escape()
      case 0x0A, 0x0D: throw failure("the text is not closed on its line", at: start)
      default:
        bytes.append(byte)
        offset += 1
      }
    }
    guard offset < text.count else { throw failure("the text is not closed", at: start) }
    offset += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes for the escape after a backslash.
  private mutating func escape() throws(SyntaxError) -> [UInt8] {
    guard let byte = next else { throw failure("the text ends after a backslash") }
    offset += 1
    switch Character(UnicodeScalar(byte)) {
    case "b": return [8]
    case "t": return [9]
    case "n": return [10]
    case "v": return [11]
    case "f": return [12]
    case "r": return [13]
    case "0":
      if let digit = next, (0x30...0x39).contains(digit) {
        throw failure("unknown escape; write \\\\ for a backslash")
      }
      return [0]
    case "x": return Array(String(try scalar(digits: 2)).utf8)
    case "u": return Array(String(try scalar(digits: 4)).utf8)
    case "1"..."9": throw failure("unknown escape; write \\\\ for a backslash", at: offset - 1)
    case "\n": return []
    case "\r":
      _ = take("\n")
      return []
    default:
      // A line separator ends a line, too; any other character stands for itself.
      if byte == 0xE2,
        text[offset...].starts(with: [0x80, 0xA8]) || text[offset...].starts(with: [0x80, 0xA9])
      {
        offset += 2
        return []
      }
      return [byte]
    }
  }

  private mutating func scalar(digits: Int) throws(SyntaxError) -> Unicode.Scalar {
    let high = try hexadecimal(digits)
    if let scalar = Unicode.Scalar(high) { return scalar }
    // A surrogate pair.
    guard (0xD800..<0xDC00).contains(high), take(word: "\\u") else {
      throw failure(
        "an incomplete surrogate pair; write two escapes of the form \\uD83D\\uDE00", at: offset - digits)
    }
    let low = try hexadecimal(4)
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else {
      throw failure(
        "an incomplete surrogate pair; write two escapes of the form \\uD83D\\uDE00", at: offset - 4)
    }
    return scalar
  }

  private mutating func hexadecimal(_ digits: Int) throws(SyntaxError) -> UInt32 {
    let end = offset + digits
    guard end <= text.count, text[offset..<end].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let number = UInt32(String(decoding: text[offset..<end], as: UTF8.self), radix: 16)
    else { throw failure("\(digits) hexadecimal digits are missing here") }
    offset = end
    return number
  }

  private static func quoted(_ text: String) -> [UInt8] {
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
      case ..<0x20: quoted += Array(String(format: "\\u%04x", byte).utf8)
      default: quoted.append(byte)
      }
    }
    return quoted + [UInt8(ascii: "\"")]
  }

  // MARK: Numbers and words

  private mutating func word() throws(SyntaxError) {
    let start = offset
    while let byte = next, byte > 0x20, !",:[]{}\"'/".utf8.contains(byte) { offset += 1 }
    let word = String(decoding: text[start..<offset], as: UTF8.self)
    if ["true", "false", "null"].contains(word) { return json += Array(word.utf8) }
    guard let number = Self.number(word) else {
      throw failure(
        word.isEmpty ? "a value is missing here" : "'\(word)' is not a value; put text in quotation marks",
        at: start)
    }
    json += Array(number.utf8)
  }

  /// A number in the notation of JSON; nil if it is not a number. Infinity and NaN, which JSON does not have, become 1e308.
  private static func number(_ word: String) -> String? {
    let sign = word.hasPrefix("-") ? "-" : ""
    let digits = word.hasPrefix("-") || word.hasPrefix("+") ? word.dropFirst() : word[...]
    if digits == "Infinity" || digits == "NaN" { return "\(sign)1e308" }
    if digits.lowercased().hasPrefix("0x") {
      return UInt64(digits.dropFirst(2), radix: 16).map { "\(sign)\($0)" }
    }
    guard digits.first.map({ $0.isNumber || $0 == "." }) == true, let number = Double(digits) else {
      return nil
    }
    let isLeading = digits.count > 1 && digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true
    guard !isLeading else { return nil }
    if let whole = Int(digits) { return "\(sign)\(whole)" }
    return "\(sign)\(number.isFinite ? number : 1e308)"
  }
}
