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
  /// Adds `node`; as `attach(_:)`, which a subclass may have changed.
  func adopt(_ node: AVAudioNode) {
    precondition(node.engine == nil || node.engine === self, "the node is attached to another engine")
    node.engine = self
    members.insert(node)
  }

  /// Whether `node` is one that every engine has.
  func isOwn(_ node: AVAudioNode) -> Bool { node === input || node === output || node === mixer }

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

  func check(_ node: AVAudioNode) {
    precondition(
      node.engine === self, "\(type(of: node)) is not attached to this engine: call attach(_:) first")
  }
}
