import Foundation

/// Records sound.
///
/// ```swift
/// let engine = AVAudioEngine()
/// engine.inputNode.installTap(onBus: 0, bufferSize: 4096, format: nil) { buffer, time in
///   // a buffer of about 4096 frames, within 100 to 400 ms
/// }
/// try engine.start()
/// ```
///
/// On Linux the engine records from the sound server, PulseAudio or PipeWire, which `PULSE_SERVER` names
/// where it is not the user's own; see `AVAudioInputNode`. Nothing is played: the other nodes only stand in
/// the graph.
///
/// When the source vanishes, the server dies, or the source's format becomes another one, the engine stops
/// and posts `AVAudioEngineConfigurationChange`, once; `AVAudioSession.interruptionNotification` tells when a
/// source is there again and `start()` is worth a call. Not `Sendable`, as on Apple platforms.
open class AVAudioEngine: NSObject {
  /// What is recorded.
  open var inputNode: AVAudioInputNode { input }
  /// Where sound would be played.
  open var outputNode: AVAudioOutputNode { output }
  /// The mixer before `outputNode`.
  open var mainMixerNode: AVAudioMixerNode { mixer }
  /// Whether the engine may stop when nothing is done; kept, without effect on Linux.
  open var isAutoShutdownEnabled = false
  /// The nodes of the graph, the engine's own among them.
  open var attachedNodes: Set<AVAudioNode> { members }

  let input: AVAudioInputNode
  let output = AVAudioOutputNode()
  let mixer = AVAudioMixerNode()
  var members: Set<AVAudioNode> = []
  var connections: [GraphConnection] = []
  private let unit: CaptureUnit

  /// The engine as a notification's object, out of reach of the compiler's check.
  ///
  /// `@unchecked Sendable`: set once and never changed; whoever gets the object uses its locked members.
  private final class Reference: @unchecked Sendable {
    weak let engine: AVAudioEngine?

    init(_ engine: AVAudioEngine) { self.engine = engine }
  }

  /// An engine that has not started. Nothing is opened before it is needed.
  public override init() {
    unit = CaptureUnit(address: nil, backlog: 10)
    input = AVAudioInputNode(unit: unit)
    super.init()
    assemble()
  }

  /// An engine for the server at an address as `PULSE_SERVER` spells it, whose tap may stay `backlog` seconds
  /// behind.
  init(server: String?, backlog: TimeInterval = 10) {
    unit = CaptureUnit(address: server, backlog: backlog)
    input = AVAudioInputNode(unit: unit)
    super.init()
    assemble()
  }

  private func assemble() {
    for node in [input, output, mixer] { adopt(node) }
    let reference = Reference(self)
    let identity = ObjectIdentifier(unit)
    unit.tell { action, source in
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

  /// Whether the engine records.
  open var isRunning: Bool { unit.isRunning }

  /// Makes a start quicker on Apple platforms; does nothing on Linux.
  open func prepare() {}

  /// Begins to record; harmless while the engine runs.
  ///
  /// On Linux this waits for the sound server, 3 seconds at most. Throws an `NSError` whose description names
  /// the cause and what to do: no server, none that answers, one that refuses, no source, or a tap of another
  /// rate.
  open func start() throws { try unit.start() }

  /// Ends the recording until `start()`; on Linux the same as `stop()`.
  open func pause() { unit.stop() }

  /// Ends the recording and frees the source.
  ///
  /// On Linux what was recorded until now is delivered to the tap first. This waits for that, for a second at
  /// most and not where the tap itself calls; only a tap that is slower than that is still called afterwards.
  open func stop() { unit.stop() }

  /// Resets all nodes; see `AVAudioNode.reset()`.
  open func reset() { for node in members { node.reset() } }

  /// Adds `node`, which no other engine may have.
  open func attach(_ node: AVAudioNode) { adopt(node) }

  /// Removes `node`, which must be attached and not one of the engine's own, with its connections.
  open func detach(_ node: AVAudioNode) {
    check(node)
    precondition(!isOwn(node), "an engine's own nodes stay")
    connections.removeAll { $0.source === node || $0.target === node }
    members.remove(node)
    node.engine = nil
  }

  /// Connects the first output bus of `node1` to the first input bus of `node2`, a mixer's first free one.
  open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    let bus = (node2 as? AVAudioMixerNode)?.nextAvailableInputBus ?? 0
    connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
  }

  /// Connects an output bus of `node1` to an input bus of `node2`, in place of what was connected there.
  ///
  /// Both must be attached and have these busses. `format` nil is that of `node1`.
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

  /// Disconnects what leads into `bus` of `node`.
  open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    connections.removeAll { $0.target === node && $0.targetBus == bus }
  }

  /// Disconnects all that leads into `node`.
  open func disconnectNodeInput(_ node: AVAudioNode) { connections.removeAll { $0.target === node } }

  /// Disconnects what leads out of `bus` of `node`.
  open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    connections.removeAll { $0.source === node && $0.sourceBus == bus }
  }

  /// Disconnects all that leads out of `node`.
  open func disconnectNodeOutput(_ node: AVAudioNode) { connections.removeAll { $0.source === node } }
}

extension Notification.Name {
  /// Posted, with the engine as its object and on a thread of the engine's, when the engine has stopped
  /// because the source vanished, the server died, or the source has another rate or other channels now.
  public static let AVAudioEngineConfigurationChange = Notification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}
