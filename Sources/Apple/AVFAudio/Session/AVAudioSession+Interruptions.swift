import Foundation

/// The key of an interruption's `AVAudioSession.InterruptionType`, as its raw value, a `UInt`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of the `AVAudioSession.InterruptionOptions` at the end of an interruption, as their raw value, a `UInt`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of the `AVAudioSession.InterruptionReason` at the start of an interruption, as its raw value, a `UInt`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"

extension AVAudioSession {
  /// Whether an interruption begins or ends.
  public enum InterruptionType: UInt, Sendable {
    /// It has ended.
    case ended = 0
    /// It has begun.
    case began = 1
  }

  /// What the program should do at the end of an interruption.
  public struct InterruptionOptions: OptionSet, Sendable {
    /// The bits of all options.
    public let rawValue: UInt
    /// Creates the options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The program may continue: start the engine again if it is not running.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  /// Why an interruption begins.
  public enum InterruptionReason: UInt, Sendable {
    /// On Apple platforms another program needs audio. On Linux the sound server ended or suspends the source.
    case `default` = 0
    /// The program was suspended; never on Linux.
    case appWasSuspended = 1
    /// The microphone is covered or switched off; never on Linux.
    case builtInMicMuted = 2
    /// The device was removed.
    case routeDisconnected = 4
  }

  /// Posted when a recording is interrupted, and when the interruption ends.
  ///
  /// On Linux an interruption begins when the sound server of a running engine ends or when the source is removed. It ends
  /// when there is a source again; a server that returns is noticed within 2 seconds. The engine has stopped then, and
  /// `start()` starts it again. An interruption also begins when the server suspends the source, and ends when the server
  /// resumes it; the engine keeps running. Posted on a thread of the engine. The object is the session.
  public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")

  /// Records that an engine is interrupted, and posts this for the first engine.
  func interrupt(by engine: ObjectIdentifier, reason: InterruptionReason) {
    guard !changeInterrupters({ $0.insert(engine) }).before else { return }
    post([
      AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue,
      AVAudioSessionInterruptionReasonKey: reason.rawValue,
    ])
  }

  /// Records that an engine is no longer interrupted, and posts this for the last engine.
  func endInterruption(by engine: ObjectIdentifier, options: InterruptionOptions) {
    let change = changeInterrupters { $0.remove(engine) }
    guard change.before, !change.now else { return }
    post([
      AVAudioSessionInterruptionTypeKey: InterruptionType.ended.rawValue,
      AVAudioSessionInterruptionOptionKey: options.rawValue,
    ])
  }

  private func post(_ information: [String: UInt]) {
    NotificationCenter.default.post(
      name: Self.interruptionNotification, object: self, userInfo: information)
  }
}
