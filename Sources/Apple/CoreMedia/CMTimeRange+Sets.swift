extension CMTimeRange {
  /// The smallest range that both ranges are in, and so also the times between them.
  ///
  /// An empty range counts by its place. Apple does not say what a union with an invalid range is, nor with
  /// one of another epoch: here it is invalid.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard isCommensurable(with: otherRange) else { return .invalid }
    return CMTimeRange(
      start: CMTimeMinimum(start, otherRange.start), end: CMTimeMaximum(end, otherRange.end))
  }

  /// The times that are in both ranges; `CMTimeRange.zero` if they neither overlap nor touch.
  ///
  /// Apple does not say what an intersection with an invalid range is, nor with one of another epoch: here it
  /// is invalid.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard isCommensurable(with: otherRange) else { return .invalid }
    let latestStart = CMTimeMaximum(start, otherRange.start)
    let earliestEnd = CMTimeMinimum(end, otherRange.end)
    return latestStart <= earliestEnd ? CMTimeRange(start: latestStart, end: earliestEnd) : .zero
  }

  /// Whether `time` is not before the start, and before the end.
  public func containsTime(_ time: CMTime) -> Bool {
    isValid && time.isValid && !time.isIndefinite && start <= time && time < end
  }

  /// Whether `range` neither starts before this range nor ends after it.
  public func containsTimeRange(_ range: CMTimeRange) -> Bool {
    isValid && range.isValid && start <= range.start && range.end <= end
  }

  /// Whether both are ranges on one timeline.
  private func isCommensurable(with other: CMTimeRange) -> Bool {
    guard isValid, other.isValid else { return false }
    return !start.isNumeric || !other.start.isNumeric || start.epoch == other.start.epoch
  }
}
