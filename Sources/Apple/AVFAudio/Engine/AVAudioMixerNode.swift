/// Mixes what leads into it; on Linux it stands in the graph, and nothing is mixed.
open class AVAudioMixerNode: AVAudioNode {
  /// A mixer to be attached to an engine.
  public override init() { super.init() }

  /// As many as one likes.
  open override var numberOfInputs: Int { .max }
  /// The factor of what goes out, 0 to 1; kept, without effect on Linux.
  open var outputVolume: Float = 1
  /// The first input bus that nothing leads into.
  open var nextAvailableInputBus: AVAudioNodeBus {
    (0...).first { engine?.format(into: self, bus: $0) == nil } ?? 0
  }
}
