import FoundationModels

extension LanguageModelSession.GenerationError {
  /// The case's name.
  var kind: String {
    switch self {
    case .exceededContextWindowSize: "exceededContextWindowSize"
    case .assetsUnavailable: "assetsUnavailable"
    case .guardrailViolation: "guardrailViolation"
    case .unsupportedGuide: "unsupportedGuide"
    case .unsupportedLanguageOrLocale: "unsupportedLanguageOrLocale"
    case .decodingFailure: "decodingFailure"
    case .rateLimited: "rateLimited"
    case .concurrentRequests: "concurrentRequests"
    case .refusal: "refusal"
    }
  }
}

/// The name of the error that a request throws, or its answer.
func failure(_ request: () async throws -> String) async -> String {
  do {
    return "answered: \(try await request())"
  } catch let error as LanguageModelSession.GenerationError {
    return error.kind
  } catch {
    return "\(type(of: error))"
  }
}
