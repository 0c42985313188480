import Foundation

/// The key of an interruption's `AVAudioSession.InterruptionType`, as its raw value, a `UInt`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of the `AVAudioSession.InterruptionOptions` of an interruption's end, as their raw value, a
/// `UInt`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of the `AVAudioSession.InterruptionReason` of an interruption's begin, as its raw value, a `UInt`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"

extension AVAudioSession {
  /// Whether an interruption begins or ends.
  public enum InterruptionType: UInt, Sendable {
    /// It is over.
    case ended = 0
    /// It begins.
    case began = 1
  }

  /// What the end of an interruption advises.
  public struct InterruptionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Going on is worth a try: start the engine again unless it runs.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  /// Why an interruption begins.
  public enum InterruptionReason: UInt, Sendable {
    /// On Apple platforms another program; on Linux the server died, or suspends the source.
    case `default` = 0
    /// The program was suspended; never on Linux.
    case appWasSuspended = 1
    /// The microphone is covered or switched off; never on Linux.
    case builtInMicMuted = 2
    /// The device vanished.
    case routeDisconnected = 4
  }

  /// Posted when what an engine records is interrupted, and when that is over.
  ///
  /// On Linux an interruption begins when the server of a running engine dies or the engine's source
  /// vanishes, and ends when there is a source again, a server that comes back being noticed within 2
  /// seconds; the engine has stopped then, and `start()` goes on. It begins too when the server suspends the
  /// source, and ends when it goes on with it; the engine runs all the while. Posted on a thread of the
  /// engine's; its object is the session.
  public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")

  /// An engine is interrupted: posted for the first one only.
  func interrupt(by engine: ObjectIdentifier, reason: InterruptionReason) {
    guard !changeInterrupters({ $0.insert(engine) }).before else { return }
    post([
      AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue,
      AVAudioSessionInterruptionReasonKey: reason.rawValue,
    ])
  }

  /// An engine is interrupted no more: posted for the last one only.
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
