/// A name that was found in a text.
public struct EntityMatch: Sendable, Hashable {
  /// The place in the names that were looked for.
  public var entity: Int
  /// The words of the text that stand for it, as offsets into its UTF-8.
  public var range: Range<Int>
  /// How well it fits, 0 to 1; 1 if it is the name but for capitals and marks.
  public var score: Double
  /// Whether it is the name but for capitals and marks.
  public var isExact: Bool
  /// The words of the text, counted from 0.
  var words: Range<Int>
}
