import Foundation

/// A count of samples.
public typealias CMItemCount = Int

/// Samples with their format and their time; on Linux always audio.
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
/// let buffer = try CMSampleBuffer(
///   dataBuffer: CMBlockBuffer(length: 32_000), formatDescription: format, numSamples: 16_000,
///   presentationTimeStamp: .zero, packetDescriptions: [])
/// print(buffer.duration.seconds)  // 1.0
/// ```
///
/// As on Apple platforms the type is not `Sendable`, because it can be filled and invalidated.
public final class CMSampleBuffer {
  /// The errors of a sample buffer, with Apple's status codes.
  public enum Error {
    /// The operation needs data, and the buffer has none.
    public static let requiredParameterMissing = NSError(status: -12731)
    /// The buffer has data already.
    public static let alreadyHasDataBuffer = NSError(status: -12732)
    /// The buffer does not have these samples, or there is no room for them.
    public static let sampleIndexOutOfRange = NSError(status: -12734)
    /// The list of buffers does not fit into the memory that was given for it.
    public static let arrayTooSmall = NSError(status: -12737)
    /// A count is negative, or differs from the number of samples.
    public static let invalidEntryCount = NSError(status: -12738)
    /// The data is too short for the samples, or its layout differs from their format.
    public static let invalidSampleData = NSError(status: -12742)
    /// The format is not valid for audio in memory.
    public static let invalidMediaFormat = NSError(status: -12743)
    /// The buffer was invalidated.
    public static let invalidated = NSError(status: -12744)
  }

  /// The bytes of the samples; nil while there are none, and after the buffer was invalidated.
  public private(set) var dataBuffer: CMBlockBuffer?
  /// The format of the samples; never nil on Linux.
  public let formatDescription: CMFormatDescription?
  /// The number of samples: frames of uncompressed audio, or packets of compressed audio.
  public let numSamples: CMItemCount
  /// The time of the first sample.
  public let presentationTimeStamp: CMTime
  /// The duration of all samples; invalid if the format does not define it.
  public let duration: CMTime
  /// Whether the buffer is valid: not invalidated.
  public private(set) var isValid = true

  private let packetDescriptions: [AudioStreamPacketDescription]

  /// Creates a buffer of `numSamples` samples.
  ///
  /// `packetDescriptions` is empty, or has one element for each sample. `dataBuffer` may be nil if
  /// `setDataBuffer(fromAudioBufferList:)` sets the samples later; Apple has a separate initializer for that.
  public init(
    dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription, numSamples: CMItemCount,
    presentationTimeStamp: CMTime, packetDescriptions: [AudioStreamPacketDescription]
  ) throws {
    guard numSamples >= 0, packetDescriptions.isEmpty || packetDescriptions.count == numSamples else {
      throw Error.invalidEntryCount
    }
    self.dataBuffer = dataBuffer
    self.formatDescription = formatDescription
    self.numSamples = numSamples
    self.presentationTimeStamp = presentationTimeStamp
    self.packetDescriptions = packetDescriptions
    duration = Self.duration(
      of: numSamples, in: formatDescription.stream.pointee, packetDescriptions: packetDescriptions)
  }

  /// The layout of each packet; empty if all samples have the same size.
  public func audioStreamPacketDescriptions() throws -> [AudioStreamPacketDescription] { packetDescriptions }

  /// Releases the data. After that the buffer cannot be used.
  public func invalidate() throws {
    isValid = false
    dataBuffer = nil
  }

  /// Sets the data of a buffer that has none yet.
  func fill(with buffer: CMBlockBuffer) throws {
    guard isValid else { throw Error.invalidated }
    guard dataBuffer == nil else { throw Error.alreadyHasDataBuffer }
    dataBuffer = buffer
  }

  static func duration(
    of numSamples: Int, in stream: AudioStreamBasicDescription,
    packetDescriptions: [AudioStreamPacketDescription]
  ) -> CMTime {
    let frames: Int64
    if stream.mFramesPerPacket > 0 {
      let product = Int64(numSamples).multipliedReportingOverflow(by: Int64(stream.mFramesPerPacket))
      guard !product.overflow else { return .invalid }
      frames = product.partialValue
    } else {
      guard packetDescriptions.count == numSamples else { return .invalid }
      frames = packetDescriptions.reduce(0) { $0 + Int64($1.mVariableFramesInPacket) }
    }
    guard stream.mSampleRate > 0 else { return .invalid }
    if let timescale = CMTimeScale(exactly: stream.mSampleRate) {
      return CMTime(value: frames, timescale: timescale)
    }
    // No timescale has these frames as ticks. A nanosecond is much shorter than a frame.
    return CMTime(seconds: Double(frames) / stream.mSampleRate, preferredTimescale: 1_000_000_000)
  }
}

// The C functions, for code that uses Apple's headers.

/// Whether `sbuf` is valid: not invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// The number of samples in `sbuf`.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// The time of the first sample of `sbuf`.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// The duration of all samples of `sbuf`.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// The format of the samples of `sbuf`.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// The bytes of the samples of `sbuf`.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }
