import Foundation

/// What a speech service sends.
public enum ServiceReply: Sendable, Equatable {
  /// What a recognizer can do with the model that it has loaded.
  public struct Capabilities: Sendable, Equatable, Codable {
    /// Whether it can prefer the phrases of a configuration.
    public var prefersPhrases: Bool
    /// Whether it has a confidence in its words.
    public var hasConfidence: Bool
    /// Whether it writes capitals and punctuation.
    public var isPunctuated: Bool
    /// Whether it decodes audio as it comes; the others decode again what has come so far.
    public var isLive: Bool
    /// Whether another language needs another process.
    public var bindsLanguage: Bool

    package init(
      prefersPhrases: Bool, hasConfidence: Bool, isPunctuated: Bool, isLive: Bool, bindsLanguage: Bool
    ) {
      (self.prefersPhrases, self.hasConfidence) = (prefersPhrases, hasConfidence)
      (self.isPunctuated, self.isLive) = (isPunctuated, isLive)
      self.bindsLanguage = bindsLanguage
    }
  }

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
    /// What the recognizer can do with the model.
    public var capabilities: Capabilities
    /// What this machine lacks, so that the recognizer is slower than elsewhere, such as `AVX2`; nil if nothing.
    public var missing: String?

    package init(
      engine: String, version: String, model: String, locale: String, capabilities: Capabilities,
      missing: String? = nil
    ) {
      (self.engine, self.version, self.model) = (engine, version, model)
      (self.locale, self.capabilities, self.missing) = (locale, capabilities, missing)
    }
  }

  /// An utterance and its hypotheses.
  public struct Hypotheses: Sendable, Equatable, Codable {
    /// The number given with `begin`.
    public var utterance: UInt32
    /// The best first. Empty if the utterance holds no words.
    public var hypotheses: [ServiceHypothesis]

    package init(utterance: UInt32, hypotheses: [ServiceHypothesis]) {
      (self.utterance, self.hypotheses) = (utterance, hypotheses)
    }

    /// Reads a result. Lists that are too long are not read to their end.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      utterance = try values.decode(UInt32.self, forKey: .utterance)
      hypotheses = try values.list(forKey: .hypotheses, maxCount: ServiceHypothesis.maxCount)
    }
  }

  /// An utterance and why it could not be decoded.
  public struct Failure: Sendable, Equatable, Codable {
    /// The number given with `begin`.
    public var utterance: UInt32
    /// The reason, on one line.
    public var reason: String

    package init(utterance: UInt32, reason: String) {
      (self.utterance, self.reason) = (utterance, reason)
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

    package init(domain: String, code: Int, reason: String) {
      (self.domain, self.code, self.reason) = (domain, code, reason)
    }
  }

  /// The configuration is in use.
  case ready(Description)
  /// The configuration cannot be served; the reason is one line.
  case unavailable(String)
  /// The configuration needs another process, because this one has loaded what cannot be replaced. It continues with the
  /// configuration before.
  case occupied
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
  private enum Kind: UInt8 { case ready = 129, unavailable, partial, final, failed, refused, occupied }

  /// The message as a frame.
  public func frame() throws -> ServiceFrame {
    let encoder = JSONEncoder()
    return switch self {
    case .ready(let value): ServiceFrame(kind: Kind.ready.rawValue, payload: try encoder.encode(value))
    case .unavailable(let value):
      ServiceFrame(kind: Kind.unavailable.rawValue, payload: try encoder.encode(value))
    case .occupied: ServiceFrame(kind: Kind.occupied.rawValue)
    case .partial(let value): ServiceFrame(kind: Kind.partial.rawValue, payload: try encoder.encode(value))
    case .final(let value): ServiceFrame(kind: Kind.final.rawValue, payload: try encoder.encode(value))
    case .failed(let value): ServiceFrame(kind: Kind.failed.rawValue, payload: try encoder.encode(value))
    case .refused(let value): ServiceFrame(kind: Kind.refused.rawValue, payload: try encoder.encode(value))
    }
  }

  /// Reads the message out of a frame. Hypotheses are checked; of the texts that people read, control characters
  /// become spaces.
  /// - Throws: `ServiceChannelError.malformed`.
  public init(_ frame: ServiceFrame) throws {
    switch Kind(rawValue: frame.kind) {
    case .ready:
      let value: Description = try frame.decoded()
      self = .ready(
        .init(
          engine: Self.line(value.engine), version: Self.line(value.version), model: Self.line(value.model),
          locale: Self.line(value.locale), capabilities: value.capabilities,
          missing: value.missing.map(Self.line)))
    case .unavailable: self = .unavailable(Self.line(try frame.decoded()))
    case .occupied: self = .occupied
    case .partial: self = .partial(try Self.hypotheses(frame))
    case .final: self = .final(try Self.hypotheses(frame))
    case .failed:
      let value: Failure = try frame.decoded()
      self = .failed(.init(utterance: value.utterance, reason: Self.line(value.reason)))
    case .refused:
      let value: Refusal = try frame.decoded()
      self = .refused(
        .init(domain: Self.line(value.domain), code: value.code, reason: Self.line(value.reason)))
    case nil: throw ServiceChannelError.malformed("a reply of the unknown kind \(frame.kind)")
    }
  }

  private static func hypotheses(_ frame: ServiceFrame) throws -> Hypotheses {
    let value: Hypotheses = try frame.decoded()
    return .init(
      utterance: value.utterance,
      hypotheses: try ServiceHypothesis.checked(value.hypotheses, duration: .greatestFiniteMagnitude))
  }

  /// A text on one line, of at most a thousand characters.
  private static func line(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(1000) { scalars.append(scalar.isControl ? " " : scalar) }
    return String(scalars)
  }
}
