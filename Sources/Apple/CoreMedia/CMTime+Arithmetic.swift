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
      // The difference of two times on one timeline is a duration. A duration moves a time along its timeline.
      epoch: first.epoch == second.epoch ? 0 : first.epoch + second.epoch)
  }

  /// The sum of two valid times, if at least one of them is infinite.
  private static func infiniteSum(_ first: CMTime, _ second: CMTime, isDifference: Bool) -> CMTime {
    let isUp = second.isPositiveInfinity != (isDifference && second.isInfinite)
    guard first.isInfinite else { return isUp ? .positiveInfinity : .negativeInfinity }
    let isFirstUp = first.isPositiveInfinity
    guard second.isInfinite, isUp != isFirstUp else {
      return isFirstUp ? .positiveInfinity : .negativeInfinity
    }
    return .invalid
  }

  /// The sum of two times; see `CMTimeAdd`.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

  /// The difference of two times; see `CMTimeSubtract`.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
    CMTimeSubtract(minuend, subtrahend)
  }
}

/// The sum of two times.
///
/// Its timescale is the least common multiple of both timescales. If that is more than `kCMTimeMaxTimescale`, it is
/// `kCMTimeMaxTimescale` and the sum is rounded. If the value overflows, the timescale is halved until it fits; if it
/// never fits, the sum is infinite. If one of the times was rounded, so was the sum. Invalid times, opposite infinities
/// and times of two different epochs other than 0 have no valid sum. The sum of two times of one epoch is in epoch 0.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { .sum(lhs, rhs, sign: 1) }

/// The difference of two times, by the rules of `CMTimeAdd`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { .sum(lhs, rhs, sign: -1) }

extension CMTime {
  /// The product with any number, if this is not a number itself; nil if it is one.
  func nonNumericProduct(isSignKept: Bool) -> CMTime? {
    guard !isUsable else { return nil }
    if isInfinite { return isPositiveInfinity == isSignKept ? .positiveInfinity : .negativeInfinity }
    return isIndefinite ? .indefinite : .invalid
  }
}

/// The product of a time and a whole number, at the timescale of the time.
///
/// If the value overflows, the timescale is halved until it fits, and the product is rounded; if it never fits, the
/// product is infinite. An infinite time stays infinite. Its sign changes if `multiplier` is negative.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  if let product = time.nonNumericProduct(isSignKept: multiplier >= 0) { return product }
  let exact = ExactTime(
    numerator: Int128(time.value) * Int128(multiplier), denominator: Int128(time.timescale))
  return exact.rounded(at: time.timescale, hasBeenRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// `time * multiplier / divisor`, exact if any timescale allows it.
///
/// The result has the timescale of `time`, or its smallest multiple that fits, or the timescale of the fraction in lowest
/// terms. If none of them fits, the timescale is halved from `kCMTimeMaxTimescale` until the value fits, and the result is
/// rounded; if it never fits, the result is infinite. With a divisor of 0 the result is invalid if the product is 0, else
/// infinite. An infinite time stays infinite. Apple does not define its sign; here it is the sign of the product.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  let isSignKept = (multiplier < 0) == (divisor < 0)
  if divisor == 0, multiplier == 0 { return time.isIndefinite ? .indefinite : .invalid }
  if let product = time.nonNumericProduct(isSignKept: isSignKept) { return product }
  guard divisor != 0 else {
    if time.value == 0 { return .invalid }
    return (time.value > 0) == (multiplier > 0) ? .positiveInfinity : .negativeInfinity
  }

  let numerator = Int128(time.value) * Int128(multiplier) * Int128(divisor).signum()
  let denominator = Int128(time.timescale) * Int128(divisor.magnitude)
  // Reduce only the divisor first, so that the timescale stays a multiple of the time's own.
  for reducible in [Int128(divisor.magnitude), denominator] {
    let common = Int128(ExactTime.greatestCommonDivisor(numerator.magnitude, reducible.magnitude))
    if let value = CMTimeValue(exactly: numerator / common),
      let timescale = CMTimeScale(exactly: denominator / common)
    {
      return CMTime(
        value: value, timescale: timescale, hasBeenRounded: time.hasBeenRounded, epoch: time.epoch)
    }
  }
  return ExactTime(numerator: numerator, denominator: denominator)
    .rounded(at: .max, hasBeenRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// The absolute value of `time`.
///
/// `Int64.min`, whose absolute value does not fit, is rounded at half its timescale.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  if time.isNegativeInfinity { return .positiveInfinity }
  guard time.isNumeric else { return time }
  return time.value < 0 ? CMTimeMultiply(time, multiplier: -1) : time
}
