/// Reads JSON whose end may be missing. Lists, objects and strings that are open at the end are closed there and marked
/// as incomplete. A key without a value, and a number or a word that may continue, are left out.
struct JSONReader {
  /// The maximum nesting of lists and objects.
  static let maximumDepth = 128

  private enum Failure: Error {
    /// The text ends before the value does.
    case ended
    case unreadable
  }

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  mutating func read() throws -> GeneratedContent {
    do {
      let content = try value()
      skipSpace()
      guard position == bytes.count else { throw Failure.unreadable }
      return content
    } catch {
      let location = position < bytes.count ? "at byte \(position)" : "at its end"
      throw LanguageModelSession.GenerationError.decodingFailure(
        .init(
          debugDescription:
            "This is not JSON (error \(location)): \(String(decoding: bytes.prefix(200), as: UTF8.self))")
      )
    }
  }

  private mutating func value() throws -> GeneratedContent {
    skipSpace()
    switch try peek() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""):
      let (text, isComplete) = try string()
      return GeneratedContent(kind: .string(text), isComplete: isComplete)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: return try word()
    }
  }

  private mutating func array() throws -> GeneratedContent {
    try enter()
    defer { depth -= 1 }
    var elements: [GeneratedContent] = []
    do {
      if try !take("]") {
        repeat { elements.append(try value()) } while try hasNext(until: "]")
      }
      return GeneratedContent(kind: .array(elements), isComplete: true)
    } catch Failure.ended {
      return GeneratedContent(kind: .array(elements), isComplete: false)
    }
  }

  private mutating func object() throws -> GeneratedContent {
    try enter()
    defer { depth -= 1 }
    var properties: [String: GeneratedContent] = [:]
    var keys: [String] = []
    var isComplete = true
    do {
      if try !take("}") {
        repeat {
          skipSpace()
          guard try peek() == UInt8(ascii: "\"") else { throw Failure.unreadable }
          let (key, isWhole) = try string()
          guard isWhole else { throw Failure.ended }
          guard try take(":") else { throw Failure.unreadable }
          if properties.updateValue(try value(), forKey: key) == nil { keys.append(key) }
        } while try hasNext(until: "}")
      }
    } catch Failure.ended {
      isComplete = false
    }
    return GeneratedContent(
      kind: .structure(properties: properties, orderedKeys: keys), isComplete: isComplete)
  }

  private mutating func enter() throws {
    position += 1
    depth += 1
    guard depth <= Self.maximumDepth else { throw Failure.unreadable }
  }

  /// Reads the separator after an element.
  /// - Returns: true after a comma, false after the end of the list or object.
  private mutating func hasNext(until end: Unicode.Scalar) throws -> Bool {
    if try take(",") { return true }
    guard try take(end) else { throw Failure.unreadable }
    return false
  }

  private mutating func take(_ scalar: Unicode.Scalar) throws -> Bool {
    skipSpace()
    guard try peek() == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private func peek() throws -> UInt8 {
    guard position < bytes.count else { throw Failure.ended }
    return bytes[position]
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
  }

  private mutating func word() throws -> GeneratedContent {
    for (word, kind) in [
      ("true", GeneratedContent.Kind.bool(true)), ("false", .bool(false)), ("null", .null),
    ] {
      let rest = bytes[position...].prefix(word.utf8.count)
      guard word.utf8.starts(with: rest) else { continue }
      position += rest.count
      guard rest.count == word.utf8.count else { throw Failure.ended }
      return GeneratedContent(kind: kind)
    }
    throw Failure.unreadable
  }

  private mutating func number() throws -> GeneratedContent {
    let start = position
    while position < bytes.count, "+-.0123456789eE".utf8.contains(bytes[position]) { position += 1 }
    // More digits may follow.
    if position == bytes.count, depth > 0 { throw Failure.ended }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let isNumber = text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil
    guard isNumber, let value = Double(text), value.isFinite else { throw Failure.unreadable }
    return GeneratedContent(kind: .number(value))
  }

  private mutating func string() throws -> (String, isComplete: Bool) {
    position += 1
    var text: [UInt8] = []
    do {
      while true {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return (String(decoding: text, as: UTF8.self), true)
        case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
        case ..<0x20: throw Failure.unreadable
        default: text.append(byte)
        }
      }
    } catch Failure.ended {
      return (String(decoding: text, as: UTF8.self), false)
    }
  }

  private mutating func escape() throws -> Unicode.Scalar {
    let byte = try peek()
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try unit()
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard (0xD800..<0xDC00).contains(first) else { return "\u{FFFD}" }
      let rest = bytes[position...].prefix(2)
      guard #"\u"#.utf8.starts(with: rest) else { return "\u{FFFD}" }
      let mark = position
      position += rest.count
      let second = try unit()
      guard (0xDC00..<0xE000).contains(second) else {
        position = mark
        return "\u{FFFD}"
      }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    default: throw Failure.unreadable
    }
  }

  private mutating func unit() throws -> UInt32 {
    let digits = bytes[position...].prefix(4)
    let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard isHexadecimal else { throw Failure.unreadable }
    position += digits.count
    guard digits.count == 4, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw Failure.ended
    }
    return value
  }
}
