import Foundation

/// A point in time: by the machine's clock, by a count of frames, or both. Immutable.
///
/// On Linux host time is `CLOCK_MONOTONIC` in nanoseconds.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioTime: NSObject, @unchecked Sendable {
  /// Whether `hostTime` is valid.
  open private(set) var isHostTimeValid: Bool
  /// The time by the machine's clock, in ticks; see `seconds(forHostTime:)`.
  open private(set) var hostTime: UInt64
  /// Whether `sampleTime` and `sampleRate` are valid.
  open private(set) var isSampleTimeValid: Bool
  /// A count of frames at `sampleRate`.
  open private(set) var sampleTime: AVAudioFramePosition
  /// The sample rate in Hz; 0 if `isSampleTimeValid` is false.
  open private(set) var sampleRate: Double

  /// Creates a time of the machine's clock.
  public init(hostTime: UInt64) {
    (isHostTimeValid, self.hostTime) = (true, hostTime)
    (isSampleTimeValid, sampleTime, sampleRate) = (false, 0, 0)
    super.init()
  }

  /// Creates a time as a count of frames at `sampleRate` Hz.
  public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (isHostTimeValid, hostTime) = (false, 0)
    (isSampleTimeValid, self.sampleTime, self.sampleRate) = (true, sampleTime, sampleRate)
    super.init()
  }

  /// Creates a time in both ways.
  public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (isHostTimeValid, self.hostTime) = (true, hostTime)
    (isSampleTimeValid, self.sampleTime, self.sampleRate) = (true, sampleTime, sampleRate)
    super.init()
  }

  /// Converts seconds to ticks of the machine's clock; 0 if `seconds` is negative, too large or NaN.
  open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    UInt64(exactly: (seconds * 1e9).rounded()) ?? 0
  }

  /// Converts ticks of the machine's clock to seconds.
  open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

  /// The current time in ticks of the machine's clock; Apple's name for it is `mach_absolute_time()`.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns this time in both ways. The missing one is computed from `anchorTime`, which must have both.
  ///
  /// Returns nil if the anchor lacks one, if the sample rates differ, or if this time has neither. A time that has both
  /// is returned unchanged.
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

extension AVAudioFramePosition {
  /// The frame at a time in seconds, at `rate` Hz. The nearest possible one for a time that is too large; 0 for NaN.
  package init(clampingSeconds seconds: TimeInterval, rate: Double) {
    let frames = (seconds * rate).rounded()
    self = AVAudioFramePosition(exactly: frames) ?? (frames.isNaN ? 0 : frames < 0 ? .min : .max)
  }
}
