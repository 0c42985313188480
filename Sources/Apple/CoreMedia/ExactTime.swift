/// A number of seconds as an exact fraction.
struct ExactTime {
  /// At most 2^96 in magnitude, so that multiplying it by a timescale cannot overflow.
  var numerator: Int128
  /// Positive.
  var denominator: Int128

  /// The nearest time at `timescale`. If the value overflows, the timescale is halved until it fits; if it never fits, the
  /// time is infinite.
  func rounded(at timescale: CMTimeScale, hasBeenRounded: Bool, epoch: CMTimeEpoch) -> CMTime {
    var scale = max(timescale, 1)
    while true {
      let quotient = Self.divide(numerator * Int128(scale), by: denominator, method: .default)
      if let value = CMTimeValue(exactly: quotient.value) {
        return CMTime(
          value: value, timescale: scale, hasBeenRounded: hasBeenRounded || !quotient.isExact, epoch: epoch)
      }
      guard scale > 1 else { return numerator < 0 ? .negativeInfinity : .positiveInfinity }
      scale /= 2
    }
  }

  /// Divides by a positive number and rounds. The QuickTime method depends on more than the quotient, so the caller must
  /// choose another one; here it is treated as the default method.
  static func divide(
    _ dividend: Int128, by divisor: Int128, method: CMTimeRoundingMethod
  ) -> (value: Int128, isExact: Bool) {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard remainder != 0 else { return (quotient, true) }
    let isAwayFromZero =
      switch method {
      case .roundHalfAwayFromZero, .quickTime:
        // Not twice the remainder, which can overflow.
        remainder.magnitude >= divisor.magnitude - remainder.magnitude
      case .roundTowardZero: false
      case .roundAwayFromZero: true
      case .roundTowardPositiveInfinity: dividend > 0
      case .roundTowardNegativeInfinity: dividend < 0
      }
    return (isAwayFromZero ? quotient + dividend.signum() : quotient, false)
  }

  /// The greatest common divisor; if one number is zero, the other one.
  static func greatestCommonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
  }
}

extension CMTime {
  init(value: CMTimeValue, timescale: CMTimeScale, hasBeenRounded: Bool, epoch: CMTimeEpoch) {
    self.init(
      value: value, timescale: timescale, flags: hasBeenRounded ? [.valid, .hasBeenRounded] : .valid,
      epoch: epoch)
  }

  /// Whether this is a number with a positive timescale.
  var isUsable: Bool { isNumeric && timescale > 0 }

  /// Whether this is positive or negative infinity.
  var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }
}
