import Foundation

/// A text for a service, or its answer: what it writes again with punctuation and capitals, or who speaks when as JSON.
public struct ServiceText: Sendable, Equatable {
  private static let kind: UInt8 = 64

  /// The text.
  public var text: String

  package init(_ text: String) { self.text = text }
}

extension ServiceText: ServiceMessage {
  /// The message as a frame.
  public func frame() -> ServiceFrame { ServiceFrame(kind: Self.kind, payload: Data(text.utf8)) }

  /// Reads the message out of a frame.
  /// - Throws: `ServiceChannelError.malformed`.
  public init(_ frame: ServiceFrame) throws {
    guard frame.kind == Self.kind, let text = String(validating: frame.payload, as: UTF8.self) else {
      throw ServiceChannelError.malformed("a message that is no text")
    }
    self.text = text
  }
}
