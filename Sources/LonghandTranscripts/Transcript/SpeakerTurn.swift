import Foundation

/// A part of a recording in which one speaker speaks.
public struct SpeakerTurn: Sendable, Hashable, Codable {
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// The `Speaker.id`.
  public var speaker: String
  /// How sure the guess is, 0 to 1; nil if it is not known.
  public var confidence: Double?
  /// The only channel that it is about, from 0; nil for all channels.
  public var channel: Int?

  package init(
    start: TimeInterval, end: TimeInterval, speaker: String, confidence: Double? = nil, channel: Int? = nil
  ) {
    self.start = start
    self.end = end
    self.speaker = speaker
    self.confidence = confidence
    self.channel = channel
  }

  /// Whether the turn is about a channel; nil is all channels on both sides.
  package func isAbout(_ channel: Int?) -> Bool {
    self.channel == nil || channel == nil || self.channel == channel
  }

  /// How far a time is from the turn, in seconds; 0 inside.
  func distance(to time: TimeInterval) -> TimeInterval { max(0, start - time, time - end) }
}
