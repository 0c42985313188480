/// What decoding has found out about a file: plain values, which a process can send to another one.
package struct AudioFileCondition: Sendable, Hashable, Codable {
  /// A part of the file that could not be decoded. The decoder yields silence of the same length.
  package struct Hole: Sendable, Hashable, Codable {
    /// The first frame, counted from the start of the decoded audio.
    package var start: Int64
    /// The length in frames.
    package var frames: Int64
  }

  /// The length that the file states, in seconds; nil if it states none.
  package var statedDuration: Double?
  /// The holes in order. They do not overlap.
  package var holes: [Hole] = []
  /// Where the container's clock is far from that of the samples; empty if the two agree.
  package var clock = ContainerClock()
  /// The loudest sample; full scale is 1. Single frames of a file that are beyond it are damage and do not count, nor does
  /// what is ten times as loud as all else for up to a fifth of a second.
  package var peak = 0.0

  /// More holes would be of no use to anybody.
  fileprivate static let maxHoles = 1000

  package init(
    statedDuration: Double? = nil, holes: [Hole] = [], clock: ContainerClock = .init(), peak: Double = 0
  ) {
    self.statedDuration = statedDuration
    self.holes = holes
    self.clock = clock
    self.peak = peak
  }

  /// Whether the values are possible in a file of `length` frames.
  func isPlausible(length: Int64) -> Bool {
    guard statedDuration.map({ $0.isFinite && $0 >= 0 }) != false, peak.isFinite, peak >= 0,
      clock.isPlausible(length: length)
    else { return false }
    var end: Int64 = 0
    for hole in holes {
      guard (end...length).contains(hole.start), (1...max(1, length - hole.start)).contains(hole.frames)
      else {
        return false
      }
      end = hole.start + hole.frames
    }
    return end <= length
  }
}

extension [AudioFileCondition.Hole] {
  /// Adds a hole behind the others; one that is known already, because the file is decoded again, is ignored. Where there
  /// are very many, what is between the last ones counts as damaged too.
  mutating func add(_ hole: AudioFileCondition.Hole) {
    guard let last else { return append(hole) }
    guard hole.start >= last.start + last.frames else { return }
    if count < AudioFileCondition.maxHoles { return append(hole) }
    self[count - 1].frames = hole.start + hole.frames - last.start
  }
}
