import Foundation

/// What an engine records.
///
/// On Linux that is a source of the sound server (PulseAudio or PipeWire): the one of `source`, else the one
/// that the environment's `PULSE_SOURCE` names, else the server's default, which the user can change at any
/// time and the recording follows.
open class AVAudioInputNode: AVAudioIONode {
  private let unit: CaptureUnit?

  /// A node of no engine, which has no source, for subclasses.
  public override init() {
    unit = nil
    super.init()
  }

  init(unit: CaptureUnit) {
    self.unit = unit
    super.init()
  }

  /// What is recorded from the engine's next start on; nil is the default.
  ///
  /// Apple has no such property. There one chooses by `AVAudioSession.setPreferredInput` (iOS) or by the
  /// device of the node's audio unit (macOS).
  public var source: CaptureDevice? {
    get { unit?.source }
    set { unit?.source = newValue }
  }

  /// Frames, since the engine was made, that the tap did not get though the engine ran: the tap stayed behind
  /// for more than 10 seconds, or the server had none to give. Each loss is also a jump of the sample time.
  ///
  /// Apple has no such property.
  public var lostFrames: Int { unit?.lostFrames ?? 0 }

  /// None: sound comes from the machine.
  open override var numberOfInputs: Int { 0 }

  /// When the last buffer began that the tap was given.
  open override var lastRenderTime: AVAudioTime? { unit?.lastRenderTime }

  /// The format of the source, as `outputFormat(forBus:)`.
  open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: bus) }

  /// The standard format at the source's rate, with its channels; 0 Hz and no channels where there is no
  /// source, as on Apple platforms. While the engine stands still this asks the server, which takes 3 seconds
  /// at most.
  open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    precondition(bus == 0, "AVAudioInputNode has no output bus \(bus)")
    return unit?.format ?? AVAudioFormat()
  }

  /// Gives what is recorded to `tapBlock`. Sample times count without a jump while sound flows; one that is
  /// not the sum of the one before and its frames means that frames are missing between the two, for whatever
  /// reason. They begin at the machine's clock in frames, so that a pause of the engine is a jump of about
  /// its length.
  ///
  /// Where the rate of `format` is not the source's, the engine's start throws; where the source is known
  /// already, this is a programming error, as on Apple platforms.
  open override func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    super.installTap(onBus: bus, bufferSize: bufferSize, format: format, block: tapBlock)
    if let format {
      let rate = outputFormat(forBus: bus).sampleRate
      precondition(
        rate == 0 || rate == format.sampleRate,
        "the tap's rate is \(format.sampleRate) Hz and the input's \(rate) Hz: convert with AVAudioConverter")
    }
    unit?.setTap(Tap(bufferSize: bufferSize, format: format, block: tapBlock))
  }

  /// Ends the tap; see `AVAudioNode.removeTap(onBus:)`.
  open override func removeTap(onBus bus: AVAudioNodeBus) {
    super.removeTap(onBus: bus)
    if bus == 0 { unit?.setTap(nil) }
  }
}
