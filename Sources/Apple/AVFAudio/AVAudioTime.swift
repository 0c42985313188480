import Foundation

/// A moment, by the machine's clock, by a count of frames, or both. Immutable.
///
/// On Linux host time is `CLOCK_MONOTONIC` in nanoseconds.
public final class AVAudioTime: NSObject, Sendable {
  /// Whether `hostTime` means something.
  public let isHostTimeValid: Bool
  /// The machine's clock, in its own ticks; see `seconds(forHostTime:)`.
  public let hostTime: UInt64
  /// Whether `sampleTime` and `sampleRate` mean something.
  public let isSampleTimeValid: Bool
  /// A count of frames at `sampleRate`.
  public let sampleTime: AVAudioFramePosition
  /// Frames a second, in Hz; 0 where `isSampleTimeValid` is false.
  public let sampleRate: Double

  private init(host: UInt64?, sample: AVAudioFramePosition?, rate: Double) {
    isHostTimeValid = host != nil
    hostTime = host ?? 0
    isSampleTimeValid = sample != nil
    sampleTime = sample ?? 0
    sampleRate = sample == nil ? 0 : rate
  }

  /// A moment of the machine's clock.
  public convenience init(hostTime: UInt64) { self.init(host: hostTime, sample: nil, rate: 0) }

  /// A moment as a count of frames at `sampleRate` Hz.
  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    self.init(host: nil, sample: sampleTime, rate: sampleRate)
  }

  /// A moment both ways.
  public convenience init(
    hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double
  ) {
    self.init(host: hostTime, sample: sampleTime, rate: sampleRate)
  }

  /// Ticks of the machine's clock in `seconds`; 0 for what is negative, too large or no number.
  public class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    UInt64(exactly: (seconds * 1e9).rounded()) ?? 0
  }

  /// Seconds in `hostTime` ticks of the machine's clock.
  public class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

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
  public func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
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
