/// What decoding has found out about a file: plain values, which a process can send to another one.
package struct AudioFileCondition: Sendable, Hashable, Codable {
  /// A part of the file that could not be decoded. The decoder yields silence of the same length.
  package struct Hole: Sendable, Hashable, Codable {
    /// The first frame, counted from the start of the decoded audio.
    package var start: Int64
    /// The length in frames.
    package var frames: Int64

    package init(start: Int64, frames: Int64) { (self.start, self.frames) = (start, frames) }
  }

  /// Holes that are not listed one by one. There is audio between them.
  package struct FurtherHoles: Sendable, Hashable, Codable {
    /// The first frame of the first hole.
    package var start: Int64
    /// The frame after the last hole.
    package var end: Int64
    /// The frames of all of them.
    package var frames: Int64
  }

  /// The length that the file states, in seconds; nil if it states none.
  package var statedDuration: Double?
  /// The holes in order. They do not overlap.
  package private(set) var holes: [Hole] = []
  /// The holes after those; nil if there are none.
  package private(set) var furtherHoles: FurtherHoles?
  /// Where the container's clock is far from that of the samples; empty if the two agree.
  package var clock = ContainerClock()
  /// The loudest sample; full scale is 1. Single frames of a file that are beyond it are damage and do not count, nor does
  /// what is ten times as loud as all else for up to a fifth of a second.
  package var peak = 0.0

  /// The number of holes that are listed: a message between processes holds them.
  private static let maxHoles = 1000

  package init() {}

  /// The frames of all holes.
  package var missingFrames: Int64 { holes.reduce(0) { $0 + $1.frames } + (furtherHoles?.frames ?? 0) }

  /// Adds a hole behind the others; one that is known already, because the file is decoded again, is ignored.
  package mutating func add(_ hole: Hole) {
    let known = furtherHoles?.end ?? holes.last.map { $0.start + $0.frames } ?? 0
    guard hole.start >= known else { return }
    guard holes.count >= Self.maxHoles else { return holes.append(hole) }
    furtherHoles = FurtherHoles(
      start: furtherHoles?.start ?? hole.start, end: hole.start + hole.frames,
      frames: (furtherHoles?.frames ?? 0) + hole.frames)
  }

  /// Whether the values are possible in a file of `length` frames.
  func isPlausible(length: Int64) -> Bool {
    guard statedDuration.map({ $0.isFinite && $0 >= 0 }) != false, peak.isFinite, peak >= 0,
      clock.isPlausible(length: length)
    else { return false }
    var end: Int64 = 0
    for hole in holes {
      guard hole.start >= end, hole.start <= length, hole.frames >= 1, hole.frames <= length - hole.start
      else {
        return false
      }
      end = hole.start + hole.frames
    }
    if let further = furtherHoles {
      guard further.start >= end, further.end >= further.start, further.end <= length, further.frames >= 0,
        further.frames <= further.end - further.start
      else {
        return false
      }
    }
    return end <= length
  }
}
