import AVFAudio
import AudioStreams
import CoreMedia

/// Converts buffers of audio to a format that modules accept.
///
/// ```swift
/// import Speech
///
/// let transcriber = SpeechTranscriber(locale: Locale(identifier: "en-US"), preset: .transcription)
/// let converter = try await AnalyzerInputConverter.converter(compatibleWith: [transcriber])
/// let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.wav"))
/// while let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096) {
///   try file.read(into: buffer)
///   guard buffer.frameLength > 0 else { break }
///   for input in try converter.convert(buffer, at: nil) { feed.yield(input) }
/// }
/// for input in try converter.flush() { feed.yield(input) }
/// feed.finish()
/// ```
///
/// Not `Sendable`, as on Apple platforms. Channels that the format lacks are mixed; `configurationHandler` can change that.
final public class AnalyzerInputConverter {
  private let format: AVAudioFormat
  private let configurationHandler: ((AVAudioConverter) -> Void)?
  private var stream: ConvertedStream?

  /// Creates a converter to a format that all modules accept.
  /// - Throws: `SFSpeechError.incompatibleAudioFormats` if there is none, as long as a model is not installed.
  public static func converter(compatibleWith modules: [any SpeechModule]) async throws
    -> AnalyzerInputConverter
  {
    AnalyzerInputConverter(analyzerFormat: try await SpeechAnalyzer.format(compatibleWith: modules))
  }

  /// Creates a converter to a format. The handler receives each `AVAudioConverter` before its first buffer.
  public init(analyzerFormat: AVAudioFormat, configurationHandler: ((AVAudioConverter) -> Void)? = nil) {
    format = analyzerFormat
    self.configurationHandler = configurationHandler
  }

  /// Converts a buffer. Its last frames may be held back until the next call or `flush()`.
  /// - Parameters:
  ///   - buffer: an `AVAudioPCMBuffer`.
  ///   - audioTime: when the buffer starts; nil if it follows the one before. A count of frames is exact; a time
  ///     of the machine's clock alone may differ from the audio by 20 ms. After a gap a new conversion begins.
  /// - Throws: `SFSpeechError.incompatibleAudioFormats` if the format of the buffer cannot be converted, or
  ///   `insufficientResources`.
  final public func convert(_ buffer: AVAudioBuffer, at audioTime: AVAudioTime?) throws -> [AnalyzerInput] {
    guard let buffer = buffer as? AVAudioPCMBuffer else { throw SFSpeechError(.incompatibleAudioFormats) }
    guard buffer.frameLength > 0 else { return [] }
    var held: [AnalyzerInput] = []
    if stream?.continues(with: buffer.format, at: audioTime) != true {
      held = try flush()
      stream = try ConvertedStream(
        from: buffer.format, to: format, at: audioTime?.mediaTime, configurationHandler)
    }
    return held + (try stream?.convert(buffer) ?? [])
  }

  /// Ends the conversion, and returns what was held back. The next buffer may have any format and any later time.
  final public func flush() throws -> [AnalyzerInput] {
    defer { stream = nil }
    return try stream?.finish() ?? []
  }
}

/// Audio of one format without a gap, on its way to another format.
private struct ConvertedStream {
  private let source: AVAudioFormat
  private let target: AVAudioFormat
  /// Nil if nothing has to be converted.
  private let conversion: AudioConversion?
  /// The time of the first frame; nil if it follows what was given before.
  private let start: CMTime?
  /// The frames that were given and that came out.
  private var given: Int64 = 0
  private var produced: Int64 = 0

  /// - Throws: `SFSpeechError.incompatibleAudioFormats`.
  init(
    from source: AVAudioFormat, to target: AVAudioFormat, at start: CMTime?,
    _ configure: ((AVAudioConverter) -> Void)?
  ) throws {
    (self.source, self.target, self.start) = (source, target, start)
    guard source != target else {
      conversion = nil
      return
    }
    guard let conversion = AudioConversion(from: source, to: target) else {
      throw SFSpeechError(.incompatibleAudioFormats)
    }
    // The speech may be on any channel.
    conversion.converter.downmix = true
    configure?(conversion.converter)
    self.conversion = conversion
  }

  /// Whether a buffer belongs to the stream: it has its format and follows its end.
  func continues(with format: AVAudioFormat, at time: AVAudioTime?) -> Bool {
    guard format == source else { return false }
    guard let time, let wanted = time.mediaTime else { return true }
    guard let start else { return false }
    let end = start + CMTime(value: given, timescale: CMTimeScale(source.sampleRate.rounded()))
    return abs((wanted - end).seconds) < (time.isSampleTimeValid ? 0.5 / source.sampleRate : 0.02)
  }

  mutating func convert(_ buffer: AVAudioPCMBuffer) throws(SFSpeechError) -> [AnalyzerInput] {
    given += Int64(buffer.frameLength)
    guard let conversion else { return [input(.init(copying: buffer))] }
    return try inputs { () throws(AudioConversionError) in try conversion.convert(buffer) }
  }

  mutating func finish() throws(SFSpeechError) -> [AnalyzerInput] {
    guard let conversion else { return [] }
    return try inputs { () throws(AudioConversionError) in try conversion.finish() }
  }

  private mutating func inputs(
    _ convert: () throws(AudioConversionError) -> [AVAudioPCMBuffer]
  ) throws(SFSpeechError) -> [AnalyzerInput] {
    let outputs: [AVAudioPCMBuffer]
    do { outputs = try convert() } catch { throw error.speechError }
    return outputs.map { input(.init(owned: $0)) }
  }

  private mutating func input(_ audio: AnalyzerInput.Audio) -> AnalyzerInput {
    let offset = CMTime(value: produced, timescale: CMTimeScale(target.sampleRate.rounded()))
    produced += Int64(audio.buffer.frameLength)
    return AnalyzerInput(audio, at: start.map { $0 + offset })
  }
}

extension AVAudioTime {
  /// The time in frames, else by the machine's clock; nil if it has neither.
  fileprivate var mediaTime: CMTime? {
    if isSampleTimeValid, sampleRate > 0 {
      return CMTime(value: sampleTime, timescale: CMTimeScale(sampleRate.rounded()))
    }
    guard isHostTimeValid else { return nil }
    return CMTime(seconds: Self.seconds(forHostTime: hostTime), preferredTimescale: 1_000_000)
  }
}
