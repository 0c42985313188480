import Foundation

/// Converts sound to another rate, number of channels or type of samples.
///
/// ```swift
/// let converter = AVAudioConverter(from: file.processingFormat, to: speechFormat)
/// var error: NSError?
/// let status = converter?.convert(to: output, error: &error) { _, status in
///   status.pointee = .haveData
///   return nextBuffer
/// }
/// ```
///
/// A stream converted in pieces is sample for sample the stream converted at once. On Linux FFmpeg's swresample does
/// the work: its output begins with the first frame of the input, without delay, whatever `primeMethod` says, and
/// only uncompressed formats are converted.
///
/// As on Apple platforms, more channels than the output has are dropped, not mixed, unless `downmix` is set; one
/// channel goes to all.
///
/// `@unchecked Sendable`: `lock` guards all mutable state. It is recursive, and held while an input block runs.
open class AVAudioConverter: NSObject, @unchecked Sendable {
  /// The format of the sound that goes in.
  open var inputFormat: AVAudioFormat { source }
  /// The format of the sound that comes out.
  open var outputFormat: AVAudioFormat { target }
  /// Bytes that a compressed format needs; without effect on Linux.
  open var magicCookie: Data? {
    get { withLock { cookie } }
    set { withLock { cookie = newValue } }
  }
  /// Bits a second of a compressed format; always 0 on Linux.
  open var bitRate: Int {
    get { 0 }
    set { _ = newValue }
  }

  let lock = NSRecursiveLock()
  // What was asked for, whatever a subclass says of itself.
  let source: AVAudioFormat
  let target: AVAudioFormat
  let input: SampleLayout
  let output: SampleLayout
  private var cookie: Data?
  var settings: Settings

  // The state of the stream.
  var engine: SampleConverter?
  var pending: AVAudioPCMBuffer?
  var pendingOffset = 0
  var hasEnded = false

  /// A converter between two formats; nil if one of them is not uncompressed, or is out of range (more than 64
  /// channels, a rate below 1 Hz or above 16 MHz).
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    guard let input = SampleLayout(fromFormat), let output = SampleLayout(toFormat) else { return nil }
    source = fromFormat
    target = toFormat
    self.input = input
    self.output = output
    settings = Settings(
      channelMap: ChannelMatrix.usualMap(from: Int(input.channels), to: Int(output.channels)))
    super.init()
    guard SampleConverter(from: input, to: output, options: options) != nil else { return nil }
  }

  func withLock<Value>(_ body: () throws -> Value) rethrows -> Value { try lock.withLock(body) }

  /// Forgets the stream: the next conversion begins a new one, also after `.endOfStream`.
  open func reset() {
    withLock {
      engine = nil
      pending = nil
      pendingOffset = 0
      hasEnded = false
    }
  }

  /// Converts all of `inputBuffer` into `outputBuffer`, without changing the rate.
  ///
  /// Throws if the rates of the formats differ, if a buffer is of another format, or if `outputBuffer` has room for
  /// fewer frames than `inputBuffer` holds. Leaves a stream of the other method alone.
  open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    try convertAll(of: inputBuffer, into: outputBuffer)
  }

  /// Fills `outputBuffer` from the buffers that `inputBlock` returns, calling it as often as it takes.
  ///
  /// Returns `.haveData` when the buffer is full or holds the last of the stream, `.inputRanDry` when the block had
  /// nothing for now, `.endOfStream` with an empty buffer when all has been delivered, and `.error` after setting
  /// `outError`. What was taken from the block and not yet needed is kept for the next call.
  @discardableResult
  open func convert(
    to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    convert(into: outputBuffer, outError, from: inputBlock)
  }

  private func change<Value>(_ path: WritableKeyPath<Settings, Value>, to value: Value) {
    withLock {
      settings[keyPath: path] = value
      // Takes effect at the next frame that goes in; what the filter holds is lost, as with `reset()`.
      engine = nil
    }
  }

  /// For each output channel the input channel that it comes from, counted from 0; negative for silence.
  ///
  /// A map of another length than the output has channels is ignored. Setting it in mid-stream loses what the
  /// resampler holds.
  open var channelMap: [NSNumber] {
    get { withLock { settings.channelMap.map { NSNumber(value: $0) } } }
    set {
      guard newValue.count == Int(output.channels) else { return }
      change(\.channelMap, to: newValue.map(\.intValue))
    }
  }

  /// Whether channels are mixed where the output has fewer, instead of dropped; false at first.
  open var downmix: Bool {
    get { withLock { settings.isDownmixing } }
    set { change(\.isDownmixing, to: newValue) }
  }

  /// Whether noise is added where bits are dropped; false at first.
  open var dither: Bool {
    get { withLock { settings.isDithered } }
    set { change(\.isDithered, to: newValue) }
  }

  /// How hard the resampler tries: a raw value of `AVAudioQuality`.
  open var sampleRateConverterQuality: Int {
    get { withLock { settings.quality } }
    set { change(\.quality, to: newValue) }
  }

  /// The name of Apple's resampler. On Linux there is one, of linear phase: with
  /// `AVSampleRateConverterAlgorithm_Mastering` it tries its hardest, whatever `sampleRateConverterQuality` says; other
  /// names change nothing.
  open var sampleRateConverterAlgorithm: String? {
    get { withLock { settings.algorithm } }
    set { change(\.algorithm, to: newValue) }
  }

  /// What stands before the first and behind the last frame. Kept, but without effect on Linux: the filter's ends
  /// are filled by mirroring the sound, and the output is neither delayed nor shortened.
  open var primeMethod: AVAudioConverterPrimeMethod {
    get { withLock { settings.primeMethod } }
    set { withLock { settings.primeMethod = newValue } }
  }

  /// Frames wanted at the ends; none on Linux unless set, and without effect.
  open var primeInfo: AVAudioConverterPrimeInfo {
    get { withLock { settings.primeInfo } }
    set { withLock { settings.primeInfo = newValue } }
  }
}
