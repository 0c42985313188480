import Foundation

extension ModelEndpoint {
  /// Sends a request and waits for the whole answer.
  /// - Parameter report: called with the text so far whenever it grows.
  /// - Throws: `LanguageModelSession.GenerationError`, `CancellationError`.
  func answer(_ request: ChatRequest, report: (String) -> Void) async throws -> ChatReply {
    if let reason = proxyProblem(in: ProcessInfo.processInfo.environment) {
      throw LanguageModelSession.GenerationError.assetsUnavailable(.init(debugDescription: reason))
    }
    do {
      let reply: ChatReply
      do {
        reply = try await receive(ChatTransfer.send(request.urlRequest(for: self)), report: report)
      } catch let error as LanguageModelSession.GenerationError
        where request.hasSystemMessage && error.refusesSystemRole
      {
        // Gemma 2 and the first models of Mistral.
        var again = request
        again.instructionsRole = .user
        reply = try await receive(ChatTransfer.send(again.urlRequest(for: self)), report: report)
      }
      try Task.checkCancellation()
      guard reply.isComplete else { throw ChatTransfer.Failure.broken("the connection ended early") }
      return reply
    } catch let failure as ChatTransfer.Failure {
      try Task.checkCancellation()
      throw LanguageModelSession.GenerationError(failure, of: self)
    }
  }

  private func receive(
    _ parts: AsyncThrowingStream<ChatTransfer.Part, any Error>, report: (String) -> Void
  ) async throws -> ChatReply {
    var reply = ChatReply()
    var events = ServerSentEvents()
    var whole = Data()
    var status = 0
    var isStream = false
    func take(_ events: [String]) throws {
      let length = reply.text.utf8.count
      for event in events { try reply.take(event) }
      if reply.text.utf8.count > length { report(reply.text) }
    }
    for try await part in parts {
      switch part {
      case .head(let code, let contentType):
        status = code
        isStream = status == 200 && contentType.hasPrefix("text/event-stream")
      case .body(let data) where isStream:
        try take(events.take(data))
        // The server may keep the connection open.
        if reply.isDone { return reply }
      case .body(let data): whole.append(data)
      }
    }
    if isStream {
      try take(events.finish())
    } else {
      try Task.checkCancellation()
      let text = String(decoding: whole, as: UTF8.self)
      guard status == 200 else { throw LanguageModelSession.GenerationError(body: text, status: status) }
      try take([text])
    }
    return reply
  }
}
