import CPulse
import Foundation

/// The implementation of an engine's input: connection, recording, tap, and the handler for notifications.
///
/// `@unchecked Sendable`: the lock of `connection` guards everything that changes. Methods take it. libpulse holds it when
/// it calls the methods in `CaptureUnit+Events.swift`. Call `shutDown` before the last reference is released.
final class CaptureUnit: @unchecked Sendable {
  let connection: PulseConnection
  private let backlog: TimeInterval
  private let events = DispatchQueue(label: "AVAudioEngine.events")
  var state = CaptureState()
  var recording: Recording?
  /// The delivery of the last recording that has ended, as long as it passes audio to the tap.
  private weak var ending: TapDelivery?
  private var tap: Tap?
  private var chosen: CaptureDevice?
  private var lostBefore = 0
  private var handler: (@Sendable (CaptureState.Action, CaptureDevice?) -> Void)?

  init(address: String?, backlog: TimeInterval) {
    connection = PulseConnection(address: address)
    self.backlog = backlog
    connection.onEvent = { [unowned self] in receive($0) }
  }

  /// Sets the handler for notifications. It receives each action and its source, on a queue of its own.
  func setHandler(_ handler: @escaping @Sendable (CaptureState.Action, CaptureDevice?) -> Void) {
    connection.locked { self.handler = handler }
  }

  /// Ends the recording and the connection. The handler is not called any more.
  func shutDown() {
    connection.locked { handler = nil }
    stop()
    connection.shutDown()
  }

  /// Passes actions to the handler. The caller holds the lock.
  func perform(_ actions: [CaptureState.Action], source: CaptureDevice? = nil) {
    guard let handler, !actions.isEmpty else { return }
    events.async { for action in actions { handler(action, source) } }
  }

  var isRunning: Bool { connection.locked { state.isRunning } }
  var lostFrames: Int { connection.locked { lostBefore + (recording?.lostFrames ?? 0) } }
  var isAnswering: Bool { connection.locked { recording?.isAnswering ?? true } }
  var lastRenderTime: AVAudioTime? { connection.locked { recording?.delivery?.lastRenderTime } }

  /// See `AVAudioInputNode.quietPeak`.
  var quietPeak: Float? {
    get { connection.locked { recording?.quietPeak } }
    set { connection.locked { recording?.quietPeak = newValue } }
  }

  /// The source that the program has chosen.
  var source: CaptureDevice? {
    get { connection.locked { chosen } }
    set { connection.locked { chosen = newValue } }
  }

  /// The name of the chosen source; nil means the default.
  var wanted: String? { chosen?.name }

  /// The format of the recording, or the format that it would have; nil if there is no source.
  var format: AVAudioFormat? {
    connection.locked {
      if state.isRunning { return recording?.format }
      let deadline = PulseConnection.deadline
      return try? currentSource(by: deadline).format
    }
  }

  private func currentSource(by deadline: pa_usec_t) throws -> CaptureDevice {
    try connection.connect(by: deadline)
    return try connection.source(named: wanted, by: deadline)
  }

  /// Starts recording within 3 seconds, or throws.
  func start() throws {
    try connection.locked {
      guard recording == nil else { return }
      let deadline = PulseConnection.deadline
      let source = try currentSource(by: deadline)
      // The lock is free while the server is asked, so another thread may have started the recording.
      guard recording == nil else { return }
      if let rate = tap?.format?.sampleRate, rate != source.sampleRate {
        throw PulseError.rate(of: rate, source: source)
      }
      guard let new = Recording(from: source, of: connection.context) else {
        throw PulseError.source(source.name, pa_context_errno(connection.context))
      }
      recording = new
      do {
        try open(new, by: deadline)
      } catch {
        if recording === new { _ = end() }
        throw error
      }
      perform(state.started())
    }
  }

  private func open(_ new: Recording, by deadline: pa_usec_t) throws {
    setCallbacks(of: new.stream)
    attach(to: new)
    let frames = tap?.frames(rate: new.format.sampleRate) ?? Int(new.format.sampleRate / 10)
    guard new.connect(device: wanted, frames: frames) else {
      throw PulseError.source(new.source.name, pa_context_errno(connection.context))
    }
    let isDone = connection.wait(by: deadline) {
      recording !== new || pa_stream_get_state(new.stream) != PA_STREAM_CREATING
    }
    guard recording === new else { throw PulseError.stopped }
    guard pa_stream_get_state(new.stream) == PA_STREAM_READY else {
      throw isDone
        ? PulseError.source(new.source.name, pa_context_errno(connection.context))
        : PulseError.connection(nil)
    }
  }

  private func attach(to recording: Recording) {
    recording.delivery = tap.map { tap in
      TapDelivery(to: tap, format: recording.format, backlog: backlog) { [weak self] in self?.lose($0) }
    }
  }

  private func lose(_ frames: Int) { connection.locked { lostBefore += frames } }

  /// Ends the recording. The delivery that is returned may still pass audio to the tap. The caller holds the lock.
  func end() -> TapDelivery? {
    guard let ended = recording else { return nil }
    recording = nil
    connection.nap = 0
    ended.end()
    lostBefore += ended.lostFrames
    connection.signal()
    ending = ended.delivery
    return ended.delivery
  }

  /// Ends the recording, and waits until the tap has received all audio.
  /// - Parameter isPatient: whether to wait for more than a second, and also if the recording has ended before.
  func stop(isPatient: Bool = false) {
    let delivery = connection.locked {
      perform(state.stopped())
      return end() ?? (isPatient ? ending : nil)
    }
    delivery?.finish(isPatient: isPatient)
  }

  /// Passes all audio from now on to `tap` instead of the tap before; nil for no tap.
  func setTap(_ tap: Tap?) {
    let delivery = connection.locked {
      let before = recording?.delivery
      before?.close()
      self.tap = tap
      if let recording { attach(to: recording) }
      return before
    }
    delivery?.finish()
  }
}
