extension CMTime {
  /// The kinds of times in the order that Apple documents.
  fileprivate enum Rank: Int {
    case negativeInfinity
    case number
    case indefinite
    case positiveInfinity
    case invalid
  }

  fileprivate var rank: Rank {
    if !isValid { return .invalid }
    if isPositiveInfinity { return .positiveInfinity }
    if isNegativeInfinity { return .negativeInfinity }
    if isIndefinite { return .indefinite }
    // A total order must include times without a positive timescale, too.
    return isUsable ? .number : .invalid
  }
}

/// Compares two times: -1 if `time1` is earlier, 1 if it is later, 0 if they are equal.
///
/// This is a total order: -infinity, numbers, indefinite, +infinity, invalid. Numbers are compared by their epoch first.
/// All invalid times are equal, and so are all indefinite ones.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  let (rank1, rank2) = (time1.rank, time2.rank)
  guard rank1 == rank2 else { return rank1.rawValue < rank2.rawValue ? -1 : 1 }
  guard rank1 == .number else { return 0 }
  guard time1.epoch == time2.epoch else { return time1.epoch < time2.epoch ? -1 : 1 }
  let left = Int128(time1.value) * Int128(time2.timescale)
  let right = Int128(time2.value) * Int128(time1.timescale)
  return left == right ? 0 : (left < right ? -1 : 1)
}

/// The earlier of two times in the order of `CMTimeCompare`.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) <= 0 ? time1 : time2
}

/// The later of two times in the order of `CMTimeCompare`.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) >= 0 ? time1 : time2
}

extension CMTime: Equatable, Comparable {
  /// Whether `time1` is earlier than `time2`.
  public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }
  /// Whether `time1` is not later than `time2`.
  public static func <= (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) <= 0 }
  /// Whether `time1` is later than `time2`.
  public static func > (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) > 0 }
  /// Whether `time1` is not earlier than `time2`.
  public static func >= (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) >= 0 }
  /// Whether both are the same time. The timescales may differ.
  public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }
  /// Whether they are different times.
  public static func != (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) != 0 }
}

extension CMTime: Hashable {
  /// Hashes the values that `==` compares: for a number its fraction in lowest terms and its epoch, else only its kind.
  public func hash(into hasher: inout Hasher) {
    let rank = self.rank
    hasher.combine(rank)
    guard rank == .number else { return }
    let divisor = Int128(
      ExactTime.greatestCommonDivisor(UInt128(value.magnitude), UInt128(timescale.magnitude)))
    hasher.combine(Int128(value) / divisor)
    hasher.combine(Int128(timescale) / divisor)
    hasher.combine(epoch)
  }
}
