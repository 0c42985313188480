import Foundation

/// The entries of a session, in order.
public struct Transcript: Sendable, Equatable, RandomAccessCollection {
  /// An entry.
  public typealias Element = Entry

  /// One entry of a transcript.
  public enum Entry: Sendable, Identifiable, Equatable {
    /// Instructions for the whole session.
    case instructions(Instructions)
    /// A prompt.
    case prompt(Prompt)
    /// Calls of tools by the model.
    case toolCalls(ToolCalls)
    /// The output of a tool.
    case toolOutput(ToolOutput)
    /// An answer of the model.
    case response(Response)

    /// The identity of the entry.
    public var id: String {
      switch self {
      case .instructions(let entry): entry.id
      case .prompt(let entry): entry.id
      case .toolCalls(let entry): entry.id
      case .toolOutput(let entry): entry.id
      case .response(let entry): entry.id
      }
    }
  }

  private var entries: [Entry]

  /// Creates a transcript from entries.
  public init(entries: some Sequence<Entry> = []) { self.entries = Array(entries) }

  /// The entry at an index.
  public subscript(index: Int) -> Entry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  /// The index of the first entry.
  public var startIndex: Int { entries.startIndex }

  /// The index after the last entry.
  public var endIndex: Int { entries.endIndex }

  mutating func append(_ entry: Entry) { entries.append(entry) }
}

extension Transcript {
  /// A part of an entry.
  public enum Segment: Sendable, Identifiable, Equatable {
    /// Text.
    case text(TextSegment)
    /// A structured value.
    case structure(StructuredSegment)

    /// The identity of the segment.
    public var id: String {
      switch self {
      case .text(let segment): segment.id
      case .structure(let segment): segment.id
      }
    }
  }

  /// A segment with text.
  public struct TextSegment: Sendable, Identifiable, Equatable {
    /// The identity of the segment.
    public var id: String
    /// The text.
    public var content: String

    /// Creates a segment with text.
    public init(id: String = UUID().uuidString, content: String) {
      self.id = id
      self.content = content
    }
  }

  /// A segment with a structured value.
  public struct StructuredSegment: Sendable, Identifiable, Equatable {
    /// The identity of the segment.
    public var id: String
    /// The name of the type or schema of the value.
    public var source: String
    /// The value.
    public var content: GeneratedContent

    /// Creates a segment with a structured value.
    public init(id: String = UUID().uuidString, source: String, content: GeneratedContent) {
      self.id = id
      self.source = source
      self.content = content
    }
  }
}

extension Transcript.Segment {
  /// The text of the segment in a request.
  var text: String {
    switch self {
    case .text(let segment): segment.content
    case .structure(let segment): segment.content.jsonString
    }
  }
}

extension [Transcript.Segment] {
  var text: String { map(\.text).joined(separator: "\n") }
}
