import Foundation

/// What happens while a recording is made.
public enum RecordingEvent: Sendable, Hashable {
  /// So many frames are in the file and would outlive a loss of power: they can be read.
  case durable(Int64)
  /// How loud the last tenth of a second or more was, in dBFS; minus infinity for digital silence.
  case level(Double)
  /// How loud the room is when nobody speaks, in dBFS from -72 to -38; told again when it changes.
  case noiseFloor(Double)
  /// The source gives nothing; it is tried again. The text says why.
  case sourceLost(String)
  /// The source gives sound again.
  case sourceBack
  /// The disk took nothing; what was captured waits in memory for so many seconds more. The text says why.
  case diskFailed(String, secondsLeft: TimeInterval)
  /// The disk took everything again.
  case diskBack
  /// Only so many seconds more fit on the disk.
  case littleSpace(TimeInterval)
  /// The source came to its end, or as much was recorded as was wanted.
  case sourceEnded
}
