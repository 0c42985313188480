extension LanguageModelSession.GenerationError {
  /// A refusal, and what the model says of it.
  public struct Refusal: Sendable {
    private let entries: [Transcript.Entry]

    /// A refusal.
    /// - Parameter transcriptEntries: what was asked, and at last what the model said.
    public init(transcriptEntries: [Transcript.Entry]) { entries = transcriptEntries }

    /// Why the model refuses. On Linux what it said with its refusal; it is not asked again.
    /// - Throws: `decodingFailure` if it said nothing.
    public var explanation: LanguageModelSession.Response<String> {
      get async throws { try raw().typed() }
    }

    /// Why the model refuses.
    public var explanationStream: LanguageModelSession.ResponseStream<String> {
      .init(source: ResponseSource { _ in try raw() })
    }

    private func raw() throws -> RawResponse {
      guard case .response(let response)? = entries.last else {
        throw LanguageModelSession.GenerationError.decodingFailure(
          .init(debugDescription: "The model refused without a word."))
      }
      return RawResponse(content: response.segments.text.generatedContent, entries: entries[...])
    }
  }
}
