/// Finds holes: compares the time that the container gives a frame with the number of frames before it.
///
/// Times of containers are inexact, and many are rounded to milliseconds. Therefore only a difference of a tenth of a second
/// is a hole, and half of that in a file that is known to be damaged. Smaller ones add up until they are one. Some times
/// follow a clock other than that of the samples: a difference that grows slowly is no hole, see `clock`.
struct FrameTimeline {
  /// Seconds by which a time must be late for a hole.
  private static let tolerance = 0.1
  /// Seconds by which a time must be early for a new start, for example where two files were joined.
  private static let restart = 0.5
  /// Seconds of the longest hole in a file that does not state its length.
  private static let maxHole = 600.0
  /// Seconds of all holes: a few bytes must not become years of silence.
  static let maxMissing = 100_000.0
  /// Seconds by which times may differ from the clock without being followed: rounding.
  private static let slack = 0.005
  /// Seconds from one point of the clock to the next.
  private static let spacing = 5.0

  /// Frames per unit of the stream's times.
  private let framesPerUnit: Double
  private let rate: Double
  /// The frame before which a hole must end; nil if unknown.
  private let limit: Double?
  /// Whether a hole was found, times began again, or the caller said that the file is damaged.
  ///
  /// It holds for one pass: what an earlier pass found further on would move the holes, and with them the length.
  private(set) var isDamaged = false
  /// The frames of all holes.
  private var filled = 0.0
  /// The time of frame 0.
  private var origin: Int64?
  /// By how many frames the container's clock is ahead of the samples, the part of the last difference that comes from
  /// missing or repeated packets, and that difference.
  private var (drift, loss) = (0.0, 0.0)
  private var last: Double?
  private var points = ContainerClock()

  /// - Parameters:
  ///   - unit: seconds of a unit of the stream's times.
  ///   - rate: frames per second.
  ///   - origin: the time of frame 0; nil for that of the first frame.
  ///   - statedDuration: the length that the file states, in seconds.
  init(unit: Double, rate: Int32, origin: Int64? = nil, statedDuration: Double? = nil) {
    self.rate = Double(rate)
    framesPerUnit = unit * self.rate
    self.origin = origin
    limit = statedDuration.map { ($0 + Self.restart) * Double(rate) }
  }

  /// How many frames are missing before a frame.
  /// - Parameters:
  ///   - time: the time of the frame; nil if the container has none.
  ///   - count: the length of the frame.
  ///   - position: how many frames there are before it.
  ///   - isDamaged: whether packets were damaged up to here.
  mutating func missing(
    before time: Int64?, count: Int, at position: Int64, isDamaged: Bool
  ) -> Int64 {
    self.isDamaged = self.isDamaged || isDamaged
    guard let time else { return 0 }
    let tolerance = (self.isDamaged ? 0.5 : 1) * Self.tolerance * rate
    let (units, overflow) = time.subtractingReportingOverflow(origin ?? time)
    let difference = Double(units) * framesPerUnit - Double(position)
    if !overflow { follow(difference, count) }
    let late = difference - drift
    let hole = late.rounded()
    let isStated =
      limit.map { Double(position) + difference + Double(count) <= $0 } ?? (late < Self.maxHole * rate)
    let isPossible = isStated && filled + hole <= Self.maxMissing * rate
    if origin != nil, !overflow, isPossible, late >= tolerance {
      self.isDamaged = true
      (loss, last) = (0, drift)
      filled += hole
      return Int64(hole)
    }
    if overflow || origin == nil || late >= tolerance || late < -Self.restart * rate {
      // The times of another recording, or wrong ones: from here on this frame is where it is.
      self.isDamaged = self.isDamaged || origin != nil
      let passed = (Double(position) + drift) / framesPerUnit
      origin = time.subtractingReportingOverflow(Int64(passed.rounded())).partialValue
      (loss, last) = (0, drift)
    }
    points.note(frame: position, ahead: drift, spacing: Int64(Self.spacing * rate))
    return 0
  }

  /// The clock of the container, at the end of the audio; without points if it agrees with the samples.
  func clock(at end: Int64) -> ContainerClock {
    var clock = points
    clock.note(frame: end, ahead: drift, spacing: 1)
    return clock.greatest >= Self.tolerance * rate ? clock : ContainerClock()
  }

  /// Reading continues elsewhere in a file without holes: what the next time differs by is the clock's.
  mutating func resume() { last = nil }

  /// Follows the container's clock: slowly, and not where packets are missing.
  private mutating func follow(_ difference: Double, _ count: Int) {
    guard let last else {
      // Before the first frame of the file there may be a hole.
      if points != ContainerClock() { drift = difference }
      self.last = difference
      return
    }
    let step = difference - last
    self.last = difference
    loss = loss > 0 ? max(0, min(loss, difference - drift)) : min(0, max(loss, difference - drift))
    if abs(step) >= max(0.8 * Double(count), 2 * Self.slack * rate) { loss += step }
    let rest = difference - drift - loss
    let (slack, most) = (Self.slack * rate, ContainerClock.maxRate * Double(count))
    if abs(rest) > slack { drift += min(max(rest - (rest < 0 ? -slack : slack), -most), most) }
  }
}
