import Foundation

/// JSON that another program sent.
enum ReceivedJSON: Decodable, Sendable, Hashable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([ReceivedJSON])
  case object([String: ReceivedJSON])

  /// - Throws: `DecodingError` if the bytes are not JSON, or nested too deeply.
  init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([ReceivedJSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: ReceivedJSON].self))
    }
  }

  /// The member of an object; nil if there is none, or if this is no object.
  subscript(name: String) -> ReceivedJSON? { members?[name] }

  /// The arguments in the parameters of a request: none if they are missing or null. Nil if they are no object.
  static func arguments(in parameters: ReceivedJSON?) -> [String: ReceivedJSON]? {
    guard let sent = parameters?["arguments"], sent != .null else { return [:] }
    return sent.members
  }

  var members: [String: ReceivedJSON]? { if case .object(let members) = self { members } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// A whole number that doubles represent exactly.
  var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  /// A text, or a number as one.
  var asText: String? { text ?? integer.map { String($0) } ?? number.map { String($0) } }
  /// A list, also one that was sent as a text; else a list with this.
  var asList: [ReceivedJSON] {
    if case .array(let items) = self { return items }
    if let text, text.hasPrefix("["), case .array(let items)? = try? ReceivedJSON(Array(text.utf8)) {
      return items
    }
    return [self]
  }
  /// The number that a text has; everything else as it is.
  var asNumber: ReceivedJSON {
    text.flatMap(Double.init).flatMap { $0.isFinite ? .number($0) : nil } ?? self
  }
}
