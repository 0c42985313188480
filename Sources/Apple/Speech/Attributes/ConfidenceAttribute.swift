import Foundation

extension AttributeScopes.SpeechAttributes {
  /// How sure the transcriber is of a run of text: 0 is not at all, 1 is certain.
  public struct ConfidenceAttribute: CodableAttributedStringKey {
    /// From 0 to 1.
    public typealias Value = Double

    /// The attribute's name where it is encoded. Apple does not say what its own is.
    public static let name = "Speech.transcriptionConfidence"
  }
}
