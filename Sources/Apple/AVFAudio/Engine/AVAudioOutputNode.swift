/// Where an engine plays; on Linux it stands in the graph, and nothing is played.
public final class AVAudioOutputNode: AVAudioIONode {
  /// None: sound leaves to the machine.
  public override var numberOfOutputs: Int { 0 }
}
