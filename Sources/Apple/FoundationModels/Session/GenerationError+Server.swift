extension LanguageModelSession.GenerationError {
  /// The error for a failed transfer.
  init(_ failure: ChatTransfer.Failure, of endpoint: ModelEndpoint) {
    switch failure {
    case .unreachable(let reason):
      self = .assetsUnavailable(
        .init(
          debugDescription:
            "No server answers at \(endpoint.base.absoluteString) (\(reason)). Start the server or correct "
            + "FOUNDATION_MODEL_ENDPOINT."))
    case .broken(let reason):
      self = .decodingFailure(.init(debugDescription: "The answer is incomplete: \(reason)."))
    case .tooLong:
      self = .decodingFailure(
        .init(debugDescription: "The answer is longer than \(ChatTransfer.maxLength) bytes."))
    }
  }

  /// The error for a response with an error status.
  init(body: String, status: Int) {
    let content = (try? GeneratedContent(json: body)) ?? GeneratedContent(body)
    self.init(server: content["error"] ?? content, status: status)
  }

  /// The error for a server's error message: an object with `message`, `type` and `code`, or a text.
  init(server error: GeneratedContent, status: Int?) {
    let status = status ?? error["code"]?.number.flatMap { Int(exactly: $0) }
    let message = error["message"]?.text ?? error["detail"]?.text ?? error.text ?? error.jsonString
    let kind = "\(error["type"]?.text ?? "") \(error["code"]?.text ?? "")".lowercased()
    let text =
      "\(status.map { "The server answered with status \($0): " } ?? "The server reported an error: ")\(message.prefix(500))"
    let context = Context(debugDescription: text)
    let words = message.lowercased()
    switch status {
    case 429: self = .rateLimited(context)
    case let status? where (300..<400).contains(status):
      self = .assetsUnavailable(
        .init(
          debugDescription:
            "\(text) Redirects are not followed. Correct FOUNDATION_MODEL_ENDPOINT."))
    case 401, 403:
      self = .assetsUnavailable(
        .init(debugDescription: "\(text) Set FOUNDATION_MODEL_KEY to a valid key."))
    case 404:
      self = .assetsUnavailable(
        .init(
          debugDescription:
            "\(text) Correct FOUNDATION_MODEL_ENDPOINT, which usually ends with /v1, or FOUNDATION_MODEL_NAME."
        ))
    default:
      if kind.contains("context") || words.contains(#/context (length|window|size)|exceeds? .*context/#) {
        self = .exceededContextWindowSize(context)
      } else if kind.contains("rate_limit") {
        self = .rateLimited(context)
      } else if kind.contains("content_filter") || kind.contains("content_policy") {
        self = .guardrailViolation(context)
      } else if words.contains(#/schema|grammar|pattern/#) {
        self = .unsupportedGuide(context)
      } else {
        self = .assetsUnavailable(context)
      }
    }
  }

  /// Whether the model's template refuses the role `system`: "System role not supported", or "Conversation roles must
  /// alternate user/assistant/user/assistant/...".
  var refusesSystemRole: Bool {
    guard case .assetsUnavailable(let context) = self else { return false }
    return context.debugDescription.lowercased().contains(
      #/system role|roles? must alternate|only user.* roles/#)
  }
}
