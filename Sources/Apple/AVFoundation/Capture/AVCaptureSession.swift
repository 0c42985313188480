import AVFAudio
import Foundation
import Synchronization

/// Captures from an audio device and sends the audio to outputs, over the same capture as `AVAudioEngine`.
///
/// ```swift
/// import AVFoundation
///
/// final class Receiver: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate {
///   func captureOutput(
///     _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
///   ) { print(sampleBuffer.numSamples, "samples at", sampleBuffer.presentationTimeStamp.seconds) }
/// }
///
/// let receiver = Receiver()
/// let session = AVCaptureSession()
/// if let microphone = AVCaptureDevice.default(for: .audio) {
///   session.addInput(try AVCaptureDeviceInput(device: microphone))
/// }
/// let output = AVCaptureAudioDataOutput()
/// output.setSampleBufferDelegate(receiver, queue: DispatchQueue(label: "audio"))
/// session.addOutput(output)
/// session.startRunning()
/// ```
///
/// On Linux a session has at most one input. Where capturing cannot start or ends by itself, the session posts
/// `runtimeErrorNotification` and is not running.
///
/// `@unchecked Sendable`: a `Mutex` guards all state.
open class AVCaptureSession: NSObject, @unchecked Sendable {
  /// One run, from start to stop; nil engine without an input.
  ///
  /// `@unchecked Sendable`: the engine's methods may be called on any thread.
  private final class Run: @unchecked Sendable {
    let engine: AVAudioEngine?
    var observer: (any NSObjectProtocol)?

    init(_ inputs: [AVCaptureInput]) {
      let device = inputs.lazy.compactMap { ($0 as? AVCaptureDeviceInput)?.device }.first
      engine = device.map { AVAudioEngine(server: $0.server) }
      engine?.inputNode.source = device?.source
    }

    func end() {
      if let observer { NotificationCenter.default.removeObserver(observer) }
      engine?.stop()
      engine?.inputNode.removeTap(onBus: 0)
    }
  }

  private struct State: @unchecked Sendable {
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    /// Those of all outputs, for the thread that captures.
    var connections: [AVCaptureConnection] = []
    var preset = Preset.high
    var run: Run?
    /// Calls of `beginConfiguration()` that are open, and whether the input has changed since the first.
    var openChanges = 0
    var isInputChanged = false

    /// Connects each input with each output that is not connected with it yet.
    mutating func connect() {
      for output in outputs {
        let connected = Set(output.connections.flatMap(\.inputPorts).map(ObjectIdentifier.init))
        for input in inputs
        where !input.ports.isEmpty && !connected.contains(ObjectIdentifier(input.ports[0])) {
          output.connections.append(AVCaptureConnection(inputPorts: input.ports, output: output))
        }
      }
      connections = outputs.flatMap(\.connections)
    }
  }

  private let state = Mutex(State())

  /// Creates a session without inputs and outputs.
  public override init() { super.init() }

  deinit { state.withLock { $0.run }?.end() }

  private func read<Value>(_ body: (State) -> Value) -> Value {
    state.withLock { state in
      nonisolated(unsafe) let value = body(state)
      return value
    }
  }

  /// The inputs.
  open var inputs: [AVCaptureInput] { read(\.inputs) }
  /// The outputs.
  open var outputs: [AVCaptureOutput] { read(\.outputs) }
  /// The connections between inputs and outputs.
  open var connections: [AVCaptureConnection] { read(\.connections) }
  /// Whether the session captures, or is about to.
  open var isRunning: Bool { read { $0.run != nil } }
  /// Whether another program interrupts the session; never on Linux.
  open var isInterrupted: Bool { false }
  /// Whether the session uses the program's audio session; always on Linux.
  open var usesApplicationAudioSession = true
  /// Whether the session sets up the program's audio session; has no effect on Linux.
  open var automaticallyConfiguresApplicationAudioSession = true

  /// The quality of the outputs; has no effect on Linux.
  open var sessionPreset: Preset {
    get { read(\.preset) }
    set { state.withLock { $0.preset = newValue } }
  }
  /// Whether `preset` can be set.
  open func canSetSessionPreset(_ preset: Preset) -> Bool { true }

  /// Whether `input` can be added: the session has none yet.
  open func canAddInput(_ input: AVCaptureInput) -> Bool { inputs.isEmpty }

