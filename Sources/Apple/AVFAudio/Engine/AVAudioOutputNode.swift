/// Where an engine plays; on Linux it stands in the graph, and nothing is played.
open class AVAudioOutputNode: AVAudioIONode {
  /// None: sound leaves to the machine.
  open override var numberOfOutputs: Int { 0 }
}
