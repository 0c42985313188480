/// What decoding has found out about a file: plain values, which a process can send to another one.
package struct AudioFileCondition: Sendable, Hashable, Codable {
  /// A part of the file that could not be decoded. The decoder yields silence of the same length.
  package struct Hole: Sendable, Hashable, Codable {
    /// The first frame, counted from the start of the decoded audio.
    package var start: Int64
    /// The length in frames.
    package var frames: Int64

    package init(start: Int64, frames: Int64) {
      self.start = start
      self.frames = frames
    }
  }

  /// The length that the file states, in seconds; nil if it states none.
  package var statedDuration: Double?
  /// The holes in order. They do not overlap.
  package var holes: [Hole] = []

  package init(statedDuration: Double? = nil, holes: [Hole] = []) {
    self.statedDuration = statedDuration
    self.holes = holes
  }
}
