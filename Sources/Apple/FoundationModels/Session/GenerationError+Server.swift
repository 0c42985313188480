extension LanguageModelSession.GenerationError {
  /// What becomes of a transfer that failed.
  init(_ failure: ChatTransfer.Failure, of endpoint: ModelEndpoint) {
    switch failure {
    case .unreachable(let reason):
      self = .assetsUnavailable(
        .init(
          debugDescription:
            "Nobody answers at \(endpoint.base.absoluteString) (\(reason)). Start the server, or correct "
            + "FOUNDATION_MODEL_ENDPOINT."))
    case .broken(let reason):
      self = .decodingFailure(.init(debugDescription: "The answer broke off: \(reason)."))
    case .tooLong:
      self = .decodingFailure(
        .init(debugDescription: "The answer is longer than \(ChatTransfer.maximumLength) bytes."))
    }
  }

  /// What becomes of an answer that is none.
  init(body: String, status: Int) {
    let content = (try? GeneratedContent(json: body)) ?? GeneratedContent(body)
    self.init(server: content["error"] ?? content, status: status)
  }

  /// What becomes of a server's error: an object with `message`, `type` and `code`, or a text.
  init(server error: GeneratedContent, status: Int?) {
    let status = status ?? error["code"]?.number.flatMap { Int(exactly: $0) }
    let message = error["message"]?.text ?? error["detail"]?.text ?? error.text ?? error.jsonString
    let kind = "\(error["type"]?.text ?? "") \(error["code"]?.text ?? "")".lowercased()
    let text = "\(status.map { "The server answers \($0): " } ?? "The server says: ")\(message.prefix(500))"
    let context = Context(debugDescription: text)
    let words = message.lowercased()
    switch status {
    case 429: self = .rateLimited(context)
    case let status? where (300..<400).contains(status):
      self = .assetsUnavailable(
        .init(
          debugDescription:
            "\(text) It sends elsewhere, where nobody follows. Correct FOUNDATION_MODEL_ENDPOINT."))
    case 401, 403:
      self = .assetsUnavailable(
        .init(debugDescription: "\(text) Set FOUNDATION_MODEL_KEY to a key that it takes."))
    case 404:
      self = .assetsUnavailable(
        .init(
          debugDescription:
            "\(text) Correct FOUNDATION_MODEL_ENDPOINT, which mostly ends with /v1, or FOUNDATION_MODEL_NAME."
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
}
