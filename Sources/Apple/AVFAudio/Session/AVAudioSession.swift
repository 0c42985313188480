import AudioDecoding
import Foundation
import Synchronization

/// How a program uses audio. On Apple platforms it exists on iOS, tvOS, watchOS and visionOS.
///
/// On Linux nothing arbitrates between programs, so the session only stores its settings: category, mode, options and
/// whether it is active. `AVAudioApplication.PermissionPolicy` says whether the program may record. The engines that record
/// make the session post interruptions and route changes.
///
/// `@unchecked Sendable`: a `Mutex` guards all state.
open class AVAudioSession: NSObject, @unchecked Sendable {
  private struct State {
    var category = Category.soloAmbient
    var options: CategoryOptions = []
    var mode = Mode.default
    var preferredSampleRate = 0.0
    var preferredBufferDuration = 0.0
    var interrupters: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())
  private static let shared = AVAudioSession()

  /// Creates another session, for subclasses.
  public override init() { super.init() }

  /// The session of the program.
  open class func sharedInstance() -> AVAudioSession { shared }

  /// Changes which engines are interrupted. Returns whether any was interrupted before, and whether any is now.
  func changeInterrupters(_ change: (inout Set<ObjectIdentifier>) -> Void) -> (before: Bool, now: Bool) {
    state.withLock { state in
      let before = !state.interrupters.isEmpty
      change(&state.interrupters)
      return (before, !state.interrupters.isEmpty)
    }
  }

  private func read<Value: Sendable>(_ path: KeyPath<State, Value>) -> Value {
    state.withLock { $0[keyPath: path] }
  }

  /// What the program uses audio for; `.soloAmbient` by default.
  open var category: Category { read(\.category) }
  /// The options of `category`.
  open var categoryOptions: CategoryOptions { read(\.options) }
  /// The kind of use within `category`; `.default` by default.
  open var mode: Mode { read(\.mode) }
  /// The sample rate of the hardware in Hz: the preferred one, else 48000.
  open var sampleRate: Double {
    let preferred = read(\.preferredSampleRate)
    return preferred > 0 ? preferred : 48_000
  }
  /// The preferred sample rate in Hz; 0 if none is set.
  open var preferredSampleRate: Double { read(\.preferredSampleRate) }
  /// The length of a hardware buffer in seconds: the preferred one, else 0.02.
  open var ioBufferDuration: TimeInterval {
    let preferred = read(\.preferredBufferDuration)
    return preferred > 0 ? preferred : 0.02
  }
  /// The number of input channels, always 1. The input node of `AVAudioEngine` has the number of the device.
  open var inputNumberOfChannels: Int { 1 }
  /// Whether there may be a microphone: always true. Starting an engine shows whether there is one.
  open var isInputAvailable: Bool { true }
  /// Whether another program plays audio; always false on Linux, where this is unknown.
  open var isOtherAudioPlaying: Bool { false }
  /// Whether the program may record; see `AVAudioApplication.PermissionPolicy`.
  open var recordPermission: RecordPermission {
    RecordPermission(rawValue: AVAudioApplication.shared.recordPermission.rawValue) ?? .undetermined
  }

  /// The devices that the session uses by default.
  ///
  /// On Linux the only input is the sound server's default source. Outputs are not listed; see `AVAudioPlayer`. Waits for
  /// the server for at most 3 seconds; without a server there is no input.
  open var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(source: CaptureDevice.default)
  }

  /// Sets the category and clears its options.
  open func setCategory(_ category: Category) throws {
    try setCategory(category, mode: mode, options: [])
  }

  /// Sets the category and its options.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    try setCategory(category, mode: mode, options: options)
  }

  /// Sets the category, its mode and its options.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    state.withLock {
      $0.category = category
      $0.mode = mode
      $0.options = options
    }
  }

  /// Sets the category, its mode and its options. The policy has no effect on Linux.
  open func setCategory(
    _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
  ) throws {
    try setCategory(category, mode: mode, options: options)
  }

  /// Sets the mode.
  open func setMode(_ mode: Mode) throws { state.withLock { $0.mode = mode } }

  /// Has no effect on Linux: the session is always active, and other programs are not notified.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

  /// Sets the preferred sample rate in Hz; throws if it is negative or not finite.
  open func setPreferredSampleRate(_ sampleRate: Double) throws {
    guard sampleRate.isFinite, sampleRate >= 0 else {
      throw AudioError.make(
        .badParameter, "the preferred sample rate must be 0 Hz or more, not \(sampleRate)")
    }
    state.withLock { $0.preferredSampleRate = sampleRate }
  }

  /// Sets the preferred length of a hardware buffer in seconds; throws if it is negative or not finite.
  open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    guard duration.isFinite, duration >= 0 else {
      throw AudioError.make(
        .badParameter, "the preferred buffer duration must be 0 s or more, not \(duration)")
    }
    state.withLock { $0.preferredBufferDuration = duration }
  }

  /// Asks the user, unless the user has decided, and calls `response` before this returns.
  open func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
    AVAudioApplication.requestRecordPermission(completionHandler: response)
  }
}
