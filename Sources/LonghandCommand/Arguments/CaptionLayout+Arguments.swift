import Longhand

extension CaptionLayout {
  /// The layout that the options ask for.
  init(_ arguments: ParsedArguments) throws {
    self.init(
      maxLineWidth: try arguments.integer(.maximumLineWidth, in: 1...10_000),
      maxLineCount: try arguments.integer(.maximumLineCount, in: 1...1000))
  }
}
