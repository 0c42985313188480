@_exported import CoreAudioTypes

/// How many ticks a time is long.
public typealias CMTimeValue = Int64
/// How many ticks make one second.
public typealias CMTimeScale = Int32
/// Which of several unrelated timelines a time is on; 0 for durations.
public typealias CMTimeEpoch = Int64
/// The largest number of ticks a second that a time can have.
public let kCMTimeMaxTimescale: Int = 0x7fff_ffff

/// A time of `value / timescale` seconds, exact as long as it has not been rounded.
///
/// Instances that mean the same need not have the same fields: compare them with `==`, which compares what
/// they mean. A timescale must be positive. Apple leaves open what any other one does; here such a time is no
/// number: arithmetic makes it invalid, comparison counts it among the invalid times and its `seconds` are
/// NaN.
public struct CMTime: Sendable {
  /// The number of ticks.
  public var value: CMTimeValue
  /// Ticks in one second.
  public var timescale: CMTimeScale
  /// Whether this is a number, and what it is otherwise.
  public var flags: CMTimeFlags
  /// The timeline; later epochs come after earlier ones whatever the value.
  public var epoch: CMTimeEpoch

  /// An invalid time, all of whose fields are zero.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  /// A time of the given fields, which are not checked.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// A time of `seconds`, cut to a whole number of ticks as `CMTimeMakeWithSeconds` does.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// A time of `value / timescale` seconds.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: .valid, epoch: 0)
  }

  /// No time at all.
  public static let invalid = CMTime()
  /// A time that is not known.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// A time after every number.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// A time before every number.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1)

  /// Whether this is a time, though perhaps an infinite or an indefinite one.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether this is later than every number.
  public var isPositiveInfinity: Bool { flags.isSuperset(of: [.valid, .positiveInfinity]) }
  /// Whether this is earlier than every number.
  public var isNegativeInfinity: Bool { flags.isSuperset(of: [.valid, .negativeInfinity]) }
  /// Whether this is not known.
  public var isIndefinite: Bool { flags.isSuperset(of: [.valid, .indefinite]) }
  /// Whether `value`, `timescale` and `epoch` say what this is.
  public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
  /// Whether this is a number that may differ from the one that was asked for.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}
