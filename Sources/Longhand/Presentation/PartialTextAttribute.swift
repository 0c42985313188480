import Foundation

/// Marks text that may still change. A view shows it in italics and in its secondary colour.
public enum PartialTextAttribute: CodableAttributedStringKey {
  /// Always true where it stands.
  public typealias Value = Bool

  /// The attribute's name where it is encoded.
  public static let name = "Longhand.partialText"
}
