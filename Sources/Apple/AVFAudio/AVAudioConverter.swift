import AudioDecoding
import Foundation

/// Converts audio to another sample rate, number of channels or sample type.
///
/// ```swift
/// import AVFAudio
///
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.mp3"))
/// guard let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1),
///   let converter = AVAudioConverter(from: file.processingFormat, to: format),
///   let input = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096),
///   let output = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096)
/// else { exit(1) }
/// converter.downmix = true
///
/// var error: NSError?
/// while converter.convert(
///   to: output, error: &error,
///   withInputFrom: { _, status in
///     try? file.read(into: input)
///     status.pointee = input.frameLength > 0 ? .haveData : .endOfStream
///     return input.frameLength > 0 ? input : nil
///   }) == .haveData
/// {
///   print(output.frameLength, "frames at 16 kHz")
/// }
/// ```
///
/// The output does not depend on the size of the buffers: a stream converted buffer by buffer has the same samples as
/// a stream converted at once. On Linux FFmpeg's swresample converts. Its output begins with the first frame of the
/// input, without delay, whatever `primeMethod` is. Only uncompressed formats can be converted.
///
/// As on Apple platforms, channels that the output lacks are dropped, not mixed, unless `downmix` is true. A single
/// channel goes to all outputs.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
open class AVAudioConverter: NSObject, @unchecked Sendable {
  /// The format of the input.
  open var inputFormat: AVAudioFormat { source }
  /// The format of the output.
  open var outputFormat: AVAudioFormat { target }
  /// Data that a compressed format needs; has no effect on Linux.
  open var magicCookie: Data? {
    get { withLock { cookie } }
    set { withLock { cookie = newValue } }
  }
  /// Bits per second of a compressed format; always 0 on Linux.
  open var bitRate: Int {
    get { 0 }
    set { _ = newValue }
  }

  /// Recursive and not a `Mutex`: it is held while an input block runs, and the block may use the converter.
  let lock = NSRecursiveLock()
  // The formats from `init`. A subclass may override `inputFormat` and `outputFormat`.
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

  /// Creates a converter between two formats. Returns nil if one of them is compressed or out of range: more than 64
  /// channels, or a sample rate below 1 Hz or above 16 MHz.
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

  /// Discards the current stream. The next conversion begins a new one, also after `.endOfStream`.
  open func reset() {
    withLock {
      engine = nil
      pending = nil
      pendingOffset = 0
      hasEnded = false
    }
  }

  /// Converts all of `inputBuffer` into `outputBuffer`, at the same sample rate.
  ///
  /// Throws if the sample rates of the formats differ, if a buffer has another format, or if `outputBuffer` has room
  /// for fewer frames than `inputBuffer` holds. Does not change the state of a stream that
  /// `convert(to:error:withInputFrom:)` converts.
  open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    try convertAll(of: inputBuffer, into: outputBuffer)
  }

  /// Fills `outputBuffer` from the buffers that `inputBlock` returns. Calls the block as often as needed.
  ///
  /// Returns `.haveData` if the buffer is full or holds the last frames of the stream, `.inputRanDry` if the block has
  /// no input for now, `.endOfStream` with an empty buffer after the last frames, and `.error` after it has set
  /// `outError`. Input that is not needed yet is kept for the next call.
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
      // Takes effect at the next frame of input. Frames in the filter are lost, as with `reset()`.
      engine = nil
    }
  }

  /// For each output channel the index of its input channel; a negative number means silence.
  ///
  /// A map that does not have one number for each output channel is ignored. Setting the map within a stream loses the
  /// frames that the resampler holds.
  open var channelMap: [NSNumber] {
    get { withLock { settings.channelMap.map { NSNumber(value: $0) } } }
    set {
      guard newValue.count == Int(output.channels) else { return }
      change(\.channelMap, to: newValue.map(\.intValue))
    }
  }

  /// Whether input channels that the output lacks are mixed instead of dropped; false by default.
  open var downmix: Bool {
    get { withLock { settings.isDownmixing } }
    set { change(\.isDownmixing, to: newValue) }
  }

  /// Whether noise is added when a conversion drops bits; false by default.
  open var dither: Bool {
    get { withLock { settings.isDithered } }
    set { change(\.isDithered, to: newValue) }
  }

  /// The quality of resampling: a raw value of `AVAudioQuality`.
  open var sampleRateConverterQuality: Int {
    get { withLock { settings.quality } }
    set { change(\.quality, to: newValue) }
  }

  /// The name of the resampling algorithm. Linux has one algorithm, of linear phase. With
  /// `AVSampleRateConverterAlgorithm_Mastering` it uses the highest quality, whatever `sampleRateConverterQuality` is.
  /// Other names have no effect.
  open var sampleRateConverterAlgorithm: String? {
    get { withLock { settings.algorithm } }
    set { change(\.algorithm, to: newValue) }
  }

  /// Which frames the filter assumes before the first frame and after the last one. Has no effect on Linux: there the
  /// filter mirrors the audio at both ends, and the output is neither delayed nor shortened.
  open var primeMethod: AVAudioConverterPrimeMethod {
    get { withLock { settings.primeMethod } }
    set { withLock { settings.primeMethod = newValue } }
  }

  /// How many frames the filter wants at both ends. Has no effect on Linux, where it is 0 unless set.
  open var primeInfo: AVAudioConverterPrimeInfo {
    get { withLock { settings.primeInfo } }
    set { withLock { settings.primeInfo = newValue } }
  }
}
