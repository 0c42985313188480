import Foundation

extension LanguageModelSession {
  /// Why there is no answer.
  public enum GenerationError: Error, LocalizedError {
    /// What an error is about.
    public struct Context: Sendable {
      /// For developers: what happened, and what mends it.
      public let debugDescription: String

      /// What an error is about.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The session has become longer than the model can keep in mind.
    case exceededContextWindowSize(Context)
    /// There is no model, or it cannot be reached.
    case assetsUnavailable(Context)
    /// What was asked, or the answer, is held back.
    case guardrailViolation(Context)
    /// A guide or a schema is too much for the model.
    case unsupportedGuide(Context)
    /// The model does not speak the language.
    case unsupportedLanguageOrLocale(Context)
    /// The answer is not what was asked for.
    case decodingFailure(Context)
    /// Too much was asked in a short time.
    case rateLimited(Context)
    /// The session is answering already.
    case concurrentRequests(Context)
    /// The model does not want to answer.
    case refusal(Refusal, Context)

    /// What went wrong.
    public var errorDescription: String? {
      switch self {
      case .exceededContextWindowSize: "The session is too long for the model."
      case .assetsUnavailable: "The language model is not available."
      case .guardrailViolation: "The request or the answer was held back."
      case .unsupportedGuide: "The model cannot be guided like that."
      case .unsupportedLanguageOrLocale: "The model does not speak the language."
      case .decodingFailure: "The model's answer cannot be read."
      case .rateLimited: "The model is asked too often."
      case .concurrentRequests: "The session is answering already."
      case .refusal: "The model refuses to answer."
      }
    }

    /// What mends it.
    public var recoverySuggestion: String? {
      switch self {
      case .exceededContextWindowSize: "Begin a new session, or ask for less."
      case .assetsUnavailable, .unsupportedGuide: context.debugDescription
      case .guardrailViolation, .refusal: "Ask for something else."
      case .unsupportedLanguageOrLocale: "Use another language."
      case .decodingFailure: "Ask again, or use another model."
      case .rateLimited: "Wait a while."
      case .concurrentRequests: "Wait for the answer, or use another session."
      }
    }

    /// What happened.
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
