extension CMTime {
  /// `first + second`, or `first - second` if `sign` is -1.
  fileprivate static func sum(_ first: CMTime, _ second: CMTime, sign: Int128) -> CMTime {
    guard first.isValid, second.isValid else { return .invalid }
    if first.isInfinite || second.isInfinite { return infiniteSum(first, second, isDifference: sign < 0) }
    if first.isIndefinite || second.isIndefinite { return .indefinite }
    guard first.isUsable, second.isUsable else { return .invalid }
    guard first.epoch == second.epoch || first.epoch == 0 || second.epoch == 0 else { return .invalid }

    let (scale1, scale2) = (Int128(first.timescale), Int128(second.timescale))
    let divisor = ExactTime.greatestCommonDivisor(scale1.magnitude, scale2.magnitude)
    let leastCommonMultiple = scale1 / Int128(divisor) * scale2
    let exact = ExactTime(
      numerator: Int128(first.value) * scale2 + sign * Int128(second.value) * scale1,
      denominator: scale1 * scale2)
    return exact.rounded(
      at: CMTimeScale(clamping: leastCommonMultiple),
      hasBeenRounded: first.hasBeenRounded || second.hasBeenRounded,
      // Between two times of one timeline lies a duration; a duration moves a time along its timeline.
      epoch: first.epoch == second.epoch ? 0 : first.epoch + second.epoch)
  }

  /// The sum of two valid times of which one at least is infinite.
  private static func infiniteSum(_ first: CMTime, _ second: CMTime, isDifference: Bool) -> CMTime {
    let isUp = second.isPositiveInfinity != (isDifference && second.isInfinite)
    guard first.isInfinite else { return isUp ? .positiveInfinity : .negativeInfinity }
    let isFirstUp = first.isPositiveInfinity
    guard second.isInfinite, isUp != isFirstUp else {
      return isFirstUp ? .positiveInfinity : .negativeInfinity
    }
    return .invalid
  }

  /// `addend1` and `addend2` together; see `CMTimeAdd`.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

  /// `minuend` less `subtrahend`; see `CMTimeSubtract`.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
    CMTimeSubtract(minuend, subtrahend)
  }
}

/// The sum of two times.
///
/// Its timescale is the least common multiple of theirs; if there is no such timescale it is
/// `kCMTimeMaxTimescale` and the sum is rounded. If the value does not fit, the timescale is halved until it
/// does; if it never does, the sum is infinite. The sum of two rounded times counts as rounded, too. Invalid
/// times, opposite infinities and times of two different epochs other than 0 have no valid sum; the sum of
/// two times of one epoch is in epoch 0.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { .sum(lhs, rhs, sign: 1) }

/// The difference of two times, by the rules of `CMTimeAdd`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { .sum(lhs, rhs, sign: -1) }
