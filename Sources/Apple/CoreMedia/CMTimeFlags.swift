/// What a `CMTime` is: valid or not, rounded or exact, a number or one of the values that no number stands
/// for.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// The flags whose bits are set in `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Set on every time that means something; a time without it is invalid, whatever else it says.
  public static let valid = CMTimeFlags(rawValue: 1 << 0)
  /// The time was rounded, or follows from one that was.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
  /// Later than every number.
  public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
  /// Earlier than every number.
  public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
  /// Not known, such as the duration of a live stream.
  public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
  /// The flags that stand in place of a number.
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}
