import AudioDecoding
import Foundation

/// A node for input from a device or output to a device.
open class AVAudioIONode: AVAudioNode {
  /// Whether echo is removed; never on Linux.
  open var isVoiceProcessingEnabled: Bool { false }

  /// Enables or disables removal of echo. On Linux this throws if `enabled` is true. A sound server can do it instead:
  /// PulseAudio's `module-echo-cancel` adds a source without echo, which can be recorded like any other source.
  open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
    guard enabled else { return }
    throw AudioError.make(
      .unspecified,
      "voice processing is not available on Linux: load the sound server's module-echo-cancel and record from its source"
    )
  }
}

/// The node that plays audio. On Linux it exists only in the graph, and nothing is played.
open class AVAudioOutputNode: AVAudioIONode {
  /// Always 0.
  open override var numberOfOutputs: Int { 0 }
}

/// The node that an engine records from.
///
/// On Linux it records from a source of the sound server (PulseAudio or PipeWire): from `source` if it is set, else from
/// the source that the environment variable `PULSE_SOURCE` names, else from the server's default. The user can change the
/// default at any time, and the recording follows.
open class AVAudioInputNode: AVAudioIONode {
  private let unit: CaptureUnit?

  /// Creates a node without an engine and without a source, for subclasses.
  public override init() {
    unit = nil
    super.init()
  }

  init(unit: CaptureUnit) {
    self.unit = unit
    super.init()
  }

  /// The source to record from, used at the engine's next start; nil means the default.
  ///
  /// Apple has no such property. There, use `AVAudioSession.setPreferredInput` (iOS) or the device of the node's audio unit
  /// (macOS).
  public var source: CaptureDevice? {
    get { unit?.source }
    set { unit?.source = newValue }
  }

  /// To save energy while a room is quiet: samples up to this value, from 0 to 1, are quiet. Their buffers may come 0.9 seconds
  /// late, several at a time. The first louder sample sets the property to nil and calls the tap, at most 0.45 seconds late.
  /// Nil, the default, is for audio without a delay. It can be set while the engine is running.
  ///
  /// Apple has no such property; `AVAudioSession.setPreferredIOBufferDuration` has a similar effect.
  public var quietPeak: Float? {
    get { unit?.quietPeak }
    set { unit?.quietPeak = newValue }
  }

  /// How many frames the tap has missed since the engine was created: the tap was more than 10 seconds behind, the server
  /// lost them, or there was no memory to convert them. After each loss the sample time jumps.
  ///
  /// Apple has no such property.
  public var lostFrames: Int { unit?.lostFrames ?? 0 }

  /// Whether the sound server answers while the engine is running. While it does not, as when it is stopped or has no time,
  /// it keeps the audio.
  ///
  /// Apple has no such property.
  public var isAnswering: Bool { unit?.isAnswering ?? true }

  /// Always 0.
  open override var numberOfInputs: Int { 0 }

  /// The start of the last buffer that the tap received.
  open override var lastRenderTime: AVAudioTime? { unit?.lastRenderTime }

  /// The same as `outputFormat(forBus:)`.
  open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: bus) }

  /// The standard format with the sample rate and the channels of the source; 0 Hz and no channels if there is no source,
  /// as on Apple platforms. If the engine is not running, this asks the server, for at most 3 seconds.
  open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    precondition(bus == 0, "AVAudioInputNode has no output bus \(bus)")
    return unit?.format ?? AVAudioFormat()
  }

  /// Calls `tapBlock` with the recorded audio. The sample time of a buffer is that of the buffer before plus its frames. If
  /// it is later, frames are missing in between. Sample times start at the machine's clock in frames, so a pause of the
  /// engine is a jump of about its length.
  ///
  /// If the sample rate of `format` is not that of the source, `start()` throws. If the source is known already, or if the
  /// format is compressed, this is a programming error and traps, as on Apple platforms.
  open override func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    super.installTap(onBus: bus, bufferSize: bufferSize, format: format, block: tapBlock)
    unit?.setTap(Tap(bufferSize: bufferSize, format: format, block: tapBlock))
  }

  override func tapProblem(onBus bus: AVAudioNodeBus, format: AVAudioFormat?) -> NSError? {
    if let problem = super.tapProblem(onBus: bus, format: format) { return problem }
    guard let format else { return nil }
    guard SampleLayout(format) != nil else {
      return AudioError.make(
        .unsupportedFormat,
        "the tap's format is compressed or out of range: use one of the common formats. \(format)")
    }
    let rate = outputFormat(forBus: bus).sampleRate
    guard rate != 0, rate != format.sampleRate else { return nil }
    return AudioError.make(
      .unsupportedFormat,
      "the sample rate of the tap is \(format.sampleRate) Hz and that of the input \(rate) Hz: convert with AVAudioConverter"
    )
  }

  /// Removes the tap; see `AVAudioNode.removeTap(onBus:)`.
  open override func removeTap(onBus bus: AVAudioNodeBus) {
    super.removeTap(onBus: bus)
    if bus == 0 { unit?.setTap(nil) }
  }
}
