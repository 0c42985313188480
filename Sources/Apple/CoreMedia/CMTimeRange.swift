/// The times from `start` to `start + duration`, not including the end.
public struct CMTimeRange: Sendable {
  /// The first time of the range.
  public var start: CMTime
  /// The length of the range. It is not negative, and it is in epoch 0 even if `start` is not.
  public var duration: CMTime

  /// Creates an invalid range.
  public init() { self.init(start: .invalid, duration: .invalid) }

  /// Creates a range from its fields, which are not checked.
  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  /// Creates the range from `start` to `end`, not including `end`. It is invalid if `end` is earlier or in another epoch.
  public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

  /// An empty range at zero seconds.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  /// An invalid range.
  public static let invalid = CMTimeRange()

  /// Whether this is valid: both fields are valid, and `duration` is in epoch 0 and not negative.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
  }
  /// Whether `start` or `duration` is indefinite.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
  /// Whether the duration is zero.
  public var isEmpty: Bool { isValid && duration == .zero }
  /// The end of the range, which is not part of it.
  public var end: CMTime { start + duration }
}

extension CMTimeRange: Equatable, Hashable {
  /// Whether both have the same start and duration. The timescales may differ.
  public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool {
    range1.start == range2.start && range1.duration == range2.duration
  }

  /// Whether they differ in start or duration.
  public static func != (range1: CMTimeRange, range2: CMTimeRange) -> Bool { !(range1 == range2) }

  /// Hashes both fields.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(duration)
  }
}

extension CMTimeRange {
  /// The smallest range that contains both ranges, including the times between them.
  ///
  /// An empty range counts too, with its start. Apple does not define the union with an invalid range or with one of another
  /// epoch; here it is invalid.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard isCommensurable(with: otherRange) else { return .invalid }
    return CMTimeRange(
      start: CMTimeMinimum(start, otherRange.start), end: CMTimeMaximum(end, otherRange.end))
  }

  /// The times that are in both ranges; `CMTimeRange.zero` if the ranges neither overlap nor touch.
  ///
  /// Apple does not define the intersection with an invalid range or with one of another epoch; here it is invalid.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard isCommensurable(with: otherRange) else { return .invalid }
    let latestStart = CMTimeMaximum(start, otherRange.start)
    let earliestEnd = CMTimeMinimum(end, otherRange.end)
    return latestStart <= earliestEnd ? CMTimeRange(start: latestStart, end: earliestEnd) : .zero
  }

  /// Whether `time` is in the range: not before the start, and before the end.
  public func containsTime(_ time: CMTime) -> Bool {
    isValid && time.isValid && !time.isIndefinite && start <= time && time < end
  }

  /// Whether all of `range` is in this range.
  public func containsTimeRange(_ range: CMTimeRange) -> Bool {
    isValid && range.isValid && start <= range.start && range.end <= end
  }

  /// Whether both ranges are valid and on the same timeline.
  private func isCommensurable(with other: CMTimeRange) -> Bool {
    guard isValid, other.isValid else { return false }
    return !start.isNumeric || !other.start.isNumeric || start.epoch == other.start.epoch
  }
}

// The C functions, for code that uses Apple's headers.

/// Creates a range; invalid if `duration` is not in epoch 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// Creates the range from `start` to `end`, not including `end`.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, end: end)
}

/// The end of `range`, which is not part of it.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// The smallest range that contains both ranges.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  range.union(otherRange)
}

/// The times that are in both ranges.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  range.intersection(otherRange)
}

/// Whether `time` is in `range`.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

/// Whether all of `otherRange` is in `range`.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
  range.containsTimeRange(otherRange)
}

/// Whether both ranges have the same start and duration.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Whether `range` is valid.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// Whether `range` is invalid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// Whether the start or the duration of `range` is indefinite.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// Whether the duration of `range` is zero.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }
