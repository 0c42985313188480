import Foundation

/// What counts as a pause where a recording is cut into recognition tasks (the engine `rolling`). An analyzer finds pauses
/// by itself.
///
/// ```swift
/// var options = TranscriptionOptions(engine: .rolling)
/// options.silence = SilenceOptions(threshold: -45, duration: 1)
/// ```
public struct SilenceOptions: Sendable, Hashable, Codable {
  /// The possible thresholds, in dBFS.
  public static let thresholds = -90.0 ... -6.0
  /// The possible lengths of a pause, in seconds.
  public static let durations = 0.1...10.0

  /// The level in dBFS, without hum and rumble below 100 Hz, up to which audio is silent; nil to measure the noise of the room
  /// all the time.
  public var threshold: Double?
  /// Seconds of silence after speech that are a pause.
  public var duration: TimeInterval

  /// Creates options; values outside of the possible ones are brought into their range.
  public init(threshold: Double? = nil, duration: TimeInterval = 0.5) {
    self.threshold = threshold.map {
      min(max($0, Self.thresholds.lowerBound), Self.thresholds.upperBound)
    }
    self.duration = min(max(duration, Self.durations.lowerBound), Self.durations.upperBound)
  }
}
