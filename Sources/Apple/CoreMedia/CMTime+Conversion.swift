/// Creates a time of `seconds` at `preferredTimescale` ticks per second.
///
/// Seconds between two ticks are truncated toward zero, as on Apple platforms, and the result is marked as rounded. If the
/// value overflows, the timescale is halved until it fits; if it never fits, the result is infinite. If the timescale is
/// not positive the result is invalid. So it is if the seconds are NaN, which Apple does not define.
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

/// The time in seconds, for any epoch: infinite if the time is infinite, and NaN if it is invalid or indefinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
  if time.isPositiveInfinity { return .infinity }
  if time.isNegativeInfinity { return -.infinity }
  return time.isUsable ? Double(time.value) / Double(time.timescale) : .nan
}

/// Converts a time to another timescale, and marks it if it was rounded.
///
/// A time that is not a number is returned unchanged. In two cases that Apple does not define, a timescale that is not
/// positive makes the result invalid, and a value that overflows makes it infinite.
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
  /// The time in seconds: infinite if the time is infinite, and NaN if it is invalid or indefinite.
  public var seconds: Double { CMTimeGetSeconds(self) }

  /// Converts this to another timescale. Rounds with `method` if necessary.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }
}

/// How to round a time that lies between two ticks of a timescale.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  /// To the nearest tick. If both are equally near, away from zero.
  case roundHalfAwayFromZero = 1
  /// To the tick nearer zero.
  case roundTowardZero = 2
  /// To the tick farther from zero.
  case roundAwayFromZero = 3
  /// Toward zero if the new timescale is smaller, away from zero if it is larger. A negative time never becomes zero.
  case quickTime = 4
  /// To the later tick.
  case roundTowardPositiveInfinity = 5
  /// To the earlier tick.
  case roundTowardNegativeInfinity = 6

  /// The method of all operations that have no parameter for it.
  public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}
