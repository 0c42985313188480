import Foundation

/// Rewrites JSON5 as JSON, and says where it is wrong.
///
/// Foundation reads JSON5, but not all of it (line continuations, `\v`, `\0`), takes the first of two equal keys in
/// silence, and does not say where a mistake is. The grammar is that of json5.org, version 1.0.0.
struct JSON5Text {
  /// A mistake and its place, counted from 1.
  struct Mistake: Error, Equatable {
    var line: Int
    var column: Int
    var problem: String
  }

  /// Deeper than any file that is meant seriously.
  private static let mostDepth = 64

  private let text: [UInt8]
  private var place = 0
  private var depth = 0
  private var json: [UInt8] = []

  /// The same as JSON.
  /// - Parameter text: UTF-8.
  /// - Throws: `Mistake`.
  static func json(_ text: Data) throws(Mistake) -> Data {
    var reader = JSON5Text(text: Array(text))
    return try reader.document()
  }

  private init(text: [UInt8]) {
    self.text = text
    json.reserveCapacity(text.count)
    // A byte order mark.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  private mutating func document() throws(Mistake) -> Data {
    try value()
    try skip()
    if place < text.count { throw mistake("nothing may follow the end of the object") }
    return Data(json)
  }

  private var next: UInt8? { place < text.count ? text[place] : nil }

  private func mistake(_ problem: String, at place: Int? = nil) -> Mistake {
    let before = text[..<min(place ?? self.place, text.count)]
    let start = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    return Mistake(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: String(decoding: before[start...], as: UTF8.self).count + 1, problem: problem)
  }

  private mutating func take(_ byte: Character) -> Bool {
    guard let value = byte.asciiValue, next == value else { return false }
    place += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard text[place...].starts(with: word.utf8) else { return false }
    place += word.utf8.count
    return true
  }

  // MARK: Between values

  /// Passes over white space and comments.
  private mutating func skip() throws(Mistake) {
    while let byte = next {
      if (9...13).contains(byte) || byte == 0x20 {
        place += 1
      } else if byte >= 0x80, let width = spaceWidth {
        place += width
      } else if take(word: "//") {
        while let byte = next, byte != 0x0A, byte != 0x0D { place += 1 }
      } else if take(word: "/*") {
        let start = place - 2
        while !take(word: "*/") {
          guard place < text.count else { throw mistake("this comment has no end", at: start) }
          place += 1
        }
      } else {
        return
      }
    }
  }

  /// The bytes of a space outside ASCII; nil if there is none.
  private var spaceWidth: Int? {
    let spaces = [
      "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{3000}", "\u{1680}", "\u{202F}", "\u{205F}",
    ]
    if let space = spaces.first(where: { text[place...].starts(with: $0.utf8) }) { return space.utf8.count }
    // U+2000 to U+200A.
    let isWide = text[place...].starts(with: [0xE2, 0x80]) && place + 2 < text.count
    return isWide && (0x80...0x8A).contains(text[place + 2]) ? 3 : nil
  }

  // MARK: Values

