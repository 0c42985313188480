import Foundation
import Longhand

/// A message of the Wyoming protocol, with which Home Assistant talks to speech recognizers: a line of JSON, and after it as
/// many bytes of JSON and of audio as the line says.
struct WyomingEvent {
  /// Bytes of the line, and of the JSON after it.
  static let maxHead = 64 << 10
  /// Bytes of audio in one message.
  static let maxPayload = 4 << 20

  /// The kind of the message, such as `audio-chunk`.
  var type: String
  /// The members of the message.
  var data: [String: Any] = [:]
  /// Audio.
  var payload = Data()

  /// A member that is a whole number; nil if it is something else.
  static func integer(_ name: String, of data: [String: Any], default value: Int) -> Int? {
    guard let given = data[name], !(given is NSNull) else { return value }
    return given as? Int
  }

  /// The message as the protocol sends it.
  static func bytes(_ type: String, _ data: JSONValue) -> Data {
    let body = Data(data.text.utf8)
    let head = JSONValue.object([
      ("type", .string(type)), ("version", .string("1.5.4")), ("data_length", .integer(body.count)),
    ])
    return Data("\(head.text)\n".utf8) + body
  }
}

/// Reads messages, however their bytes are divided. It keeps at most one message.
struct WyomingParser {
  /// The bytes are not a message, or one that is too large.
  struct Malformed: Error {}

  private var rest = Data()

  /// Adds bytes that were received.
  mutating func add(_ bytes: Data) { rest += bytes }

  /// The next message; nil until it is complete.
  /// - Throws: `Malformed`.
  mutating func next() throws -> WyomingEvent? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      guard rest.count <= WyomingEvent.maxHead else { throw Malformed() }
      return nil
    }
    guard rest.distance(from: rest.startIndex, to: end) <= WyomingEvent.maxHead,
      let head = try? JSONSerialization.jsonObject(with: rest[..<end]) as? [String: Any],
      let type = head["type"] as? String
    else { throw Malformed() }
    guard let length = WyomingEvent.integer("data_length", of: head, default: 0),
      let payload = WyomingEvent.integer("payload_length", of: head, default: 0)
    else { throw Malformed() }
    guard (0...WyomingEvent.maxHead).contains(length), (0...WyomingEvent.maxPayload).contains(payload) else {
      throw Malformed()
    }
    let start = rest.index(after: end)
    guard rest.distance(from: start, to: rest.endIndex) >= length + payload else { return nil }
    var event = WyomingEvent(type: type, data: head["data"] as? [String: Any] ?? [:])
    if length > 0 {
      guard
        let more = try? JSONSerialization.jsonObject(with: rest[start..<start + length]) as? [String: Any]
      else { throw Malformed() }
      event.data.merge(more) { $1 }
    }
    event.payload = Data(rest[(start + length)..<(start + length + payload)])
    rest = Data(rest[(start + length + payload)...])
    return event
  }
}
