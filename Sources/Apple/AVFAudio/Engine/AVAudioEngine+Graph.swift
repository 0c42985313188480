/// A way of sound from a node's bus to another's.
struct GraphConnection {
  let source: AVAudioNode
  let sourceBus: AVAudioNodeBus
  let target: AVAudioNode
  let targetBus: AVAudioNodeBus
  let format: AVAudioFormat?
}

/// The graph: on Linux it is kept, and no sound goes through it.
extension AVAudioEngine {
  /// Adds `node`, which no other engine may have.
  public func attach(_ node: AVAudioNode) {
    precondition(node.engine == nil || node.engine === self, "the node is attached to another engine")
    node.engine = self
    attachedNodes.insert(node)
  }

  /// Removes `node`, which must be attached and not one of the engine's own, with its connections.
  public func detach(_ node: AVAudioNode) {
    check(node)
    precondition(
      node !== inputNode && node !== outputNode && node !== mainMixerNode, "an engine's own nodes stay")
    connections.removeAll { $0.source === node || $0.target === node }
    attachedNodes.remove(node)
    node.engine = nil
  }

  /// Connects the first output bus of `node1` to the first input bus of `node2`, a mixer's first free one.
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    let bus = (node2 as? AVAudioMixerNode)?.nextAvailableInputBus ?? 0
    connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
  }

  /// Connects an output bus of `node1` to an input bus of `node2`, in place of what was connected there.
  ///
  /// Both must be attached and have these busses. `format` nil is that of `node1`.
  public func connect(
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
  public func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    connections.removeAll { $0.target === node && $0.targetBus == bus }
  }

  /// Disconnects all that leads into `node`.
  public func disconnectNodeInput(_ node: AVAudioNode) { connections.removeAll { $0.target === node } }

  /// Disconnects what leads out of `bus` of `node`.
  public func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    connections.removeAll { $0.source === node && $0.sourceBus == bus }
  }

  /// Disconnects all that leads out of `node`.
  public func disconnectNodeOutput(_ node: AVAudioNode) { connections.removeAll { $0.source === node } }

  /// The format of the connection that leads into a bus; nil if there is none.
  func format(into node: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioFormat? {
    connections.first { $0.target === node && $0.targetBus == bus }.map {
      $0.format ?? $0.source.outputFormat(forBus: $0.sourceBus)
    }
  }

  /// The format of the connection that leads out of a bus; nil if there is none or it states none.
  func format(outOf node: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioFormat? {
    connections.first { $0.source === node && $0.sourceBus == bus }?.format
  }

  private func check(_ node: AVAudioNode) {
    precondition(
      node.engine === self, "\(type(of: node)) is not attached to this engine: call attach(_:) first")
  }
}
