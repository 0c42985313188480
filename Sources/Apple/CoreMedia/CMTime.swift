/// A number of ticks.
public typealias CMTimeValue = Int64
/// The number of ticks in one second.
public typealias CMTimeScale = Int32
/// The number of a timeline; 0 for durations. Times on different timelines are unrelated.
public typealias CMTimeEpoch = Int64
/// The maximum timescale.
public let kCMTimeMaxTimescale: Int = 0x7fff_ffff

/// A time of `value / timescale` seconds. It is exact unless it has been rounded.
///
/// ```swift
/// import CoreMedia
///
/// let frame = CMTime(value: 1, timescale: 30)
/// let start = CMTime(seconds: 1.5, preferredTimescale: 600)
/// let end = start + CMTimeMultiply(frame, multiplier: 3)
/// print(end.seconds)  // 1.6
/// print(CMTime(value: 1, timescale: 2) == CMTime(value: 2, timescale: 4))  // true
/// ```
///
/// Equal times can have different fields, so compare them with `==`. A timescale must be positive. Apple does not define
/// what happens for others. Here such a time is not a number: arithmetic returns an invalid time, comparison treats it as
/// invalid, and its `seconds` are NaN.
public struct CMTime: Sendable {
  /// The time in ticks.
  public var value: CMTimeValue
  /// The number of ticks in one second.
  public var timescale: CMTimeScale
  /// Whether this time is valid, rounded, a number or infinite.
  public var flags: CMTimeFlags
  /// The timeline. Times of a later epoch come after all times of an earlier one.
  public var epoch: CMTimeEpoch

  /// Creates an invalid time. All fields are zero.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  /// Creates a time from its fields, which are not checked.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// Creates a time of `seconds`, truncated to a whole number of ticks; see `CMTimeMakeWithSeconds`.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// Creates a time of `value / timescale` seconds.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: .valid, epoch: 0)
  }

  /// An invalid time.
  public static let invalid = CMTime()
  /// An unknown time, for example the duration of a live stream.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// A time after every number.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// A time before every number.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1)

  /// Whether this is valid. Infinite and indefinite times are valid too.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether this is positive infinity: later than every number.
  public var isPositiveInfinity: Bool { flags.isSuperset(of: [.valid, .positiveInfinity]) }
  /// Whether this is negative infinity: earlier than every number.
  public var isNegativeInfinity: Bool { flags.isSuperset(of: [.valid, .negativeInfinity]) }
  /// Whether this is indefinite: not known.
  public var isIndefinite: Bool { flags.isSuperset(of: [.valid, .indefinite]) }
  /// Whether this is a number, given by `value`, `timescale` and `epoch`.
  public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
  /// Whether this is a number that was rounded, or computed from one that was.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}

/// The properties of a `CMTime`: whether it is valid, rounded, a number or infinite.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Creates the flags whose bits are set in `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The time is valid. A time without this flag is invalid, whatever its other fields are.
  public static let valid = CMTimeFlags(rawValue: 1 << 0)
  /// The time was rounded, or computed from one that was.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
  /// Later than every number.
  public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
  /// Earlier than every number.
  public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
  /// Not known, for example the duration of a live stream.
  public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
  /// The flags of times that are not numbers.
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

// The C functions, for code that uses Apple's headers.

/// Creates a time of `value / timescale` seconds in epoch 0.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// Creates a time of `value / timescale` seconds in the given epoch.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Whether `time` is valid. Infinite and indefinite times are valid too.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Whether `time` is invalid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Whether `time` is positive infinity.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Whether `time` is negative infinity.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Whether `time` is indefinite.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Whether `time` is a number.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Whether `time` is a number that was rounded, or computed from one that was.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }
