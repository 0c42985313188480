import Foundation

extension AVAudioSession {
  /// What a program uses sound for.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the category.
    public let rawValue: String
    /// The category of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Sound that others may accompany.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Sound that silences others; the default.
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
    /// Apple's name of the mode.
    public let rawValue: String
    /// The mode of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Nothing in particular.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// Two-way talk.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Talk in a game.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Recording a video.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Sound as it is, with the least processing.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// Playing films.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Two-way video.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Speech that pauses for others.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Spoken prompts.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
  }

  /// Refinements of a category.
  public struct CategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Sound together with others.
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    /// Others become quieter.
    public static let duckOthers = CategoryOptions(rawValue: 2)
    /// Headsets with a microphone, by the older name.
    public static let allowBluetooth = CategoryOptions(rawValue: 4)
    /// Headsets with a microphone.
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
    /// The loudspeaker instead of the receiver.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
    /// Spoken sound of others pauses.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    /// Headphones without a microphone.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// AirPlay.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// Going on while the microphone is muted.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
    /// Microphones for distant speakers.
    public static let farFieldInput = CategoryOptions(rawValue: 1 << 18)
    /// Headsets at a high rate.
    public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
  }

  /// What happens besides (de)activation.
  public struct SetActiveOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Others learn that they may go on.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// Whether a program may record.
  public enum RecordPermission: UInt, Sendable {
    /// Nobody was asked yet ('undt').
    case undetermined = 0x756E_6474
    /// Refused ('deny').
    case denied = 0x6465_6E79
    /// Granted ('grnt').
    case granted = 0x6772_6E74
  }

  /// How a program shares its way to the speakers; without meaning on Linux.
  public enum RouteSharingPolicy: UInt, Sendable {
    /// The usual way.
    case `default` = 0
    /// The way of long programmes.
    case longFormAudio = 1
    /// A way of its own.
    case independent = 2
    /// The way of long films.
    case longFormVideo = 3
  }

  /// Posted by Apple when its service has restarted; never posted on Linux.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
}
