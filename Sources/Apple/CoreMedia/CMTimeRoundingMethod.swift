/// Which way a time goes that falls between two ticks of a timescale.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  /// To the nearer tick; away from zero when both are as near.
  case roundHalfAwayFromZero = 1
  /// To the tick nearer zero.
  case roundTowardZero = 2
  /// To the tick farther from zero.
  case roundAwayFromZero = 3
  /// Toward zero if the new timescale is the smaller, away from zero if it is the larger; a negative time
  /// never becomes zero.
  case quickTime = 4
  /// To the later tick.
  case roundTowardPositiveInfinity = 5
  /// To the earlier tick.
  case roundTowardNegativeInfinity = 6

  /// What every operation uses that does not ask.
  public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}
