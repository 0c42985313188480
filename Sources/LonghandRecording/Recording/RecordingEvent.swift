import Foundation

/// An event of a recording.
public enum RecordingEvent: Sendable, Hashable {
  /// This many frames are durable: they can be read, and survive a power failure.
  case durable(Int64)
  /// The level since the last report, in dBFS; minus infinity for digital silence. It is reported at least every 5 seconds, and
  /// several times a second while there is sound.
  case level(Double)
  /// The noise floor of the room, in dBFS from -72 to -38. It is reported again when it changes.
  case noiseFloor(Double)
  /// The source with this name has delivered no audio for a second. It is opened again. `why` is the reason, if it is known.
  case sourceLost(String, why: String?)
  /// The source with this name, whose loss was reported, delivers audio again.
  case sourceRecovered(String)
  /// The disk could not be written. The audio waits in memory, which is enough for `secondsLeft` more; then a live source
  /// loses audio, and another one waits until there is room. The text is the reason.
  case diskFailed(String, secondsLeft: TimeInterval)
  /// The disk was written again, with everything that waited.
  case diskRecovered
  /// The disk has space for only this many more seconds of audio.
  case lowDiskSpace(TimeInterval)
  /// The source ended, or the limit was reached.
  case sourceEnded
}
