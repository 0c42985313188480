/// The product of a time and a floating-point number.
///
/// The timescale is that of `time`, doubled until it is at least 65536. If the value overflows, the timescale is halved
/// until it fits; if it never fits, the product is infinite. The exact product is rounded only once. An infinite time
/// stays infinite. Its sign changes if `multiplier` is negative. Apple does not define the rest: here NaN makes the product
/// invalid, and so does infinity times zero. Infinity times any other number is infinite.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
  guard time.isValid, !multiplier.isNaN else { return .invalid }
  if let product = time.nonNumericProduct(isSignKept: multiplier >= 0) { return product }
  let isNegative = (time.value < 0) != (multiplier < 0)
  let infinity = isNegative ? CMTime.negativeInfinity : .positiveInfinity
  guard multiplier.isFinite else { return time.value == 0 ? .invalid : infinity }

  var scale = time.timescale
  while scale < 65536 { scale *= 2 }
  let product = BinaryProduct(of: time, by: multiplier)
  while true {
    if let ticks = product.ticks(at: scale),
      let value = CMTimeValue(exactly: isNegative ? -ticks.count : ticks.count)
    {
      return CMTime(
        value: value, timescale: scale, hasBeenRounded: time.hasBeenRounded || !ticks.isExact,
        epoch: time.epoch)
    }
    guard scale > 1 else { return infinity }
    scale /= 2
  }
}

/// The magnitude of the product of a time and a finite floating-point number, in seconds:
/// `significand * 2^exponent / timescale`.
private struct BinaryProduct {
  private var significand: UInt128
  private var exponent: Int
  private let timescale: UInt128
  /// Whether bits of the significand were dropped. This happens only for products very near zero.
  private var isTruncated = false

  /// The largest shift that leaves room for a timescale and one more bit.
  private static let largestShift = 96

  init(of time: CMTime, by multiplier: Double) {
    let fraction = multiplier.significandBitPattern
    let implicitBit: UInt64 = multiplier.isNormal ? 1 << Double.significandBitCount : 0
    var bits = fraction | implicitBit
    var exponent = Int(max(multiplier.exponentBitPattern, 1)) - 1023 - Double.significandBitCount
    if bits != 0 {
      exponent += bits.trailingZeroBitCount
      bits >>= UInt64(bits.trailingZeroBitCount)
    }
    significand = UInt128(time.value.magnitude) * UInt128(bits)
    self.exponent = significand == 0 ? 0 : exponent
    timescale = UInt128(time.timescale.magnitude)
    let excess = -self.exponent - Self.largestShift
    if excess > 0 {
      let kept = excess < UInt128.bitWidth ? significand >> UInt128(excess) : 0
      isTruncated = excess >= UInt128.bitWidth || kept << UInt128(excess) != significand
      significand = kept
      self.exponent = -Self.largestShift
    }
  }

  /// The ticks of `scale` nearest to this, or nil if they are far too many for a time.
  func ticks(at scale: CMTimeScale) -> (count: Int128, isExact: Bool)? {
    guard exponent <= Self.largestShift else { return nil }
    // Half ticks, because they decide which way to round.
    let factor = UInt128(scale.magnitude) << UInt128(max(exponent, 0) + 1)
    let divisor = timescale << UInt128(max(-exponent, 0))
    let dividend = significand.multipliedFullWidth(by: factor)
    guard dividend.high < divisor else { return nil }
    let (halves, rest) = divisor.dividingFullWidth(dividend)
    return Int128(exactly: halves / 2 + halves % 2).map {
      ($0, halves % 2 == 0 && rest == 0 && !isTruncated)
    }
  }
}
