import AudioDecoding
import Foundation

extension AVAudioFile {
  /// How a file will be written.
  struct WritingPlan {
    let sample: AudioWriter.Sample
    let rate: Int32
    let processingFormat: AVAudioFormat
    let processing: SampleLayout
    let fileFormat: AVAudioFormat
  }

  /// Decides how a file will be written; throws if the settings or the name's extension do not allow it.
  static func plan(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws -> WritingPlan {
    let path = fileURL.path
    let values = AudioSettings(values: settings)
    guard let rate = values.number(AVSampleRateKey), let rate = Int32(exactly: rate),
      let channels = values.count(AVNumberOfChannelsKey)
    else {
      throw AudioError.make(
        .badParameter,
        "cannot write \(path): the settings need AVSampleRateKey, a whole number of Hz, and AVNumberOfChannelsKey"
      )
    }
    let layout = channels > 2 ? AVAudioChannelLayout(discrete: channels) : nil
    let processing = AVAudioFormat(
      optional: AudioStreamBasicDescription(
        commonFormat: format, sampleRate: Double(rate), channels: channels, interleaved: interleaved),
      layout: layout)
    guard let processing, let samples = SampleLayout(processing) else {
      throw AudioError.make(
        .unsupportedFormat, "cannot write \(path) with \(channels) channels at \(rate) Hz")
    }
    let isFLAC = fileURL.pathExtension.lowercased() == "flac"
    let kind = values.count(AVFormatIDKey) ?? (isFLAC ? kAudioFormatFLAC : kAudioFormatLinearPCM)
    guard
      kind == (isFLAC ? kAudioFormatFLAC : kAudioFormatLinearPCM)
        || (isFLAC && kind == kAudioFormatLinearPCM)
    else {
      throw AudioError.make(
        .unsupportedFormat, "cannot write \(path): only uncompressed audio and FLAC can be written")
    }
    let isFloat = values.flag(AVLinearPCMIsFloatKey) ?? false
    let bits = values.count(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
    let sample: AudioWriter.Sample
    switch (isFloat, bits) {
    case (false, 8): sample = .int8
    case (false, 16): sample = .int16
    case (false, 24): sample = .int24
    case (false, 32): sample = .int32
    case (true, 32): sample = .float32
    case (true, 64): sample = .float64
    default:
      throw AudioError.make(
        .unsupportedFormat,
        "cannot write \(path): \(isFloat ? "floats" : "integers") of \(bits) bits are not supported")
    }
    let isAIFF = ["aif", "aiff", "aifc"].contains(fileURL.pathExtension.lowercased())
    let disk =
      isFLAC
      ? AudioStreamBasicDescription(
        compressed: kAudioFormatFLAC, sampleRate: Double(rate), channels: channels)
      : AudioStreamBasicDescription(
        bits: bits, isFloat: isFloat, sampleRate: Double(rate), channels: channels, interleaved: true,
        bigEndian: isAIFF)
    _ = try AudioWriter.header(for: fileURL, sample: sample, rate: rate, channels: samples.channels)
    return WritingPlan(
      sample: sample, rate: rate, processingFormat: processing, processing: samples,
      fileFormat: AVAudioFormat(optional: disk, layout: layout) ?? processing)
  }

  static func opened(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws -> Opened {
    let plan = try plan(
      forWriting: fileURL, settings: settings, commonFormat: format, interleaved: interleaved)
    let writer = try AudioWriter(
      url: fileURL, sample: plan.sample, rate: plan.rate, processing: plan.processing)
    return Opened(
      fileFormat: plan.fileFormat, processingFormat: plan.processingFormat, state: .writing(writer))
  }

  func append(_ buffer: AVAudioPCMBuffer) throws {
    try withState { state in
      guard case .writing(let writer) = state else {
        throw AudioError.make(.notOpen, "cannot write \(url.path): it is not open for writing")
      }
      guard buffer.basis.isSame(as: basis) else {
        throw AudioError.make(
          .badParameter,
          "cannot write a buffer of \(buffer.basis) to \(url.path): it must be of \(basis)")
      }
      try writer.write(buffer.planes().map { UnsafePointer($0) }, count: buffer.filled)
    }
  }
}
