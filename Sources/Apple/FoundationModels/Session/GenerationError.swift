import Foundation

extension LanguageModelSession {
  /// Why a request failed.
  public enum GenerationError: Swift.Error, LocalizedError {
    /// Details of an error.
    public struct Context: Sendable {
      /// A description for developers: what happened and what to do about it.
      public let debugDescription: String

      /// Creates details from a description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The session is longer than the model's context.
    case exceededContextWindowSize(Context)
    /// No model is configured, or it cannot be reached.
    case assetsUnavailable(Context)
    /// The server blocked the prompt or the answer.
    case guardrailViolation(Context)
    /// The server does not support a guide or a schema.
    case unsupportedGuide(Context)
    /// The model does not support the language.
    case unsupportedLanguageOrLocale(Context)
    /// The answer does not have the requested form.
    case decodingFailure(Context)
    /// The server limits the number of requests.
    case rateLimited(Context)
    /// The session is already answering a request.
    case concurrentRequests(Context)
    /// The model refuses to answer.
    case refusal(Refusal, Context)

    /// What went wrong.
    public var errorDescription: String? {
      switch self {
      case .exceededContextWindowSize: "The session is longer than the model's context."
      case .assetsUnavailable: "The language model is not available."
      case .guardrailViolation: "The server blocked the request or the answer."
      case .unsupportedGuide: "The server does not support this schema or guide."
      case .unsupportedLanguageOrLocale: "The model does not support the language."
      case .decodingFailure: "The model's answer does not have the requested form."
      case .rateLimited: "The server received too many requests."
      case .concurrentRequests: "The session is already answering a request."
      case .refusal: "The model refuses to answer."
      }
    }

    /// What to do about it.
    public var recoverySuggestion: String? {
      switch self {
      case .exceededContextWindowSize: "Start a new session, or shorten the prompt."
      case .assetsUnavailable, .unsupportedGuide: context.debugDescription
      case .guardrailViolation, .refusal: "Change the prompt."
      case .unsupportedLanguageOrLocale: "Use another language or another model."
      case .decodingFailure: "Repeat the request, or use another model."
      case .rateLimited: "Wait a moment, then repeat the request."
      case .concurrentRequests: "Wait for the answer, or use a second session."
      }
    }

    /// Details of what happened.
    public var failureReason: String? { context.debugDescription }

    private var context: Context {
      switch self {
      case .exceededContextWindowSize(let context), .assetsUnavailable(let context),
        .guardrailViolation(let context), .unsupportedGuide(let context),
        .unsupportedLanguageOrLocale(let context), .decodingFailure(let context),
        .rateLimited(let context), .concurrentRequests(let context), .refusal(_, let context):
        context
      }
    }
  }
}

extension LanguageModelSession.GenerationError {
  /// A refusal to answer, with the model's explanation.
  public struct Refusal: Sendable {
    private let entries: [Transcript.Entry]

    /// Creates a refusal.
    /// - Parameter transcriptEntries: the entries of the request; the last is the model's explanation.
    public init(transcriptEntries: [Transcript.Entry]) { entries = transcriptEntries }

    /// The explanation. On Linux it is the text that came with the refusal; no second request is sent.
    /// - Throws: `decodingFailure` if the model gave no explanation.
    public var explanation: LanguageModelSession.Response<String> {
      get async throws { try raw().typed() }
    }

    /// The explanation as a stream.
    public var explanationStream: LanguageModelSession.ResponseStream<String> {
      .init(source: ResponseSource { _ in try raw() })
    }

    private func raw() throws -> RawResponse {
      guard case .response(let response)? = entries.last else {
        throw LanguageModelSession.GenerationError.decodingFailure(
          .init(debugDescription: "The model refused without an explanation."))
      }
      return RawResponse(content: response.segments.text.generatedContent, entries: entries[...])
    }
  }
}

extension LanguageModelSession {
  /// An error that a tool threw.
  public struct ToolCallError: Swift.Error, LocalizedError {
    /// The tool that failed.
    public var tool: any Tool
    /// The error that it threw.
    public var underlyingError: any Swift.Error

    /// Creates an error for a tool.
    public init(tool: any Tool, underlyingError: any Swift.Error) {
      self.tool = tool
      self.underlyingError = underlyingError
    }

    /// The name of the tool and the reason.
    public var errorDescription: String? {
      let reason = (underlyingError as? any LocalizedError)?.errorDescription ?? "\(underlyingError)"
      return "The tool \(tool.name) failed: \(reason)"
    }
  }
}
