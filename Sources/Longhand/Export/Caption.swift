/// What stands on the screen for a time.
struct Caption: Hashable {
  /// The pieces of each line.
  var lines: [[TimedText.Piece]]
  var start: Milliseconds
  var end: Milliseconds

  /// The lines' texts, without regard to any format.
  var texts: [String] { lines.map(Self.text) }

  /// The pieces with the spaces between them.
  static func text(_ line: [TimedText.Piece]) -> String {
    line.enumerated().map { ($0.offset > 0 && $0.element.isSpaced ? " " : "") + $0.element.text }.joined()
  }
}
