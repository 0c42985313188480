import Foundation

/// Records audio from a microphone.
///
/// ```swift
/// import AVFAudio
///
/// let engine = AVAudioEngine()
/// engine.inputNode.installTap(onBus: 0, bufferSize: 4096, format: nil) { @Sendable buffer, time in
///   print(buffer.frameLength, "frames at", time.sampleTime)
/// }
/// try engine.start()
/// sleep(5)
/// engine.stop()
/// ```
///
/// On Linux the engine records from the user's sound server, PulseAudio or PipeWire, or from the one that `PULSE_SERVER`
/// names; see `AVAudioInputNode`. Nothing is played: the other nodes exist only in the graph.
///
/// If the source is removed, the server ends, or the format of the source changes, the engine stops and posts
/// `AVAudioEngineConfigurationChange` once. `AVAudioSession.interruptionNotification` is posted when there is a source
/// again; then call `start()`. Not `Sendable`, as on Apple platforms.
open class AVAudioEngine: NSObject {
  /// The node to record from.
  open var inputNode: AVAudioInputNode { input }
  /// The node that would play audio.
  open var outputNode: AVAudioOutputNode { output }
  /// The mixer before `outputNode`.
  open var mainMixerNode: AVAudioMixerNode { mixer }
  /// Whether the engine may stop when it is idle; has no effect on Linux.
  open var isAutoShutdownEnabled = false
  /// The nodes of the graph, including the engine's own nodes.
  open var attachedNodes: Set<AVAudioNode> { members }

  let input: AVAudioInputNode
  let output = AVAudioOutputNode()
  let mixer = AVAudioMixerNode()
  var members: Set<AVAudioNode> = []
  var connections: [GraphConnection] = []
  private let unit: CaptureUnit

  /// A reference to the engine for notifications, whose object it is.
  ///
  /// `@unchecked Sendable`: it is set once. Other threads only pass the engine on as the object of a notification.
  private final class Reference: @unchecked Sendable {
    weak let engine: AVAudioEngine?

    init(_ engine: AVAudioEngine) { self.engine = engine }
  }

  /// Creates an engine that is not running. It connects to the sound server only when needed.
  public override init() {
    unit = CaptureUnit(address: nil, backlog: 10)
    input = AVAudioInputNode(unit: unit)
    super.init()
    assemble()
  }

  /// Creates an engine for the server at an address in the syntax of `PULSE_SERVER`. Its tap may fall `backlog` seconds
  /// behind.
  package init(server: String?, backlog: TimeInterval = 10) {
    unit = CaptureUnit(address: server, backlog: backlog)
    input = AVAudioInputNode(unit: unit)
    super.init()
    assemble()
  }

