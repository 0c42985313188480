import Foundation

/// What a speech service sends.
public enum ServiceReply: Sendable, Equatable {
  /// The recognizer and its model, once that is loaded.
  public struct Description: Sendable, Equatable, Codable {
    /// The recognizer's name.
    public var engine: String
    /// The recognizer's version.
    public var version: String
    /// The model's folder.
    public var model: String
    /// The model's language (BCP 47).
    public var locale: String

    /// The description that a service sends with `ready`.
    public init(engine: String, version: String, model: String, locale: String) {
      self.engine = engine
      self.version = version
      self.model = model
      self.locale = locale
    }
  }

  /// An utterance and its hypotheses.
  public struct Hypotheses: Sendable, Equatable, Codable {
    /// The number given with `begin`.
    public var utterance: UInt32
    /// The best first. Empty if the utterance holds no words.
    public var hypotheses: [ServiceHypothesis]

    // The messages call an utterance a piece.
    private enum CodingKeys: String, CodingKey {
      case utterance = "piece"
      case hypotheses
    }

    /// A result of the utterance that `begin` gave this number.
    public init(utterance: UInt32, hypotheses: [ServiceHypothesis]) {
      self.utterance = utterance
      self.hypotheses = hypotheses
    }
  }

  /// An utterance and why it could not be decoded.
  public struct Failure: Sendable, Equatable, Codable {
    /// The number given with `begin`.
    public var utterance: UInt32
    /// The reason, on one line.
    public var reason: String

    // As in `Hypotheses`.
    private enum CodingKeys: String, CodingKey {
      case utterance = "piece"
      case reason
    }

    /// The failure of the utterance that `begin` gave this number.
    public init(utterance: UInt32, reason: String) {
      self.utterance = utterance
      self.reason = reason
    }
  }

  /// An error that ends a recognition, as a program sees it.
  public struct Refusal: Sendable, Equatable, Codable {
    /// The domain of an `NSError`.
    public var domain: String
    /// The code of an `NSError`.
    public var code: Int
    /// What went wrong, on one line.
    public var reason: String

    /// The error that ends the recognition.
    public init(domain: String, code: Int, reason: String) {
      self.domain = domain
      self.code = code
      self.reason = reason
    }
  }

  /// The configuration is in use.
  case ready(Description)
  /// The configuration cannot be served; the reason is one line.
  case unavailable(String)
  /// The hypothesis so far. It replaces the one before.
  case partial(Hypotheses)
  /// The final hypotheses.
  case final(Hypotheses)
  /// The utterance could not be decoded.
  case failed(Failure)
  /// The whole recognition ends, with this error. The service of this package never sends it. Test services
  /// send the errors of Apple's recognizer with it.
  case refused(Refusal)
}

extension ServiceReply: ServiceMessage {
  private enum Kind: UInt8 { case ready = 129, unavailable, partial, final, failed, refused }

  /// The message as a frame.
  public func frame() throws -> ServiceFrame {
    let encoder = JSONEncoder()
    return switch self {
    case .ready(let value): ServiceFrame(kind: Kind.ready.rawValue, payload: try encoder.encode(value))
    case .unavailable(let value):
      ServiceFrame(kind: Kind.unavailable.rawValue, payload: try encoder.encode(value))
    case .partial(let value): ServiceFrame(kind: Kind.partial.rawValue, payload: try encoder.encode(value))
    case .final(let value): ServiceFrame(kind: Kind.final.rawValue, payload: try encoder.encode(value))
    case .failed(let value): ServiceFrame(kind: Kind.failed.rawValue, payload: try encoder.encode(value))
    case .refused(let value): ServiceFrame(kind: Kind.refused.rawValue, payload: try encoder.encode(value))
    }
  }

  /// Reads the message out of a frame.
  /// - Throws: `ServiceChannelError.malformed`.
  public init(_ frame: ServiceFrame) throws {
    switch Kind(rawValue: frame.kind) {
    case .ready: self = .ready(try frame.decoded())
    case .unavailable: self = .unavailable(try frame.decoded())
    case .partial: self = .partial(try frame.decoded())
    case .final: self = .final(try frame.decoded())
    case .failed: self = .failed(try frame.decoded())
    case .refused: self = .refused(try frame.decoded())
    case nil: throw ServiceChannelError.malformed("a reply of the unknown kind \(frame.kind)")
    }
  }
}
