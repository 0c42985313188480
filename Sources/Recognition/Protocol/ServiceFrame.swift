import Foundation

/// A message that can travel between a client and a speech service.
public protocol ServiceMessage: Sendable {
  /// The message as a frame.
  func frame() throws -> ServiceFrame
  /// Reads the message out of a frame.
  /// - Throws: `ServiceChannelError.malformed`.
  init(_ frame: ServiceFrame) throws
}

/// A message as bytes: its length (4 bytes, little-endian, of what follows), its kind (1 byte) and its
/// payload.
public struct ServiceFrame: Sendable, Equatable {
  /// The longest frame that is accepted, in bytes: four minutes of audio.
  public static let maximumLength = 8 << 20
  /// The bytes before the payload.
  static let headerLength = 5

  /// Which message it is.
  public var kind: UInt8
  /// The content, in a form that depends on the kind.
  public var payload: Data

  package init(kind: UInt8, payload: Data = Data()) {
    (self.kind, self.payload) = (kind, payload)
  }

  /// The frame as it is sent.
  public var bytes: Data {
    var bytes = Data(capacity: Self.headerLength + payload.count)
    withUnsafeBytes(of: UInt32(payload.count + 1).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(kind)
    bytes.append(payload)
    return bytes
  }

  /// The payload length that a header announces.
  /// - Parameter longest: the longest frame that is accepted, in bytes.
  /// - Throws: `ServiceChannelError.malformed` if no frame may be so long, or so short.
  static func payloadLength(header: [UInt8], longest: Int = maximumLength) throws -> Int {
    let length = header.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard (1...longest).contains(length) else {
      throw ServiceChannelError.malformed("a frame of \(length) bytes")
    }
    return length - 1
  }

  /// The payload as a JSON value.
  func decoded<Value: Decodable>() throws -> Value {
    do { return try JSONDecoder().decode(Value.self, from: payload) } catch {
      throw ServiceChannelError.malformed("a payload that is no \(Value.self)")
    }
  }
}
