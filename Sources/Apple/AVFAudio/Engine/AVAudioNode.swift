import AudioDecoding
import Foundation

/// A node in the graph of an engine.
///
/// On Linux only `AVAudioInputNode` processes audio. The other nodes can be attached and connected, so that code which
/// builds a graph runs. Nothing is played or mixed, and a tap on them is never called. Not `Sendable`, as on Apple
/// platforms.
open class AVAudioNode: NSObject {
  /// The engine that the node is attached to; nil if there is none.
  open internal(set) weak var engine: AVAudioEngine?
  private var tappedBuses: Set<AVAudioNodeBus> = []

  /// Creates a node without an engine, for subclasses.
  public override init() { super.init() }

  /// The number of input buses.
  open var numberOfInputs: Int { 1 }
  /// The number of output buses.
  open var numberOfOutputs: Int { 1 }
  /// The start of the last buffer; nil before the first one. On Linux always nil, except for the input node.
  open var lastRenderTime: AVAudioTime? { nil }

  /// The name of the bus; always nil on Linux.
  open func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }

  /// The name of the bus; always nil on Linux.
  open func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }

  /// The format of the input `bus`: the format of its connection, else standard stereo at 48000 Hz.
  open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    precondition(bus >= 0 && bus < numberOfInputs, "\(type(of: self)) has no input bus \(bus)")
    return engine?.format(into: self, bus: bus) ?? .usual
  }

  /// The format of the output `bus`: the format of its connection, else standard stereo at 48000 Hz.
  open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    precondition(bus >= 0 && bus < numberOfOutputs, "\(type(of: self)) has no output bus \(bus)")
    return engine?.format(outOf: self, bus: bus) ?? .usual
  }

  /// Calls `tapBlock` with the audio of the output `bus`, from now on or from the start of the engine.
  ///
  /// - Parameters:
  ///   - bus: The output bus. It must not have a tap already.
  ///   - bufferSize: How many frames a buffer has, limited to 100 to 400 ms. The last buffer before a gap or the end is
  ///     shorter.
  ///   - format: The format of the buffers; nil for the format of the node. Its sample rate must be that of the node. To
  ///     resample, use `AVAudioConverter`.
  ///   - tapBlock: See `AVAudioNodeTapBlock`.
  open func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    if let problem = tapProblem(onBus: bus, format: format) {
      preconditionFailure(problem.localizedDescription)
    }
    tappedBuses.insert(bus)
  }

  /// Why a tap cannot be installed; nil if it can.
  func tapProblem(onBus bus: AVAudioNodeBus, format: AVAudioFormat?) -> NSError? {
    guard bus >= 0 && bus < numberOfOutputs else {
      return AudioError.make(.badParameter, "\(type(of: self)) has no output bus \(bus)")
    }
    guard format.map({ $0.sampleRate > 0 && $0.channelCount > 0 }) ?? true else {
      return AudioError.make(
        .unsupportedFormat,
        "the tap's format has no sample rate or no channels: check that there is a source. \(format?.description ?? "")"
      )
    }
    guard !tappedBuses.contains(bus) else {
      return AudioError.make(
        .cannotDoNow,
        "bus \(bus) has a tap already: call removeTap(onBus: \(bus)) before installing another")
    }
    return nil
  }

  /// Removes the tap; has no effect if there is none. It may be called while the engine is running, and by the tap itself.
  ///
  /// On Linux the tap first receives all audio recorded until now. This method waits for that for at most a second, and
  /// not at all if the tap itself calls it. A slower tap is called once more afterwards.
  open func removeTap(onBus bus: AVAudioNodeBus) { tappedBuses.remove(bus) }

  /// Discards earlier audio; has no effect on Linux, where no node keeps any.
  open func reset() {}
}

extension AVAudioNode {
  /// Calls `tapProvider` with the audio of the output `bus`, from now on or from the start of the engine.
  /// - Parameters:
  ///   - bus: The output bus. It must not have a tap already.
  ///   - bufferSize: How many frames a buffer has, limited to 100 to 400 ms. The last buffer before a gap or the end is
  ///     shorter.
  ///   - format: The format of the buffers; nil for the format of the node. Its sample rate must be that of the node.
  ///   - tapProvider: Gets buffers that never change, and the time of the first frame; see `AVAudioNodeTapBlock`.
  /// - Throws: an error where `installTap(onBus:bufferSize:format:block:)` traps.
  public func installAudioTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    tapProvider: @escaping @Sendable (AVReadOnlyAudioPCMBuffer, AVAudioTime) -> Void
  ) throws {
    if let problem = tapProblem(onBus: bus, format: format) { throw problem }
    // No copy: the engine makes each buffer for one call.
    installTap(onBus: bus, bufferSize: bufferSize, format: format) { buffer, time in
      nonisolated(unsafe) let buffer = buffer
      tapProvider(AVReadOnlyAudioPCMBuffer(unsafeRetaining: buffer), time)
    }
  }
}

extension AVAudioFormat {
  /// The format of a node without a connection.
  static var usual: AVAudioFormat {
    AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) ?? AVAudioFormat()
  }
}

/// Receives the audio of a tap: a buffer that the block may keep, and the time of its first frame.
///
/// It is called on a thread of the engine, never on the main thread, one call after the other. It may be slow for a while;
/// see `AVAudioInputNode.lostFrames`.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

/// Mixes its inputs. On Linux it exists only in the graph, and nothing is mixed.
open class AVAudioMixerNode: AVAudioNode {
  /// Creates a mixer that is not attached to an engine.
  public override init() { super.init() }

  /// The number of inputs is not limited.
  open override var numberOfInputs: Int { .max }
  /// The output volume, 0 to 1; has no effect on Linux.
  open var outputVolume: Float = 1
  /// The first input bus without a connection.
  open var nextAvailableInputBus: AVAudioNodeBus {
    (0...).first { engine?.format(into: self, bus: $0) == nil } ?? 0
  }
}
