/// One reading of a segment that the recognizer offered.
public struct Candidate: Sendable, Hashable, Codable {
  /// The whole text.
  public var text: String
  /// The words of `text`, in order, with their times.
  public var words: [Word]
  /// How sure the recognizer is, 0 to 1.
  public var confidence: Double

  /// Each field by its name.
  public init(text: String, words: [Word], confidence: Double) {
    self.text = text
    self.words = words
    self.confidence = confidence
  }
}
