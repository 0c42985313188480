import CoreMedia
import Foundation

extension AttributeScopes {
  /// What a transcriber notes on the text of its results.
  ///
  /// A run of text has them only if the transcriber's `attributeOptions` ask for them.
  public struct SpeechAttributes: AttributeScope {
    /// How sure the transcriber is of a run of text, from 0 to 1.
    public let transcriptionConfidence: ConfidenceAttribute
    /// When a run of text is said, on the analyzer's timeline.
    public let audioTimeRange: TimeRangeAttribute

    /// What the scope's attributes need to know to be decoded.
    public typealias DecodingConfiguration = AttributeScopeCodableConfiguration
    /// What the scope's attributes need to know to be encoded.
    public typealias EncodingConfiguration = AttributeScopeCodableConfiguration
  }
}

extension AttributeDynamicLookup {
  /// Finds the attributes of speech by their names: `text.audioTimeRange`.
  public subscript<T>(dynamicMember keyPath: KeyPath<AttributeScopes.SpeechAttributes, T>) -> T
  where T: AttributedStringKey {
    self[T.self]
  }
}