  private mutating func value() throws(Mistake) {
    try skip()
    switch next {
    case nil: throw mistake("something is missing here: the text ends")
    case UInt8(ascii: "{"):
      try members(until: "}") { reader, keys throws(Mistake) in try reader.member(&keys) }
    case UInt8(ascii: "["): try members(until: "]") { reader, _ throws(Mistake) in try reader.value() }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): json += Self.quoted(try string())
    default: try word()
    }
  }

  /// What stands within brackets, parted by commas.
  private mutating func members(
    until end: Character, _ member: (inout Self, inout Set<String>) throws(Mistake) -> Void
  ) throws(Mistake) {
    let start = place
    depth += 1
    guard depth <= Self.mostDepth else { throw mistake("too many brackets within each other") }
    json.append(text[place])
    place += 1
    var keys: Set<String> = []
    var isFirst = true
    while true {
      try skip()
      if take(end) { break }
      guard place < text.count else { throw mistake("this bracket is not closed", at: start) }
      if !isFirst { json.append(UInt8(ascii: ",")) }
      isFirst = false
      try member(&self, &keys)
      try skip()
      if take(",") { continue }
      if take(end) { break }
      guard place < text.count else { throw mistake("this bracket is not closed", at: start) }
      throw mistake("a comma or '\(end)' is missing here")
    }
    json += Array(String(end).utf8)
    depth -= 1
  }

  private mutating func member(_ keys: inout Set<String>) throws(Mistake) {
    let start = place
    let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
    let key = isQuoted ? try string() : try name()
    guard keys.insert(key).inserted else { throw mistake("the key '\(key)' stands there twice", at: start) }
    try skip()
    guard take(":") else { throw mistake("a ':' is missing after the key '\(key)'") }
    json += Self.quoted(key) + [UInt8(ascii: ":")]
    try value()
  }

  /// A key without quotation marks.
  private mutating func name() throws(Mistake) -> String {
    let start = place
    var name: [UInt8] = []
    while let byte = next {
      let isLetter = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "_") || byte >= 0x80
      let isPart =
        isLetter || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
      if byte == UInt8(ascii: "\\") {
        place += 1
        guard take("u") else { throw mistake("a key has only escapes such as \\u0041") }
        name += Array(String(try scalar(digits: 4)).utf8)
      } else if isPart, spaceWidth == nil || byte < 0x80 {
        name.append(byte)
        place += 1
      } else {
        break
      }
    }
    guard let first = name.first, !(0x30...0x39).contains(first) else {
      throw mistake("a key is missing here", at: start)
    }
    return String(decoding: name, as: UTF8.self)
  }

  // MARK: Strings

  private mutating func string() throws(Mistake) -> String {
    let (start, quote) = (place, text[place])
    place += 1
    var bytes: [UInt8] = []
    while let byte = next, byte != quote {
      switch byte {
      case UInt8(ascii: "\\"):
        place += 1
        bytes += try escape()
      case 0x0A, 0x0D: throw mistake("this text is not closed in its line", at: start)
      default:
        bytes.append(byte)
        place += 1
      }
    }
    guard place < text.count else { throw mistake("this text is not closed", at: start) }
    place += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What stands for what follows a backslash.
  private mutating func escape() throws(Mistake) -> [UInt8] {
    guard let byte = next else { throw mistake("the text ends here") }
    place += 1
    switch Character(UnicodeScalar(byte)) {
    case "b": return [8]
    case "t": return [9]
    case "n": return [10]
    case "v": return [11]
    case "f": return [12]
    case "r": return [13]
    case "0":
      if let digit = next, (0x30...0x39).contains(digit) { throw mistake("there is no such escape") }
      return [0]
    case "x": return Array(String(try scalar(digits: 2)).utf8)
    case "u": return Array(String(try scalar(digits: 4)).utf8)
    case "1"..."9": throw mistake("there is no such escape", at: place - 1)
    case "\n": return []
    case "\r":
      _ = take("\n")
      return []
    default:
      // A line separator ends a line, too; everything else is itself.
      if byte == 0xE2,
        text[place...].starts(with: [0x80, 0xA8]) || text[place...].starts(with: [0x80, 0xA9])
      {
        place += 2
        return []
      }
      return [byte]
    }
  }

  private mutating func scalar(digits: Int) throws(Mistake) -> Unicode.Scalar {
    let high = try hexadecimal(digits)
    if let scalar = Unicode.Scalar(high) { return scalar }
    // Two halves of one character.
    guard (0xD800..<0xDC00).contains(high), take(word: "\\u") else {
      throw mistake("half a character", at: place - digits)
    }
    let low = try hexadecimal(4)
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw mistake("half a character", at: place - 4) }
    return scalar
  }

  private mutating func hexadecimal(_ digits: Int) throws(Mistake) -> UInt32 {
    let end = place + digits
    guard end <= text.count, text[place..<end].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let number = UInt32(String(decoding: text[place..<end], as: UTF8.self), radix: 16)
    else { throw mistake("\(digits) hexadecimal digits are missing here") }
    place = end
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

  private mutating func word() throws(Mistake) {
    let start = place
    while let byte = next, byte > 0x20, !",:[]{}\"'/".utf8.contains(byte) { place += 1 }
    let word = String(decoding: text[start..<place], as: UTF8.self)
    if ["true", "false", "null"].contains(word) { return json += Array(word.utf8) }
    guard let number = Self.number(word) else {
      throw mistake(
        word.isEmpty ? "a value is missing here" : "'\(word)' is no value; texts stand in quotation marks",
        at: start)
    }
    json += Array(number.utf8)
  }

  /// A number as JSON writes it; nil if it is none. What has no number in JSON is too large for any use.
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
