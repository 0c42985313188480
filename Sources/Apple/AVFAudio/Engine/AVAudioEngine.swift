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
public final class AVAudioEngine: NSObject {
  /// What is recorded.
  public let inputNode: AVAudioInputNode
  /// Where sound would be played.
  public let outputNode = AVAudioOutputNode()
  /// The mixer before `outputNode`.
  public let mainMixerNode = AVAudioMixerNode()
  /// Whether the engine may stop when nothing is done; kept, without effect on Linux.
  public var isAutoShutdownEnabled = false
  /// The nodes of the graph, the engine's own among them.
  public internal(set) var attachedNodes: Set<AVAudioNode> = []

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
  public override convenience init() { self.init(server: nil, backlog: 10) }

  /// An engine for the server at an address as `PULSE_SERVER` spells it, whose tap may stay `backlog` seconds
  /// behind.
  init(server: String?, backlog: TimeInterval = 10) {
    unit = CaptureUnit(address: server, backlog: backlog)
    inputNode = AVAudioInputNode(unit: unit)
    super.init()
    for node in [inputNode, outputNode, mainMixerNode] { attach(node) }
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
  public var isRunning: Bool { unit.isRunning }

  /// Makes a start quicker on Apple platforms; does nothing on Linux.
  public func prepare() {}

  /// Begins to record; harmless while the engine runs.
  ///
  /// On Linux this waits for the sound server, 3 seconds at most. Throws an `NSError` whose description names
  /// the cause and what to do: no server, none that answers, one that refuses, no source, or a tap of another
  /// rate.
  public func start() throws { try unit.start() }

  /// Ends the recording until `start()`; on Linux the same as `stop()`.
  public func pause() { stop() }

  /// Ends the recording and frees the source.
  ///
  /// On Linux what was recorded until now is delivered to the tap first. This waits for that, for a second at
  /// most and not where the tap itself calls; only a tap that is slower than that is still called afterwards.
  public func stop() { unit.stop() }

  /// Resets all nodes; see `AVAudioNode.reset()`.
  public func reset() { for node in attachedNodes { node.reset() } }
}

extension Notification.Name {
  /// Posted, with the engine as its object and on a thread of the engine's, when the engine has stopped
  /// because the source vanished, the server died, or the source has another rate or other channels now.
  public static let AVAudioEngineConfigurationChange = Notification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}
