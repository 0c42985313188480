extension CMTime {
  /// The answer that a product has whatever the number it is multiplied by, if this is no number.
  func nonNumericProduct(isSignKept: Bool) -> CMTime? {
    guard !isUsable else { return nil }
    if isInfinite { return isPositiveInfinity == isSignKept ? .positiveInfinity : .negativeInfinity }
    return isIndefinite ? .indefinite : .invalid
  }
}

/// `multiplier` times `time`, at its timescale.
///
/// If the value does not fit, the timescale is halved until it does, and the product is rounded; if it never
/// does, the product is infinite. An infinite time stays infinite, and turns into its opposite if
/// `multiplier` is negative.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  if let product = time.nonNumericProduct(isSignKept: multiplier >= 0) { return product }
  let exact = ExactTime(
    numerator: Int128(time.value) * Int128(multiplier), denominator: Int128(time.timescale))
  return exact.rounded(at: time.timescale, hasBeenRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// `time` times `multiplier` over `divisor`, exact if any timescale allows it.
///
/// That is the timescale of `time` or else its smallest fitting multiple; failing that the fraction in its
/// lowest terms. If none of them fits, the result is rounded at the finest timescale, halved from
/// `kCMTimeMaxTimescale`, at which the value fits, and infinite if there is none. Over zero, zero is invalid
/// and anything else infinite. An infinite time stays infinite; Apple does not say of which sign, here it is
/// that of the product.
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
  // First only the divisor is reduced, which keeps the timescale a multiple of the time's own.
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

/// `time` without its sign.
///
/// The one value that has no counterpart, `Int64.min`, is rounded at half its timescale.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  if time.isNegativeInfinity { return .positiveInfinity }
  guard time.isNumeric else { return time }
  return time.value < 0 ? CMTimeMultiply(time, multiplier: -1) : time
}
