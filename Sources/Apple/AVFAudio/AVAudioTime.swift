import Foundation

/// A moment, by the machine's clock, by a count of frames, or both. Immutable.
///
/// On Linux host time is `CLOCK_MONOTONIC` in nanoseconds.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioTime: NSObject, @unchecked Sendable {
  /// Whether `hostTime` means something.
  open private(set) var isHostTimeValid: Bool
  /// The machine's clock, in its own ticks; see `seconds(forHostTime:)`.
  open private(set) var hostTime: UInt64
  /// Whether `sampleTime` and `sampleRate` mean something.
  open private(set) var isSampleTimeValid: Bool
  /// A count of frames at `sampleRate`.
  open private(set) var sampleTime: AVAudioFramePosition
  /// Frames a second, in Hz; 0 where `isSampleTimeValid` is false.
  open private(set) var sampleRate: Double

  /// A moment of the machine's clock.
  public init(hostTime: UInt64) {
    (isHostTimeValid, self.hostTime) = (true, hostTime)
    (isSampleTimeValid, sampleTime, sampleRate) = (false, 0, 0)
    super.init()
  }

  /// A moment as a count of frames at `sampleRate` Hz.
  public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (isHostTimeValid, hostTime) = (false, 0)
    (isSampleTimeValid, self.sampleTime, self.sampleRate) = (true, sampleTime, sampleRate)
    super.init()
  }

  /// A moment both ways.
  public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (isHostTimeValid, self.hostTime) = (true, hostTime)
    (isSampleTimeValid, self.sampleTime, self.sampleRate) = (true, sampleTime, sampleRate)
    super.init()
  }

  /// Ticks of the machine's clock in `seconds`; 0 for what is negative, too large or no number.
  open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    UInt64(exactly: (seconds * 1e9).rounded()) ?? 0
  }

  /// Seconds in `hostTime` ticks of the machine's clock.
  open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

  /// Now, in ticks of the machine's clock; Apple spells it `mach_absolute_time()`.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// This moment both ways, the missing one reckoned from `anchorTime`, which must have both.
  ///
  /// Nil if the anchor lacks one, if the rates differ, or if this moment has neither. A moment that has both already
  /// is returned as it is.
  open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
    if isHostTimeValid, isSampleTimeValid { return self }
    guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid, anchorTime.sampleRate > 0 else {
      return nil
    }
    let rate = anchorTime.sampleRate
    if isSampleTimeValid {
      guard sampleRate == rate else { return nil }
      let seconds = (Double(sampleTime) - Double(anchorTime.sampleTime)) / rate
      let ticks = Double(anchorTime.hostTime) + seconds * 1e9
      guard let host = UInt64(exactly: ticks.rounded()) else { return nil }
      return AVAudioTime(hostTime: host, sampleTime: sampleTime, atRate: rate)
    }
    guard isHostTimeValid else { return nil }
    let seconds = (Double(hostTime) - Double(anchorTime.hostTime)) / 1e9
    guard let frames = Int64(exactly: (seconds * rate).rounded()) else { return nil }
    let (sample, overflow) = anchorTime.sampleTime.addingReportingOverflow(frames)
    return overflow ? nil : AVAudioTime(hostTime: hostTime, sampleTime: sample, atRate: rate)
  }
}
