import Foundation

/// A stretch of a recording that could not be captured, or was not to be. The file is silent there, so that the times of
/// everything after it are right.
public struct RecordingGap: Sendable, Hashable, Codable {
  /// Why there is nothing.
  public enum Reason: String, Sendable, Codable {
    /// The device or the sound server was gone.
    case device
    /// Samples came faster than they could be taken.
    case overrun
    /// The disk took nothing for longer than memory could hold.
    case disk
    /// The user paused. What was not to be recorded takes no time in the file.
    case paused
  }

  /// Where it begins, in frames from the start of the file.
  public var start: Int64
  /// How long it is in the file, in frames.
  public var frames: Int64
  /// Why there is nothing.
  public var reason: Reason

  /// Each field by its name.
  public init(start: Int64, frames: Int64, reason: Reason) {
    self.start = start
    self.frames = frames
    self.reason = reason
  }
}
