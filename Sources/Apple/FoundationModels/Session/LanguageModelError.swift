import Foundation

/// Why a model did not answer: what executors throw, and sessions with other models than `SystemLanguageModel`.
///
/// On Linux a session that was made for `SystemLanguageModel` throws `LanguageModelSession.GenerationError`, as before 2026.
public enum LanguageModelError: LocalizedError, CustomDebugStringConvertible {
  /// The session is longer than the model's context.
  case contextSizeExceeded(ContextSizeExceeded)
  /// There were too many requests.
  case rateLimited(RateLimited)
  /// The prompt or the answer was blocked.
  case guardrailViolation(GuardrailViolation)
  /// The model refuses to answer.
  case refusal(Refusal)
  /// The model cannot do what was asked for.
  case unsupportedCapability(UnsupportedCapability)
  /// The model cannot read an entry of the transcript.
  case unsupportedTranscriptContent(UnsupportedTranscriptContent)
  /// The model cannot keep to a guide or a schema.
  case unsupportedGenerationGuide(UnsupportedGenerationGuide)
  /// The model does not know the language.
  case unsupportedLanguageOrLocale(UnsupportedLanguageOrLocale)
  /// The answer took too long.
  case timeout(Timeout)

  /// The session is longer than the model's context.
  public struct ContextSizeExceeded: Sendable {
    /// How many tokens the context has.
    public var contextSize: Int
    /// How many it would need; 0 if that is not known.
    public var tokenCount: Int
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(
      contextSize: Int, tokenCount: Int, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      self.contextSize = contextSize
      self.tokenCount = tokenCount
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// There were too many requests.
  public struct RateLimited: Sendable {
    /// When more are taken; nil if that is not known.
    public var resetDate: Date?
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(resetDate: Date?, debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.resetDate = resetDate
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The prompt or the answer was blocked.
  public struct GuardrailViolation: Sendable {
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The model refuses to answer.
  public struct Refusal: Sendable {
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]
    private let refusal: LanguageModelSession.GenerationError.Refusal

    /// Creates a description.
    /// - Parameter explanation: the model's words.
    public init(explanation: String, debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.debugDescription = debugDescription
      self.metadata = metadata
      refusal = .init(
        transcriptEntries: [.response(.init(segments: [.text(.init(content: explanation))]))])
    }

    init(_ refusal: LanguageModelSession.GenerationError.Refusal, debugDescription: String) {
      self.refusal = refusal
      self.debugDescription = debugDescription
      metadata = [:]
    }

    /// The model's words. On Linux no second request is sent for them.
    public var explanation: LanguageModelSession.Response<String> {
      get async throws { try await refusal.explanation }
    }

    /// The model's words as a stream.
    public var explanationStream: LanguageModelSession.ResponseStream<String> { refusal.explanationStream }
  }

  /// The model cannot do what was asked for.
  public struct UnsupportedCapability: Sendable {
    /// What it cannot do.
    public var capability: LanguageModelCapabilities.Capability
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(
      capability: LanguageModelCapabilities.Capability, debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.capability = capability
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The model cannot read an entry of the transcript.
  public struct UnsupportedTranscriptContent: Sendable {
    /// The entries.
    public var unsupportedContent: [Transcript.Entry]
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(
      unsupportedContent: [Transcript.Entry], debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      self.unsupportedContent = unsupportedContent
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The model cannot keep to a guide or a schema.
  public struct UnsupportedGenerationGuide: Sendable {
    /// The name of the schema; nil if that is not known.
    public var schemaName: String?
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(schemaName: String?, debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.schemaName = schemaName
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The model does not know the language.
  public struct UnsupportedLanguageOrLocale: Sendable {
    /// The language.
    public var languageCode: Locale.LanguageCode
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(
      languageCode: Locale.LanguageCode, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      self.languageCode = languageCode
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The answer took too long.
  public struct Timeout: Sendable {
    /// A description for developers.
    public var debugDescription: String
    /// What the model's executor added.
    public var metadata: [String: any Sendable]

    /// Creates a description.
    public init(debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// What went wrong.
  public var errorDescription: String? {
    switch self {
    case .contextSizeExceeded: "The session is longer than the model's context."
    case .rateLimited: "The model received too many requests."
    case .guardrailViolation: "The request or the answer was blocked."
    case .refusal: "The model refuses to answer."
    case .unsupportedCapability(let details): "The model is not capable of \(details.capability.name)."
    case .unsupportedTranscriptContent: "The model cannot read a part of the conversation."
    case .unsupportedGenerationGuide: "The model does not support this schema or guide."
    case .unsupportedLanguageOrLocale: "The model does not support the language."
    case .timeout: "The model took too long to answer."
    }
  }

  /// A description for developers.
  public var debugDescription: String {
    switch self {
    case .contextSizeExceeded(let details): details.debugDescription
    case .rateLimited(let details): details.debugDescription
    case .guardrailViolation(let details): details.debugDescription
    case .refusal(let details): details.debugDescription
    case .unsupportedCapability(let details): details.debugDescription
    case .unsupportedTranscriptContent(let details): details.debugDescription
    case .unsupportedGenerationGuide(let details): details.debugDescription
    case .unsupportedLanguageOrLocale(let details): details.debugDescription
    case .timeout(let details): details.debugDescription
    }
  }
}

extension LanguageModelSession {
  /// Why a session did not ask its model. Sessions for `SystemLanguageModel` throw a `GenerationError` instead.
  public enum Error: LocalizedError, CustomDebugStringConvertible, Equatable, Hashable {
    /// The session is already answering a request.
    case concurrentRequests
    /// The transcript was changed during a request.
    case transcriptMutationWhileResponding

    /// What went wrong.
    public var errorDescription: String? {
      switch self {
      case .concurrentRequests: "The session is already answering a request."
      case .transcriptMutationWhileResponding: "The transcript was changed during a request."
      }
    }

    /// The same.
    public var debugDescription: String { errorDescription ?? "" }
  }
}

extension SystemLanguageModel {
  /// Why the model cannot be asked: what its executor throws.
  public enum Error: LocalizedError, CustomDebugStringConvertible {
    /// No model is configured, or it cannot be reached.
    case assetsUnavailable(AssetsUnavailable)

    /// Details.
    public struct AssetsUnavailable: Sendable {
      /// A description for developers: what happened and what to do about it.
      public var debugDescription: String

      /// Creates details.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// What went wrong.
    public var errorDescription: String? { "The language model is not available. \(debugDescription)" }

    /// A description for developers.
    public var debugDescription: String {
      switch self {
      case .assetsUnavailable(let details): details.debugDescription
      }
    }
  }
}

extension GeneratedContent {
  /// An answer that does not have the requested form.
  public struct ParsingError: LocalizedError, Sendable, CustomDebugStringConvertible {
    /// The answer.
    public var rawContent: String
    /// The error of the conversion.
    public var underlyingError: (any Swift.Error)?
    /// A description for developers.
    public var debugDescription: String

    /// Creates an error.
    public init(rawContent: String, underlyingError: (any Swift.Error)? = nil, debugDescription: String) {
      self.rawContent = rawContent
      self.underlyingError = underlyingError
      self.debugDescription = debugDescription
    }

    /// What went wrong.
    public var errorDescription: String? { "The model's answer does not have the requested form." }
  }
}

extension LanguageModelSession.GenerationError {
  /// The error of 2026 that stands for this one.
  /// - Parameters:
  ///   - contextSize: of the model, in tokens; 0 if it is not known.
  ///   - answer: what the model wrote.
  func renewed(contextSize: Int = 0, answer: String = "") -> any Swift.Error {
    let text = failureReason ?? ""
    return switch self {
    case .exceededContextWindowSize:
      LanguageModelError.contextSizeExceeded(
        .init(contextSize: contextSize, tokenCount: 0, debugDescription: text))
    case .assetsUnavailable: SystemLanguageModel.Error.assetsUnavailable(.init(debugDescription: text))
    case .guardrailViolation: LanguageModelError.guardrailViolation(.init(debugDescription: text))
    case .unsupportedGuide:
      LanguageModelError.unsupportedGenerationGuide(.init(schemaName: nil, debugDescription: text))
    case .unsupportedLanguageOrLocale:
      LanguageModelError.unsupportedLanguageOrLocale(
        .init(languageCode: .init("und"), debugDescription: text))
    case .decodingFailure: GeneratedContent.ParsingError(rawContent: answer, debugDescription: text)
    case .rateLimited: LanguageModelError.rateLimited(.init(resetDate: nil, debugDescription: text))
    case .concurrentRequests: LanguageModelSession.Error.concurrentRequests
    case .refusal(let refusal, _): LanguageModelError.refusal(.init(refusal, debugDescription: text))
    }
  }
}
