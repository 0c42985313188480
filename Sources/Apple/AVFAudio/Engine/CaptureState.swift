/// Decides which notifications an engine posts. A pure value without clocks or threads.
struct CaptureState {
  /// A notification to post.
  enum Action: Equatable {
    case configurationChange
    case interruptionBegan(AVAudioSession.InterruptionReason)
    case interruptionEnded
    case routeChange(AVAudioSession.RouteChangeReason)
  }

  /// Whether the engine is recording. True also while the source is suspended.
  private(set) var isRunning = false
  /// Whether the recording ended by itself and there has been no source since then.
  private(set) var isWaitingForSource = false
  private var isSuspended = false

  /// The recording has begun.
  mutating func started() -> [Action] {
    isRunning = true
    return sourceFound()
  }

  /// The program has stopped the recording.
  mutating func stopped() -> [Action] {
    isRunning = false
    return suspended(false)
  }

  /// The connection to the server is lost.
  mutating func serverLost() -> [Action] { lost(reason: .default) }

  /// The source was removed.
  mutating func sourceLost() -> [Action] {
    isRunning ? lost(reason: .routeDisconnected) + [.routeChange(.oldDeviceUnavailable)] : []
  }

  /// There is a source to record from.
  mutating func sourceFound() -> [Action] {
    guard isWaitingForSource else { return [] }
    isWaitingForSource = false
    return [.interruptionEnded]
  }

  /// The server has a new source.
  func sourceAdded() -> [Action] {
    isRunning || isWaitingForSource ? [.routeChange(.newDeviceAvailable)] : []
  }

  /// The server has suspended the source or resumed it.
  mutating func suspended(_ suspended: Bool) -> [Action] {
    guard suspended != isSuspended, isRunning || !suspended else { return [] }
    isSuspended = suspended
    return [suspended ? .interruptionBegan(.default) : .interruptionEnded]
  }

  /// The server has moved the recording to another source. A source with another format ends the recording.
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
    // A suspended source that is removed is one interruption, not two.
    let began: [Action] = isSuspended ? [] : [.interruptionBegan(reason)]
    isSuspended = false
    return [.configurationChange] + began
  }
}
