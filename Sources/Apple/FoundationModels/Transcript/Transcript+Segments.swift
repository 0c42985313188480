import Foundation

extension Transcript {
  /// A part of a turn.
  public enum Segment: Sendable, Identifiable, Equatable {
    /// Text.
    case text(TextSegment)
    /// A value.
    case structure(StructuredSegment)

    /// The part's identity.
    public var id: String {
      switch self {
      case .text(let segment): segment.id
      case .structure(let segment): segment.id
      }
    }
  }

  /// Text.
  public struct TextSegment: Sendable, Identifiable, Equatable {
    /// The part's identity.
    public var id: String
    /// The text.
    public var content: String

    /// Text.
    public init(id: String = UUID().uuidString, content: String) {
      self.id = id
      self.content = content
    }
  }

  /// A value.
  public struct StructuredSegment: Sendable, Identifiable, Equatable {
    /// The part's identity.
    public var id: String
    /// The name of the type or the schema that it is of.
    public var source: String
    /// The value.
    public var content: GeneratedContent

    /// A value.
    public init(id: String = UUID().uuidString, source: String, content: GeneratedContent) {
      self.id = id
      self.source = source
      self.content = content
    }
  }
}

extension Transcript.Segment {
  /// How it stands in a request.
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
