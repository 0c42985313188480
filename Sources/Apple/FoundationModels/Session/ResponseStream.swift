extension LanguageModelSession {
  /// An answer as it grows: each snapshot has all of it so far.
  ///
  /// On Linux the request begins with the first snapshot that is asked for, and ends with the iterator or the task
  /// that asks. Who is slow is not given each of them, but always the last.
  public struct ResponseStream<Content> where Content: Generable {
    /// The answer so far.
    public struct Snapshot {
      /// What is known of it.
      public var content: Content.PartiallyGenerated
      /// As it came.
      public var rawContent: GeneratedContent
    }

    let source: ResponseSource
    var isText = Content.self == String.self
  }
}

extension LanguageModelSession.ResponseStream: AsyncSequence {
  /// The answer so far.
  public typealias Element = Snapshot

  /// Asks, and gives one snapshot after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// The answer so far.
    public typealias Element = Snapshot

    fileprivate var progress: AsyncThrowingStream<ResponseSource.Progress, any Error>.Iterator
    fileprivate let isText: Bool
    private var identities: [String: GenerationID] = [:]
    private var last: GeneratedContent?

    fileprivate init(_ stream: LanguageModelSession.ResponseStream<Content>) {
      progress = stream.source.progress().makeAsyncIterator()
      isText = stream.isText
    }

    /// The next snapshot; nil after the last.
    /// - Throws: `LanguageModelSession.GenerationError`, `LanguageModelSession.ToolCallError`, `CancellationError`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Snapshot? {
      while let step = try await progress.next(isolation: actor) {
        switch step {
        case .done(let response):
          let content = response.content.identified(by: &identities)
          if content != last { return try snapshot(content) }
        case .text(let text):
          // What cannot be read yet is not shown yet.
          guard let content = partial(text), content != last else { continue }
          if let snapshot = try? snapshot(content) { return snapshot }
        }
      }
      try Task.checkCancellation()
      return nil
    }

    private mutating func snapshot(_ content: GeneratedContent) throws -> Snapshot {
      let value = try Content.PartiallyGenerated(content)
      last = content
      return Snapshot(content: value, rawContent: content)
    }

    private mutating func partial(_ text: String) -> GeneratedContent? {
      if isText { return GeneratedContent(kind: .string(text), isComplete: false) }
      guard let content = try? GeneratedContent(json: text) else { return nil }
      // A number that stands alone might go on.
      if case .number = content.kind { return nil }
      return content.identified(by: &identities)
    }
  }

  /// Begins to ask.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Waits for the whole answer; gives it at once if it is there.
  /// - Throws: `LanguageModelSession.GenerationError`, `LanguageModelSession.ToolCallError`, `CancellationError`.
  nonisolated(nonsending) public func collect() async throws -> sending LanguageModelSession.Response<Content>
  {
    if source.finished == nil { for try await _ in source.progress() {} }
    try Task.checkCancellation()
    guard let response = source.finished else { throw CancellationError() }
    return try response.typed()
  }
}
