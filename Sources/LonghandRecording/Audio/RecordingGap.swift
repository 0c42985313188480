import Foundation

/// A part of a recording without audio: it could not be captured, the user paused, or a file is damaged. There is silence
/// of the same length, so the times after the gap stay correct. Only a gap at the end can reach beyond the end of the file.
public struct RecordingGap: Sendable, Hashable, Codable {
  /// The reason of a gap.
  public enum Reason: String, Sendable, Codable {
    /// The device or the sound server was not available.
    case device
    /// Something else used the microphone, such as a phone call, or the system suspended it, or the computer slept.
    case interrupted
    /// The source lost samples, because they were not read fast enough.
    case overrun
    /// The disk could not be written for so long that the audio did not fit into memory.
    case disk
    /// A part of the imported file is missing, because the import was interrupted and the file changed or was removed.
    case source
    /// The user paused. Nothing was captured meanwhile.
    case paused
    /// A part of the file that was imported or transcribed is damaged.
    case damaged
    /// The audio of a file begins later than its picture or its other tracks.
    case notBegun = "not-begun"
  }

  /// The offset of the gap, in frames from the start of the file.
  public var start: Int64
  /// The length of the gap in the file, in frames.
  public var frames: Int64
  /// The reason of the gap.
  public var reason: Reason
  /// The only channel that is missing, from 0; nil if all are.
  public var channel: Int?

  package init(start: Int64, frames: Int64, reason: Reason, channel: Int? = nil) {
    self.start = start
    self.frames = frames
    self.reason = reason
    self.channel = channel
  }
}

extension [RecordingGap] {
  /// Adjacent gaps with the same reason as one gap.
  func joined() -> Self {
    reduce(into: []) { all, gap in
      let last = all.lastIndex { $0.channel == gap.channel }
      if let last, all[last].reason == gap.reason, all[last].start + all[last].frames == gap.start,
        gap.frames > 0
      {
        all[last].frames += gap.frames
      } else {
        all.append(gap)
      }
    }
  }
}
