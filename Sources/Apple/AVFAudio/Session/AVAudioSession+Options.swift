import Foundation

extension AVAudioSession {
  /// What a program uses audio for.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// Apple's name for the category.
    public let rawValue: String
    /// Creates the category with that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Audio that mixes with audio of other programs.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Audio that silences other programs; the default.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Playing.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recording.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Playing and recording.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Several devices at once.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// A kind of use within a category.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// Apple's name for the mode.
    public let rawValue: String
    /// Creates the mode with that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// No special use.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// Two-way voice communication.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Voice communication in a game.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Recording a video.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Audio with the least processing.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// Playing films.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Two-way video.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Speech that pauses when other programs play audio.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Spoken prompts.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
  }

  /// Options of a category.
  public struct CategoryOptions: OptionSet, Sendable {
    /// The bits of all options.
    public let rawValue: UInt
    /// Creates the options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Mix with audio of other programs.
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    /// Lower the volume of other programs.
    public static let duckOthers = CategoryOptions(rawValue: 2)
    /// Allow headsets with a microphone; the older name.
    public static let allowBluetooth = CategoryOptions(rawValue: 4)
    /// Allow headsets with a microphone.
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
    /// Use the loudspeaker instead of the receiver.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
    /// Pause spoken audio of other programs.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    /// Allow headphones without a microphone.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// Allow AirPlay.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// Continue while the microphone is muted.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
    /// Use microphones for distant speakers.
    public static let farFieldInput = CategoryOptions(rawValue: 1 << 18)
    /// Use headsets at a high sample rate.
    public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
  }

  /// What else happens when the session is activated or deactivated.
  public struct SetActiveOptions: OptionSet, Sendable {
    /// The bits of all options.
    public let rawValue: UInt
    /// Creates the options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Notify other programs that they may continue.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// Whether a program may record.
  public enum RecordPermission: UInt, Sendable {
    /// The user has not been asked yet ('undt').
    case undetermined = 0x756E_6474
    /// Refused ('deny').
    case denied = 0x6465_6E79
    /// Granted ('grnt').
    case granted = 0x6772_6E74
  }

  /// How a program shares its route to the speakers; has no effect on Linux.
  public enum RouteSharingPolicy: UInt, Sendable {
    /// The default route.
    case `default` = 0
    /// The route for long audio.
    case longFormAudio = 1
    /// A separate route.
    case independent = 2
    /// The route for long video.
    case longFormVideo = 3
  }

  /// Posted by Apple when its service has restarted; never posted on Linux.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
}

/// What else happens when a session is activated; there is nothing yet.
public struct AVAudioSessionActivationOptions: OptionSet, Sendable {
  /// The bits of all options.
  public let rawValue: UInt
  /// Creates the options with these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// What else happens when a session is deactivated.
public struct AVAudioSessionDeactivationOptions: OptionSet, Sendable {
  /// The bits of all options.
  public let rawValue: UInt
  /// Creates the options with these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Notify other programs that they may continue.
  public static let notifyOthersOnDeactivation = AVAudioSessionDeactivationOptions(rawValue: 1)
}

extension AVAudioSession {
  /// Activates the session without blocking the caller.
  /// - Returns: true.
  /// - Throws: what `setActive(_:options:)` throws.
  @discardableResult
  public func activate(options: AVAudioSessionActivationOptions = []) async throws -> Bool {
    try setActive(true)
    return true
  }

  /// Activates the session and calls `handler` on another thread.
  public func activate(
    options: AVAudioSessionActivationOptions = [],
    completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    report(Result { try setActive(true) }, to: handler)
  }

  /// Deactivates the session without blocking the caller.
  /// - Returns: true.
  /// - Throws: what `setActive(_:options:)` throws.
  @discardableResult
  public func deactivate(options: AVAudioSessionDeactivationOptions = []) async throws -> Bool {
    try setActive(false, options: SetActiveOptions(rawValue: options.rawValue))
    return true
  }

  /// Deactivates the session and calls `handler` on another thread.
  public func deactivate(
    options: AVAudioSessionDeactivationOptions = [],
    completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    report(
      Result { try setActive(false, options: SetActiveOptions(rawValue: options.rawValue)) }, to: handler)
  }

  private func report(
    _ result: Result<Void, any Error>, to handler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    DispatchQueue.global().async {
      do {
        try result.get()
        handler(true, nil)
      } catch { handler(false, error) }
    }
  }
}
