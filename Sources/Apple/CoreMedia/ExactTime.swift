/// A number of seconds as a fraction that no operation on two times has rounded yet.
struct ExactTime {
  /// Not over 2^96 in magnitude, so that a timescale times it fits.
  var numerator: Int128
  /// Positive.
  var denominator: Int128

  /// The nearest time at `timescale`; if the value does not fit, at the first of its halves at which it does,
  /// and infinite if there is none.
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

  /// A whole number for `dividend / divisor`, where `divisor` is positive. The QuickTime method depends on
  /// more than the quotient; its caller has to choose, and here it counts as the default one.
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

  /// The greatest number that divides both, or the other one if one is zero.
  static func greatestCommonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
  }
}

extension CMTime {
  /// A number, with the flag that says whether it is exact.
  init(value: CMTimeValue, timescale: CMTimeScale, hasBeenRounded: Bool, epoch: CMTimeEpoch) {
    self.init(
      value: value, timescale: timescale, flags: hasBeenRounded ? [.valid, .hasBeenRounded] : .valid,
      epoch: epoch)
  }

  /// Whether the fields really make a number.
  var isUsable: Bool { isNumeric && timescale > 0 }

  /// Either infinity.
  var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }
}
