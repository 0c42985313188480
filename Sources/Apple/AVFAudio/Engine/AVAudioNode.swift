import Foundation

/// A part of an engine's graph.
///
/// On Linux only `AVAudioInputNode` handles sound. The other nodes can be attached and connected, so that
/// code which builds a graph runs; nothing is played or mixed, and a tap on them is never called. Not
/// `Sendable`, as on Apple platforms.
open class AVAudioNode: NSObject {
  /// The engine that the node is attached to; nil if to none.
  open internal(set) weak var engine: AVAudioEngine?
  private var tappedBuses: Set<AVAudioNodeBus> = []

  /// A node of no engine, for subclasses.
  public override init() { super.init() }

  /// How many busses lead in.
  open var numberOfInputs: Int { 1 }
  /// How many busses lead out.
  open var numberOfOutputs: Int { 1 }
  /// When the last buffer began; nil before the first and, on Linux, for all nodes but the input.
  open var lastRenderTime: AVAudioTime? { nil }

  /// The name of the bus; nil on Linux, where busses have none.
  open func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }

  /// The name of the bus; nil on Linux, where busses have none.
  open func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }

  /// The format that comes in by `bus`: that of its connection, else standard stereo at 48000 Hz.
  open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    precondition(bus >= 0 && bus < numberOfInputs, "\(type(of: self)) has no input bus \(bus)")
    return engine?.format(into: self, bus: bus) ?? .usual
  }

  /// The format that goes out by `bus`: that of its connection, else standard stereo at 48000 Hz.
  open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    precondition(bus >= 0 && bus < numberOfOutputs, "\(type(of: self)) has no output bus \(bus)")
    return engine?.format(outOf: self, bus: bus) ?? .usual
  }

  /// Gives what goes out by `bus` to `tapBlock`, from now on or from the engine's start on.
  ///
  /// - Parameters:
  ///   - bus: The output bus. It must not have a tap already.
  ///   - bufferSize: Frames of a buffer; what comes is within 100 to 400 ms, and the last before a gap or the end is
  ///     shorter.
  ///   - format: The format of the buffers, nil for the node's. Its rate must be the node's: nothing is resampled
  ///     here, `AVAudioConverter` does it.
  ///   - tapBlock: See `AVAudioNodeTapBlock`.
  open func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    precondition(bus >= 0 && bus < numberOfOutputs, "\(type(of: self)) has no output bus \(bus)")
    precondition(
      format.map { $0.sampleRate > 0 && $0.channelCount > 0 } ?? true,
      "the tap's format has no rate or no channels: is there a source? \(format?.description ?? "")")
    precondition(
      tappedBuses.insert(bus).inserted,
      "bus \(bus) has a tap already: call removeTap(onBus: \(bus)) before installing another")
  }

  /// Ends the tap; harmless where there is none. It may be called while the engine runs, and by the tap
  /// itself.
  ///
  /// On Linux what was recorded until now is delivered first. This waits for that, for a second at most and
  /// not where the tap itself calls; only a tap that is slower than that is called once more afterwards.
  open func removeTap(onBus bus: AVAudioNodeBus) { tappedBuses.remove(bus) }

  /// Forgets the sound of before; on Linux no node keeps any.
  open func reset() {}
}

extension AVAudioFormat {
  /// What a node has that is not connected.
  static var usual: AVAudioFormat {
    AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) ?? AVAudioFormat()
  }
}
