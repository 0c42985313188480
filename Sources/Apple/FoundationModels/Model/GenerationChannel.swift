import Foundation

/// Where an executor sends the parts of an answer.
public struct LanguageModelExecutorGenerationChannel: AsyncSequence, Sendable {
  /// What `updateMetadata` takes.
  public typealias Values = [String: any ConvertibleToGeneratedContent]

  private let events: AsyncThrowingStream<Event, any Error>
  private let continuation: AsyncThrowingStream<Event, any Error>.Continuation

  /// Creates a channel. A session makes one for each request; an executor that asks another one can make its own. It does not
  /// end by itself.
  public init() { (events, continuation) = AsyncThrowingStream.makeStream() }

  /// Sends a part of the answer.
  nonisolated(nonsending) public func send(_ event: Event) async { post(event) }

  func post(_ event: Event) { continuation.yield(event) }

  func finish(_ error: (any Error)?) { continuation.finish(throwing: error) }

  /// An iterator over what was sent.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events.makeAsyncIterator()) }

  /// Returns what was sent, in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncThrowingStream<Event, any Error>.AsyncIterator

    /// The next part; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Event? {
      try await events.next(isolation: actor)
    }
  }

  /// A part of an answer.
  public struct Event: Sendable {
    enum Kind: Sendable {
      case response(Response.Action)
      case reasoning(String?, Reasoning.Action)
      case toolCalls(ToolCalls.Action)
    }

    let kind: Kind

    /// A part of the answer itself. `entryID` is not used on Linux: a request has one answer.
    public static func response(entryID: String? = nil, action: Response.Action) -> Event {
      Event(kind: .response(action))
    }

    /// A part of what the model thinks. Without an `entryID` it continues the part before.
    public static func reasoning(entryID: String? = nil, action: Reasoning.Action) -> Event {
      Event(kind: .reasoning(entryID, action))
    }

    /// A part of calls of tools. `entryID` is not used on Linux: a request has one list of calls.
    public static func toolCalls(entryID: String? = nil, action: ToolCalls.Action) -> Event {
      Event(kind: .toolCalls(action))
    }
  }

  /// The tokens of a request so far.
  public typealias Usage = LanguageModelSession.Usage

  /// A change of text.
  struct TextChange: Sendable {
    let text: String
    let segment: String?
    let replaces: Bool
    let tokens: Int
  }

  /// Parts of the answer itself.
  public enum Response {
    /// What happens to the answer.
    public struct Action: Sendable {
      enum Kind: Sendable {
        case text(TextChange)
        case metadata([String: GeneratedContent])
        case usage(Usage)
      }

      let kind: Kind

      /// Adds text to a segment: the one with this ID, which may be new, or else the last one.
      public static func appendText(_ text: String, segmentID: String? = nil, tokenCount: Int) -> Action {
        Action(kind: .text(.init(text: text, segment: segmentID, replaces: false, tokens: tokenCount)))
      }

      /// Replaces the text of a segment: the one with this ID, which may be new, or else the last one.
      public static func replaceTextSegment(_ text: String, segmentID: String? = nil, tokenCount: Int)
        -> Action
      {
        Action(kind: .text(.init(text: text, segment: segmentID, replaces: true, tokens: tokenCount)))
      }

      /// Replaces the metadata of the answer.
      public static func updateMetadata(_ values: Values) -> Action {
        Action(kind: .metadata(values.contents))
      }

      /// Replaces the number of tokens of this request.
      public static func updateUsage(input: Usage.Input, output: Usage.Output, metadata: Values = [:])
        -> Action
      {
        Action(kind: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }
  }

  /// Parts of what the model thinks.
  public enum Reasoning {
    /// What happens to it.
    public struct Action: Sendable {
      enum Kind: Sendable {
        case text(TextChange)
        case signature(Data)
        case metadata([String: GeneratedContent])
        case usage(Usage)
      }

      let kind: Kind

      /// Adds text to a segment: the one with this ID, which may be new, or else the last one.
      public static func appendText(_ text: String, segmentID: String? = nil, tokenCount: Int) -> Action {
        Action(kind: .text(.init(text: text, segment: segmentID, replaces: false, tokens: tokenCount)))
      }

      /// Replaces the text of a segment: the one with this ID, which may be new, or else the last one.
      public static func replaceTextSegment(_ text: String, segmentID: String? = nil, tokenCount: Int)
        -> Action
      {
        Action(kind: .text(.init(text: text, segment: segmentID, replaces: true, tokens: tokenCount)))
      }

      /// Replaces the signature by which the model knows its thoughts again.
      public static func updateSignature(_ signature: Data, tokenCount: Int) -> Action {
        Action(kind: .signature(signature))
      }

      /// Replaces the metadata of the entry.
      public static func updateMetadata(_ values: Values) -> Action {
        Action(kind: .metadata(values.contents))
      }

      /// Replaces the number of tokens of this request.
      public static func updateUsage(input: Usage.Input, output: Usage.Output, metadata: Values = [:])
        -> Action
      {
        Action(kind: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }
  }

  /// Parts of calls of tools.
  public enum ToolCalls {
    /// What happens to the calls.
    public struct Action: Sendable {
      enum Kind: Sendable {
        case call(id: String, name: String, ToolCall.Action)
        case remove(id: String)
        case usage(Usage)
        case nothing
      }

      let kind: Kind

      /// A part of the call with this ID, which may be new.
      public static func toolCall(id: String, name: String, action: ToolCall.Action) -> Action {
        Action(kind: .call(id: id, name: name, action))
      }

      /// Takes a call back.
      public static func removeToolCall(id: String) -> Action { Action(kind: .remove(id: id)) }

      /// Metadata of all calls; not kept on Linux.
      public static func updateMetadata(_ values: Values) -> Action { Action(kind: .nothing) }

      /// Replaces the number of tokens of this request.
      public static func updateUsage(input: Usage.Input, output: Usage.Output, metadata: Values = [:])
        -> Action
      {
        Action(kind: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }

    /// Parts of one call.
    public enum ToolCall {
      /// What happens to a call.
      public struct Action: Sendable {
        enum Kind: Sendable {
          case arguments(String)
          case metadata([String: GeneratedContent])
        }

        let kind: Kind

        /// Adds to the arguments, which are JSON.
        public static func appendArguments(_ content: String, tokenCount: Int) -> Action {
          Action(kind: .arguments(content))
        }

        /// Replaces the metadata of the call.
        public static func updateMetadata(_ values: Values) -> Action {
          Action(kind: .metadata(values.contents))
        }
      }
    }
  }
}

/// An answer, assembled from the events of a channel.
struct ReplyAssembly {
  private struct Text {
    private var segments: [(id: String?, text: String)] = []

    var whole: String { segments.map(\.text).joined() }

    mutating func change(_ change: LanguageModelExecutorGenerationChannel.TextChange) {
      var index = segments.indices.last
      if let id = change.segment { index = segments.firstIndex { $0.id == id } }
      guard let index else { return segments.append((change.segment, change.text)) }
      segments[index].text = (change.replaces ? "" : segments[index].text) + change.text
    }
  }

  private(set) var reply = ChatReply()
  private var text = Text()
  private var thoughts: [(entry: Transcript.Reasoning, text: Text)] = []
  private var callIDs: [String] = []
  private var isThinking = false

  /// Adds an event.
  /// - Returns: whether the text of the answer has changed.
  mutating func take(_ event: LanguageModelExecutorGenerationChannel.Event) -> Bool {
    let before = isThinking
    isThinking = false
    switch event.kind {
    case .response(let action):
      switch action.kind {
      case .text(let change):
        text.change(change)
        reply.text = text.whole
        return true
      case .metadata(let values): reply.metadata = values
      case .usage(let usage): reply.usage = usage
      }
    case .reasoning(let id, let action):
      isThinking = true
      think(at: thought(id, continues: before), action)
    case .toolCalls(let action):
      switch action.kind {
      case .call(let id, let name, let part): call(id, name, part)
      case .remove(let id): callIDs.firstIndex(of: id).map { reply.callsByIndex[$0] = nil }
      case .usage(let usage): reply.usage = usage
      case .nothing: break
      }
    }
    return false
  }

  private mutating func thought(_ id: String?, continues: Bool) -> Int {
    if let id, let known = thoughts.firstIndex(where: { $0.entry.id == id }) { return known }
    if id == nil, continues, let last = thoughts.indices.last { return last }
    thoughts.append((.init(id: id ?? UUID().uuidString, segments: []), Text()))
    return thoughts.count - 1
  }

  private mutating func think(
    at index: Int, _ action: LanguageModelExecutorGenerationChannel.Reasoning.Action
  ) {
    switch action.kind {
    case .text(let change):
      thoughts[index].text.change(change)
      thoughts[index].entry.segments = [
        .text(
          .init(
            id: thoughts[index].entry.segments.first?.id ?? UUID().uuidString,
            content: thoughts[index].text.whole))
      ]
    case .signature(let signature): thoughts[index].entry.signature = signature
    case .metadata(let values): thoughts[index].entry.metadata = values
    case .usage(let usage): reply.usage = usage
    }
    reply.reasoning = thoughts.map(\.entry)
  }

  private mutating func call(
    _ id: String, _ name: String, _ part: LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.Action
  ) {
    if !callIDs.contains(id) { callIDs.append(id) }
    let index = callIDs.firstIndex(of: id) ?? 0
    var call = reply.callsByIndex[index] ?? ChatReply.ToolCall(id: id, name: name)
    switch part.kind {
    case .arguments(let text): call.arguments += text
    case .metadata(let values): call.metadata = values
    }
    reply.callsByIndex[index] = call
  }
}
