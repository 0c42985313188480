import Foundation

/// How a program uses sound. Apple has it on iOS, tvOS, watchOS and visionOS.
///
/// On Linux nothing arbitrates between programs, so this keeps what it is told: category, mode, options and
/// whether it is active. Permission to record is always granted; the sound server decides. What it tells by
/// itself, interruptions and changes of the route, comes from the engines that record.
///
/// `@unchecked Sendable`: `lock` guards `state`.
open class AVAudioSession: NSObject, @unchecked Sendable {
  private struct State {
    var category = Category.soloAmbient
    var options: CategoryOptions = []
    var mode = Mode.default
    var isActive = false
    var preferredSampleRate = 0.0
    var preferredBufferDuration = 0.0
    var interrupters: Set<ObjectIdentifier> = []
  }

  private let lock = NSLock()
  private var state = State()
  private static let shared = AVAudioSession()

  /// A session besides the program's, for subclasses.
  public override init() { super.init() }

  /// The program's session.
  open class func sharedInstance() -> AVAudioSession { shared }

  /// Changes, under the lock, which engines are interrupted; whether any was before, and is now.
  func changeInterrupters(_ change: (inout Set<ObjectIdentifier>) -> Void) -> (before: Bool, now: Bool) {
    lock.withLock {
      let before = !state.interrupters.isEmpty
      change(&state.interrupters)
      return (before, !state.interrupters.isEmpty)
    }
  }

  private func read<Value>(_ path: KeyPath<State, Value>) -> Value { lock.withLock { state[keyPath: path] } }

  /// What the program uses sound for; `.soloAmbient` at first.
  open var category: Category { read(\.category) }
  /// The refinements of `category`.
  open var categoryOptions: CategoryOptions { read(\.options) }
  /// The refinement of `category` for a kind of use; `.default` at first.
  open var mode: Mode { read(\.mode) }
  /// The rate of the hardware in Hz: the preferred one, else 48000.
  open var sampleRate: Double {
    let preferred = read(\.preferredSampleRate)
    return preferred > 0 ? preferred : 48_000
  }
  /// The rate that was asked for, in Hz; 0 if none.
  open var preferredSampleRate: Double { read(\.preferredSampleRate) }
  /// The length of a hardware buffer in seconds: the preferred one, else 0.02.
  open var ioBufferDuration: TimeInterval {
    let preferred = read(\.preferredBufferDuration)
    return preferred > 0 ? preferred : 0.02
  }
  /// How many channels come in: one. `AVAudioEngine`'s input node knows the device's own number.
  open var inputNumberOfChannels: Int { 1 }
  /// Whether there may be a microphone: always true; opening it tells.
  open var isInputAvailable: Bool { true }
  /// Whether another program plays; always false, as nobody tells.
  open var isOtherAudioPlaying: Bool { false }
  /// Always granted.
  open var recordPermission: RecordPermission { .granted }

  /// What is recorded where nothing is chosen.
  ///
  /// On Linux the one input is the sound server's default source, and there are no outputs: nothing is
  /// played. Waits for the server, at most 3 seconds; without a server there is no input either.
  open var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(source: CaptureDevice.default)
  }

  /// Keeps the category and clears its options.
  open func setCategory(_ category: Category) throws {
    try setCategory(category, mode: mode, options: [])
  }

  /// Keeps the category and its options.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    try setCategory(category, mode: mode, options: options)
  }

  /// Keeps the category, its mode and its options.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    lock.withLock {
      state.category = category
      state.mode = mode
      state.options = options
    }
  }

  /// Keeps the category, its mode and its options; the policy has no meaning on Linux.
  open func setCategory(
    _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
  ) throws {
    try setCategory(category, mode: mode, options: options)
  }

  /// Keeps the mode.
  open func setMode(_ mode: Mode) throws { lock.withLock { state.mode = mode } }

  /// Keeps whether the session is active. Nobody else is told.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    lock.withLock { state.isActive = active }
  }

  /// Keeps the rate in Hz; throws if it is negative or no number.
  open func setPreferredSampleRate(_ sampleRate: Double) throws {
    guard sampleRate.isFinite, sampleRate >= 0 else {
      throw AudioError.make(.badParameter, "\(sampleRate) Hz is no rate")
    }
    lock.withLock { state.preferredSampleRate = sampleRate }
  }

  /// Keeps the length of a hardware buffer in seconds; throws if it is negative or no number.
  open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    guard duration.isFinite, duration >= 0 else {
      throw AudioError.make(.badParameter, "\(duration) s is no duration")
    }
    lock.withLock { state.preferredBufferDuration = duration }
  }

  /// Calls `response` with true, before returning.
  open func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(true) }

  /// Whether `setActive` last said so; for the tests of this module, as Apple does not tell.
  var isActive: Bool { read(\.isActive) }
}
