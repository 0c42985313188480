import Foundation

/// One word of a candidate, with the time at which it was said.
public struct Word: Sendable, Hashable, Codable {
  /// The word as the recognizer writes it.
  public var text: String
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// The recognizer's posterior, 0 to 1.
  public var confidence: Double

  /// Each field by its name.
  public init(text: String, start: TimeInterval, end: TimeInterval, confidence: Double) {
    self.text = text
    self.start = start
    self.end = end
    self.confidence = confidence
  }
}
