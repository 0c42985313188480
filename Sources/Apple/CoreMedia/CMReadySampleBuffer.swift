import Foundation

extension CMSampleBuffer {
  /// What a ready sample buffer can carry; on Linux a `CMReadOnlyDataBlockBuffer`.
  public protocol Content: Sendable {}
}

/// Samples with their format and their time, which can be sent to another task; on Linux always audio.
///
/// ```swift
/// import CoreMedia
///
/// // One second of silence: 16 kHz, mono, 16-bit.
/// let format = try CMFormatDescription(
///   audioStreamBasicDescription: AudioStreamBasicDescription(
///     mSampleRate: 16_000, mFormatID: kAudioFormatLinearPCM,
///     mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 2,
///     mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0))
/// let buffer = CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>(
///   audioDataBuffer: CMReadOnlyDataBlockBuffer(Data(count: 32_000)), formatDescription: format,
///   sampleCount: 16_000, presentationTimeStamp: .zero)
/// print(buffer.duration.seconds)  // 1.0
/// ```
public struct CMReadySampleBuffer<Content>: Sendable where Content: CMSampleBuffer.Content {
  /// The samples.
  public var content: Content
  /// The format of the samples.
  public let formatDescription: CMFormatDescription
  /// The number of samples: frames of uncompressed audio, or packets of compressed audio.
  public let sampleCount: Int
  /// The time of the first sample.
  public let presentationTimeStamp: CMTime
  /// The duration of all samples; invalid if the format does not define it.
  public let duration: CMTime
  private let packetDescriptions: [AudioStreamPacketDescription]
}

extension CMReadySampleBuffer where Content == CMReadOnlyDataBlockBuffer {
  /// Creates a buffer of uncompressed audio. `sampleCount` must be positive, and the time a number.
  public init(
    audioDataBuffer content: Content, formatDescription: CMAudioFormatDescription, sampleCount: Int,
    presentationTimeStamp: CMTime
  ) {
    precondition(sampleCount > 0, "a ready sample buffer has at least one sample")
    precondition(presentationTimeStamp.isNumeric, "the time of a ready sample buffer is a number")
    self.content = content
    self.formatDescription = formatDescription
    self.sampleCount = sampleCount
    self.presentationTimeStamp = presentationTimeStamp
    packetDescriptions = []
    duration = CMSampleBuffer.duration(
      of: sampleCount, in: formatDescription.stream.pointee, packetDescriptions: [])
  }

  /// Creates a ready buffer from a sample buffer, which must have data. On Linux the data is copied, so that the sample
  /// buffer may change afterwards.
  public init(unsafeWithDataBuffer unsafeBuffer: sending CMSampleBuffer) {
    guard let data = unsafeBuffer.dataBuffer, let format = unsafeBuffer.formatDescription else {
      preconditionFailure("the sample buffer has no data: set it before making a ready sample buffer")
    }
    formatDescription = format
    sampleCount = unsafeBuffer.numSamples
    presentationTimeStamp = unsafeBuffer.presentationTimeStamp
    duration = unsafeBuffer.duration
    packetDescriptions = (try? unsafeBuffer.audioStreamPacketDescriptions()) ?? []
    content = CMReadOnlyDataBlockBuffer((try? data.dataBytes()) ?? Data())
  }

  /// Calls `body` with the samples as a sample buffer; on Linux a copy.
  public func withUnsafeSampleBuffer<R>(
    _ body: (CMSampleBuffer) throws -> sending R
  ) rethrows -> sending R {
    try body(makeSampleBuffer())
  }

  private func makeSampleBuffer() -> CMSampleBuffer {
    do {
      let block = content.isEmpty ? nil : try CMBlockBuffer(length: content.count)
      try content.withContiguousStorageIfAvailable {
        try block?.replaceDataBytes(with: UnsafeRawBufferPointer($0))
      }
      return try CMSampleBuffer(
        dataBuffer: block, formatDescription: formatDescription, numSamples: sampleCount,
        presentationTimeStamp: presentationTimeStamp, packetDescriptions: packetDescriptions)
    } catch {
      preconditionFailure("there is no memory for \(content.count) bytes of samples")
    }
  }
}