  /// Adds an input; `canAddInput` must be true.
  open func addInput(_ input: AVCaptureInput) {
    precondition(canAddInput(input), "the session has an input already: remove it first")
    change { state in
      state.inputs.append(input)
      state.isInputChanged = true
    }
  }

  /// Removes an input and its connections.
  open func removeInput(_ input: AVCaptureInput) {
    change { state in
      state.inputs.removeAll { $0 === input }
      for output in state.outputs {
        output.connections.removeAll { connection in connection.inputPorts.contains { $0.input === input } }
      }
      state.isInputChanged = true
    }
  }

  /// Whether `output` can be added: it is in no session.
  open func canAddOutput(_ output: AVCaptureOutput) -> Bool {
    output.connections.isEmpty && !outputs.contains { $0 === output }
  }

  /// Adds an output; `canAddOutput` must be true.
  open func addOutput(_ output: AVCaptureOutput) {
    precondition(canAddOutput(output), "the output is in a session already")
    change { $0.outputs.append(output) }
  }

  /// Removes an output and its connections.
  open func removeOutput(_ output: AVCaptureOutput) {
    change { state in
      state.outputs.removeAll { $0 === output }
      output.connections = []
    }
  }

  /// Begins changes that take effect together at `commitConfiguration()`.
  open func beginConfiguration() { state.withLock { $0.openChanges += 1 } }

  /// Ends what `beginConfiguration()` began.
  open func commitConfiguration() {
    state.withLock { $0.openChanges = max(0, $0.openChanges - 1) }
    change { _ in }
  }

  /// Changes the session. If it runs and its input has changed, another run takes the place of the current one. As on Apple
  /// platforms, the session has not stopped then.
  private func change(_ body: (inout State) -> Void) {
    let (old, new) = state.withLock { state -> (Run?, Run?) in
      body(&state)
      state.connect()
      guard state.openChanges == 0 else { return (nil, nil) }
      defer { state.isInputChanged = false }
      guard state.isInputChanged, let old = state.run else { return (nil, nil) }
      let new = Run(state.inputs)
      state.run = new
      return (old, new)
    }
    old?.end()
    if let new { _ = start(new) }
  }

  /// Starts capturing, and posts `didStartRunningNotification` or `runtimeErrorNotification`. Waits for the sound server for
  /// at most 3 seconds. Has no effect while the session is running.
  open func startRunning() {
    let run = state.withLock { state -> Run? in
      guard state.run == nil else { return nil }
      let run = Run(state.inputs)
      state.run = run
      return run
    }
    if let run, start(run) { post(Self.didStartRunningNotification) }
  }

  /// Starts the engine of a run. Returns false, and posts `runtimeErrorNotification`, if that fails; also false if the run has
  /// been ended meanwhile.
  private func start(_ run: Run) -> Bool {
    guard let engine = run.engine else { return true }
    engine.inputNode.installTap(onBus: 0, bufferSize: 1024, format: nil) { [weak self] buffer, time in
      for connection in self?.read(\.connections) ?? [] { connection.deliver(buffer, at: time) }
    }
    run.observer = NotificationCenter.default.addObserver(
      forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
    ) { [weak self, weak run] _ in
      self?.end(run, error: AVError(.deviceWasDisconnected, "The audio device was removed or has changed."))
    }
    do {
      try engine.start()
    } catch {
      end(run, error: AVError(.deviceNotConnected, error))
      return false
    }
    let isCurrent = read { $0.run === run }
    if !isCurrent { run.end() }
    return isCurrent
  }

  /// Stops capturing, and posts `didStopRunningNotification`. The outputs' delegates may still receive what was captured.
  open func stopRunning() {
    guard
      let run = state.withLock({ state in
        defer { state.run = nil }
        return state.run
      })
    else { return }
    run.end()
    post(Self.didStopRunningNotification)
  }

  /// Ends a run that has failed.
  private func end(_ run: Run?, error: AVError) {
    let isCurrent = state.withLock { state in
      guard let run, state.run === run else { return false }
      state.run = nil
      return true
    }
    guard isCurrent else { return }
    run?.end()
    post(Self.runtimeErrorNotification, [AVCaptureSessionErrorKey: error])
  }

  private func post(_ name: Notification.Name, _ information: [String: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: information)
  }
}
