import Synchronization

extension LanguageModelSession {
  /// A stream of snapshots of a growing answer. Each snapshot contains the whole answer so far.
  ///
  /// On Linux the request starts when the first snapshot is requested, and ends with the iterator or its task. A slow
  /// consumer may miss snapshots, but always receives the last one.
  public struct ResponseStream<Content> where Content: Generable {
    /// An answer so far.
    public struct Snapshot {
      /// The answer in its partial form.
      public var content: Content.PartiallyGenerated
      /// The answer before its conversion.
      public var rawContent: GeneratedContent
    }

    let source: ResponseSource
    var isText = Content.self == String.self
  }
}

extension LanguageModelSession.ResponseStream: AsyncSequence {
  /// A snapshot.
  public typealias Element = Snapshot

  /// Sends the request and returns one snapshot after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// A snapshot.
    public typealias Element = Snapshot

    fileprivate var progress: AsyncThrowingStream<ResponseSource.Progress, any Swift.Error>.Iterator
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
          // Text that cannot be converted yet gives no snapshot.
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
      // More digits may follow.
      if case .number = content.kind { return nil }
      return content.identified(by: &identities)
    }
  }

  /// Creates an iterator, which sends the request.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Waits for the complete answer. Returns immediately if it already arrived.
  /// - Throws: `LanguageModelSession.GenerationError`, `LanguageModelSession.ToolCallError`, `CancellationError`.
  nonisolated(nonsending) public func collect() async throws -> sending LanguageModelSession.Response<Content>
  {
    if source.finished == nil { for try await _ in source.progress() {} }
    try Task.checkCancellation()
    guard let response = source.finished else { throw CancellationError() }
    return try response.typed()
  }
}

/// The request behind a stream of snapshots. It stores the answer, so that it can be read again.
final class ResponseSource: Sendable {
  enum Progress: Sendable {
    case text(String)
    case done(RawResponse)
  }

  typealias Generate = @Sendable (_ report: (String) -> Void) async throws -> RawResponse

  private let generate: Generate
  private let answer = Mutex<RawResponse?>(nil)

  init(_ generate: @escaping Generate) { self.generate = generate }

  /// The answer; nil until it is complete.
  var finished: RawResponse? { answer.withLock { $0 } }

  /// Sends the request, or returns the stored answer. A slow consumer receives only the newest value. The request ends
  /// with the stream.
  func progress() -> AsyncThrowingStream<Progress, any Swift.Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      if let finished {
        continuation.yield(.done(finished))
        continuation.finish()
        return
      }
      let task = Task {
        do {
          let response = try await generate { continuation.yield(.text($0)) }
          answer.withLock { $0 = response }
          continuation.yield(.done(response))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
