/// What an engine tells the program about, and when: a pure value without clocks or threads.
struct CaptureState {
  /// What is to be posted.
  enum Action: Equatable {
    case configurationChange
    case interruptionBegan(AVAudioSession.InterruptionReason)
    case interruptionEnded
    case routeChange(AVAudioSession.RouteChangeReason)
  }

  /// Whether sound is being recorded, or would be if the source were not suspended.
  private(set) var isRunning = false
  /// Whether recording ended by itself and there has been no source since.
  private(set) var isWaitingForSource = false
  private var isSuspended = false

  /// Recording has begun.
  mutating func started() -> [Action] {
    isRunning = true
    return sourceFound()
  }

  /// The program has ended the recording.
  mutating func stopped() -> [Action] {
    isRunning = false
    return suspended(false)
  }

  /// The server has died.
  mutating func serverLost() -> [Action] { lost(reason: .default) }

  /// The source has vanished, or the server took it away.
  mutating func sourceLost() -> [Action] {
    isRunning ? lost(reason: .routeDisconnected) + [.routeChange(.oldDeviceUnavailable)] : []
  }

  /// There is a source that can be recorded.
  mutating func sourceFound() -> [Action] {
    guard isWaitingForSource else { return [] }
    isWaitingForSource = false
    return [.interruptionEnded]
  }

  /// A source has been added to the server's.
  func sourceAdded() -> [Action] {
    isRunning || isWaitingForSource ? [.routeChange(.newDeviceAvailable)] : []
  }

  /// The server has suspended the source, or goes on with it.
  mutating func suspended(_ suspended: Bool) -> [Action] {
    guard suspended != isSuspended, isRunning || !suspended else { return [] }
    isSuspended = suspended
    return [suspended ? .interruptionBegan(.default) : .interruptionEnded]
  }

  /// The server records from another source now; one of another format ends the recording.
  mutating func moved(formatChanged: Bool) -> [Action] {
    guard isRunning else { return [] }
    isRunning = !formatChanged
    return (formatChanged ? suspended(false) + [.configurationChange] : [])
      + [.routeChange(.routeConfigurationChange)]
  }

  private mutating func lost(reason: AVAudioSession.InterruptionReason) -> [Action] {
    guard isRunning else { return [] }
    isRunning = false
    isWaitingForSource = true
    // A suspended source that vanishes is one interruption, not two.
    let began: [Action] = isSuspended ? [] : [.interruptionBegan(reason)]
    isSuspended = false
    return [.configurationChange] + began
  }
}
