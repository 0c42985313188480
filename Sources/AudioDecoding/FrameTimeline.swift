/// Finds holes: compares the time that the container gives a frame with the number of frames before it.
///
/// Times of containers are inexact. Many are rounded to milliseconds, and some follow a clock other than that of the
/// samples. Therefore only a difference of a tenth of a second is a hole, and half of that in a file that is known to be
/// damaged. Smaller ones add up until they are one.
struct FrameTimeline {
  /// Seconds by which a time must be late for a hole.
  private static let tolerance = 0.1
  /// Seconds by which a time must be early for a new start, for example where two files were joined.
  private static let restart = 0.5
  /// Seconds of the longest hole in a file that does not state its length.
  private static let maxHole = 600.0

  /// Frames per unit of the stream's times.
  private let framesPerUnit: Double
  private let rate: Double
  /// The frame before which a hole must end; nil if unknown.
  private let limit: Double?
  /// Whether a hole was found, times began again, or the caller said that the file is damaged.
  ///
  /// It holds for one pass: what an earlier pass found further on would move the holes, and with them the length.
  private(set) var isDamaged = false
  /// The time of frame 0.
  private var origin: Int64?

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
    let late = Double(units) * framesPerUnit - Double(position)
    let isPossible =
      limit.map { Double(position) + late + Double(count) <= $0 } ?? (late < Self.maxHole * rate)
    if origin != nil, !overflow, isPossible, late >= tolerance {
      self.isDamaged = true
      return Int64(late.rounded())
    }
    if overflow || origin == nil || late >= tolerance || late < -Self.restart * rate {
      // The times of another recording, or wrong ones: from here on this frame is where it is.
      self.isDamaged = self.isDamaged || origin != nil
      let passed = Double(position) / framesPerUnit
      origin = time.subtractingReportingOverflow(Int64(passed.rounded())).partialValue
    }
    return 0
  }
}
