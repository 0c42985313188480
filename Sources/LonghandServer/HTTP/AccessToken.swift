import FileSupport
import Foundation

/// The secret that the clients of a server must send.
public struct AccessToken: Sendable, Hashable {
  /// The characters of the token.
  public let text: String

  /// Returns nil if the text has fewer than 16 or more than 256 characters, or one that RFC 6750 does not allow in a
  /// bearer token: it allows ASCII letters, digits and `-._~+/=`.
  public init?(_ text: String) {
    let isAllowed = text.utf8.allSatisfy { byte in
      UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte)
        || "-._~+/=".utf8.contains(byte)
    }
    guard (16...256).contains(text.utf8.count), isAllowed else { return nil }
    self.text = text
  }

  private init(unchecked text: String) { self.text = text }

  /// A new token with 192 random bits.
  public static func random() -> AccessToken { AccessToken(unchecked: secret()) }

  /// 192 random bits as hexadecimal digits.
  static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<3).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether a client sent this token. The time that this takes does not depend on the content.
  func matches(_ given: String) -> Bool { Self.areEqual(given, text) }

  /// Compares two secrets in a time that does not depend on their content.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count, !left.isEmpty else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The key of the browsers that were signed in at a host: a new token makes all of them invalid.
  func browserKey(host: String) -> [UInt8] { Self.hmac(Array(text.utf8), "longhand browser \(host)") }

  /// Whether a browser has the key of a host.
  func matches(proof: String, of challenge: String, host: String) -> Bool {
    Self.areEqual(proof, Self.hex(Self.hmac(browserKey(host: host), challenge)))
  }

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// HMAC-SHA-256 (RFC 2104).
  static func hmac(_ key: [UInt8], _ message: String) -> [UInt8] {
    let short = key.count > 64 ? Array(SHA256.hash(data: key)) : key
    let padded = short + Array(repeating: 0, count: 64 - short.count)
    let inner = SHA256.hash(data: padded.map { $0 ^ 0x36 } + Array(message.utf8))
    return Array(SHA256.hash(data: padded.map { $0 ^ 0x5C } + Array(inner)))
  }

  /// The token in the query of an address.
  var queryValue: String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
      ?? text
  }
}
