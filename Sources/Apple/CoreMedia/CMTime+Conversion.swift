/// A time of `seconds` at `preferredTimescale` ticks a second.
///
/// Seconds between two ticks are cut toward zero, as on Apple's systems, and the result is flagged as
/// rounded. If the value does not fit, the timescale is halved until it does; if it never does, the result is
/// infinite. A timescale that is not positive makes it invalid, and so do seconds that are NaN, of which
/// Apple says nothing.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
  guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
  var scale = preferredTimescale
  while true {
    if let value = CMTimeValue(exactly: (seconds * Double(scale)).rounded(.towardZero)) {
      let isExact = Double(value) / Double(scale) == seconds
      return CMTime(value: value, timescale: scale, hasBeenRounded: !isExact, epoch: 0)
    }
    guard scale > 1 else { return seconds < 0 ? .negativeInfinity : .positiveInfinity }
    scale /= 2
  }
}

/// The seconds of `time`, whatever its epoch; infinite if it is, and NaN if it is invalid or indefinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
  if time.isPositiveInfinity { return .infinity }
  if time.isNegativeInfinity { return -.infinity }
  return time.isUsable ? Double(time.value) / Double(time.timescale) : .nan
}

/// `time` at `newTimescale` ticks a second, flagged if it had to be rounded.
///
/// A time that is no number is returned as it is. Where Apple says nothing: a timescale that is not positive
/// makes the result invalid, and a value that does not fit at the new timescale makes it infinite.
public func CMTimeConvertScale(
  _ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod
) -> CMTime {
  guard time.isNumeric else { return time }
  guard time.isUsable, newTimescale > 0 else { return .invalid }
  guard time.timescale != newTimescale else { return time }
  let isFiner = newTimescale > time.timescale
  let isQuickTime = method == .quickTime
  let quotient = ExactTime.divide(
    Int128(time.value) * Int128(newTimescale), by: Int128(time.timescale),
    method: isQuickTime ? (isFiner ? .roundAwayFromZero : .roundTowardZero) : method)
  let ticks = isQuickTime && time.value < 0 && quotient.value == 0 ? -1 : quotient.value
  guard let value = CMTimeValue(exactly: ticks) else {
    return time.value < 0 ? .negativeInfinity : .positiveInfinity
  }
  return CMTime(
    value: value, timescale: newTimescale, hasBeenRounded: time.hasBeenRounded || !quotient.isExact,
    epoch: time.epoch)
}

extension CMTime {
  /// This in seconds: infinite if this is, and NaN if it is invalid or indefinite.
  public var seconds: Double { CMTimeGetSeconds(self) }

  /// This at `newTimescale` ticks a second, rounded by `method` if it has to be.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }
}