  private func assemble() {
    for node in [input, output, mixer] { adopt(node) }
    let reference = Reference(self)
    let identity = ObjectIdentifier(unit)
    unit.setHandler { action, source in
      guard let engine = reference.engine else { return }
      let session = AVAudioSession.sharedInstance()
      switch action {
      case .configurationChange:
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: engine)
      case .interruptionBegan(let reason): session.interrupt(by: identity, reason: reason)
      case .interruptionEnded: session.endInterruption(by: identity, options: .shouldResume)
      case .routeChange(let reason): session.changeRoute(reason, from: source)
      }
    }
  }

  deinit {
    unit.shutDown()
    AVAudioSession.sharedInstance().endInterruption(by: ObjectIdentifier(unit), options: [])
  }

  /// Whether the engine is recording.
  open var isRunning: Bool { unit.isRunning }

  /// Makes `start()` faster on Apple platforms; has no effect on Linux.
  open func prepare() {}

  /// Starts recording. Has no effect while the engine is running.
  ///
  /// On Linux this waits for the sound server for at most 3 seconds. Throws an `NSError` whose description names the cause
  /// and what to do: there is no server, it does not answer, it refuses access, it has no source, or the tap has another
  /// sample rate.
  open func start() throws { try unit.start() }

  /// Pauses recording until `start()`; on Linux the same as `stop()`.
  open func pause() { unit.stop() }

  /// Stops recording and releases the source.
  ///
  /// On Linux the tap first receives all audio recorded until now. This method waits for that for at most a second, and
  /// not at all if the tap itself calls it. A slower tap may still be called afterwards.
  open func stop() { unit.stop() }

  /// Stops recording as `stop()` does, but waits for the tap as long as it takes.
  func stopPatiently() { unit.stop(isPatient: true) }

  /// Resets all nodes; see `AVAudioNode.reset()`.
  open func reset() { for node in members { node.reset() } }

  /// Adds `node`, which must not be attached to another engine.
  open func attach(_ node: AVAudioNode) { adopt(node) }

  /// Removes `node` and its connections. The node must be attached, and must not be one of the engine's own nodes.
  open func detach(_ node: AVAudioNode) {
    check(node)
    precondition(!isOwn(node), "the engine's own nodes cannot be detached")
    connections.removeAll { $0.source === node || $0.target === node }
    members.remove(node)
    node.engine = nil
  }

  /// Connects the first output bus of `node1` to the first input bus of `node2`; for a mixer, to its first free bus.
  open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    let bus = (node2 as? AVAudioMixerNode)?.nextAvailableInputBus ?? 0
    connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
  }

  /// Connects an output bus of `node1` to an input bus of `node2`, and replaces earlier connections of both buses.
  ///
  /// Both nodes must be attached and have these buses. If `format` is nil, the format of `node1` is used.
  open func connect(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
    format: AVAudioFormat?
  ) {
    check(node1)
    check(node2)
    precondition(node1 !== node2, "a node cannot be connected to itself")
    precondition(bus1 >= 0 && bus1 < node1.numberOfOutputs, "\(type(of: node1)) has no output bus \(bus1)")
    precondition(bus2 >= 0 && bus2 < node2.numberOfInputs, "\(type(of: node2)) has no input bus \(bus2)")
    disconnectNodeOutput(node1, bus: bus1)
    disconnectNodeInput(node2, bus: bus2)
    connections.append(
      GraphConnection(source: node1, sourceBus: bus1, target: node2, targetBus: bus2, format: format))
  }

  /// Disconnects the input `bus` of `node`.
  open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    connections.removeAll { $0.target === node && $0.targetBus == bus }
  }

  /// Disconnects all inputs of `node`.
  open func disconnectNodeInput(_ node: AVAudioNode) { connections.removeAll { $0.target === node } }

  /// Disconnects the output `bus` of `node`.
  open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    connections.removeAll { $0.source === node && $0.sourceBus == bus }
  }

  /// Disconnects all outputs of `node`.
  open func disconnectNodeOutput(_ node: AVAudioNode) { connections.removeAll { $0.source === node } }
}

extension Notification.Name {
  /// Posted when the engine has stopped because the source was removed, the server ended, or the sample rate or the
  /// channels of the source changed. The object is the engine. Posted on a thread of the engine.
  public static let AVAudioEngineConfigurationChange = Notification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}

/// A connection from an output bus of a node to an input bus of another node.
struct GraphConnection {
  let source: AVAudioNode
  let sourceBus: AVAudioNodeBus
  let target: AVAudioNode
  let targetBus: AVAudioNodeBus
  let format: AVAudioFormat?
}

// The graph. On Linux it is only stored: no audio flows through it.
extension AVAudioEngine {
  /// Adds `node`. `attach(_:)` calls this, and a subclass may override `attach(_:)`.
  func adopt(_ node: AVAudioNode) {
    precondition(node.engine == nil || node.engine === self, "the node is attached to another engine")
    node.engine = self
    members.insert(node)
  }

  /// Whether `node` is one of the nodes that every engine has.
  func isOwn(_ node: AVAudioNode) -> Bool { node === input || node === output || node === mixer }

  /// The format of the connection to an input bus; nil if there is none.
  func format(into node: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioFormat? {
    connections.first { $0.target === node && $0.targetBus == bus }.map {
      $0.format ?? $0.source.outputFormat(forBus: $0.sourceBus)
    }
  }

  /// The format of the connection from an output bus; nil if there is none, or if it has no format of its own.
  func format(outOf node: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioFormat? {
    connections.first { $0.source === node && $0.sourceBus == bus }?.format
  }

  func check(_ node: AVAudioNode) {
    precondition(
      node.engine === self, "\(type(of: node)) is not attached to this engine: call attach(_:) first")
  }
}
