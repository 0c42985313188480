import Foundation

/// The entries of a session, in order.
public struct Transcript: Sendable, Equatable, RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection
{
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
    /// What the model thought before an answer.
    case reasoning(Reasoning)

    /// The identity of the entry.
    public var id: String {
      switch self {
      case .instructions(let entry): entry.id
      case .prompt(let entry): entry.id
      case .toolCalls(let entry): entry.id
      case .toolOutput(let entry): entry.id
      case .response(let entry): entry.id
      case .reasoning(let entry): entry.id
      }
    }
  }

  var entries: [Entry]

  /// Creates a transcript from entries.
  public init(entries: some Sequence<Entry> = []) { self.entries = Array(entries) }

  /// Creates an empty transcript.
  public init() { entries = [] }

  /// The entry at an index.
  public subscript(index: Int) -> Entry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  /// The index of the first entry.
  public var startIndex: Int { entries.startIndex }

  /// The index after the last entry.
  public var endIndex: Int { entries.endIndex }

  /// Replaces some of the entries.
  public mutating func replaceSubrange<C>(_ subrange: Range<Int>, with newElements: consuming C)
  where C: Collection, C.Element == Entry {
    entries.replaceSubrange(subrange, with: newElements)
  }
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
    /// The same as `source`, under its name of 2026.
    public var schemaName: String {
      get { source }
      set { source = newValue }
    }
    /// The value.
    public var content: GeneratedContent

    /// Creates a segment with a structured value.
    public init(id: String = UUID().uuidString, source: String, content: GeneratedContent) {
      self.id = id
      self.source = source
      self.content = content
    }

    /// Creates a segment with a structured value.
    public init(id: String = UUID().uuidString, schemaName: String, content: GeneratedContent) {
      self.init(id: id, source: schemaName, content: content)
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
