/// The times from `start` on, for as long as `duration`, without the end itself.
public struct CMTimeRange: Sendable {
  /// The first time of the range.
  public var start: CMTime
  /// How long the range is: not negative, and in epoch 0 even if `start` is in another one.
  public var duration: CMTime

  /// An invalid range.
  public init() { self.init(start: .invalid, duration: .invalid) }

  /// A range of the given fields, which are not checked.
  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  /// The times from `start` until before `end`; invalid if that is the earlier one or in another epoch.
  public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

  /// An empty range at zero seconds.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  /// No range at all.
  public static let invalid = CMTimeRange()

  /// Whether this is a range: both fields valid, and `duration` in epoch 0 and not negative.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
  }
  /// Whether this is a range of which one end is not known.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
  /// Whether this is a range of no length.
  public var isEmpty: Bool { isValid && duration == .zero }
  /// The time at which the range is over, which does not belong to it.
  public var end: CMTime { start + duration }
}

extension CMTimeRange: Equatable, Hashable {
  /// Whether both start at the same time and are as long, at whatever timescales.
  public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool {
    range1.start == range2.start && range1.duration == range2.duration
  }

  /// Whether they differ in their start or in their duration.
  public static func != (range1: CMTimeRange, range2: CMTimeRange) -> Bool { !(range1 == range2) }

  /// Feeds both fields.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(duration)
  }
}
