/// How much text stands on the screen at once; for `srt` and `vtt`.
///
/// With both limits a segment that does not fit is parted into several captions at word boundaries, at the times of
/// the words. Without `maxLineWidth` nothing breaks a line, so `maxLineCount` alone changes nothing; without
/// `maxLineCount` a caption has as many lines as its segment needs.
public struct CaptionLayout: Sendable, Hashable {
  /// The most characters (`Character`, what a reader sees as one) of a line, at least 1; nil for no limit.
  ///
  /// A single word that is longer stands alone on its line, whole.
  public var maxLineWidth: Int?
  /// The most lines of a caption, at least 1; nil for no limit.
  public var maxLineCount: Int?

  /// Each field by its name; without any, a segment is a caption of one line.
  public init(maxLineWidth: Int? = nil, maxLineCount: Int? = nil) {
    self.maxLineWidth = maxLineWidth
    self.maxLineCount = maxLineCount
  }
}
