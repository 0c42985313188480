import Foundation

/// A count of samples.
public typealias CMItemCount = Int

/// Samples with their format and the time at which they are heard; on Linux always audio.
///
/// As on Apple's systems it is not `Sendable`, because it can be filled and invalidated.
public final class CMSampleBuffer {
  /// What can go wrong with a sample buffer, each with Apple's status code.
  public enum Error {
    /// There is no data, which the operation needs.
    public static let requiredParameterMissing = NSError(status: -12731)
    /// The buffer has data already.
    public static let alreadyHasDataBuffer = NSError(status: -12732)
    /// A count is negative, or is not that of the samples.
    public static let invalidEntryCount = NSError(status: -12738)
    /// The data is too short for the samples, or laid out unlike their format.
    public static let invalidSampleData = NSError(status: -12742)
    /// The format cannot be that of audio in memory.
    public static let invalidMediaFormat = NSError(status: -12743)
    /// The buffer was invalidated.
    public static let invalidated = NSError(status: -12744)
  }

  /// The bytes of the samples; nil until there are any, and once the buffer is invalid.
  public private(set) var dataBuffer: CMBlockBuffer?
  /// What the samples are; Linux has no buffers without it.
  public let formatDescription: CMFormatDescription?
  /// How many samples there are: frames of uncompressed audio, packets of compressed audio.
  public let numSamples: CMItemCount
  /// When the first sample is heard.
  public let presentationTimeStamp: CMTime
  /// How long the samples last together; invalid if the format does not say.
  public let duration: CMTime
  /// Whether the buffer has not been invalidated.
  public private(set) var isValid = true

  private let packetDescriptions: [AudioStreamPacketDescription]

  /// A buffer of `numSamples` samples.
  ///
  /// `packetDescriptions` is empty, or has as many elements as there are samples. `dataBuffer` may be nil if
  /// the samples come later, by `setDataBuffer(fromAudioBufferList:)`; Apple has a separate initialiser for
  /// that.
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

  /// The layout of each packet; empty for samples that are all alike.
  public func audioStreamPacketDescriptions() throws -> [AudioStreamPacketDescription] { packetDescriptions }

  /// Gives up the data; the buffer cannot be used any more.
  public func invalidate() throws {
    isValid = false
    dataBuffer = nil
  }

  /// Takes over the data of a buffer that has none yet.
  func fill(with buffer: CMBlockBuffer) throws {
    guard isValid else { throw Error.invalidated }
    guard dataBuffer == nil else { throw Error.alreadyHasDataBuffer }
    dataBuffer = buffer
  }

  private static func duration(
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
    // No timescale counts these frames; a nanosecond is far less than any of them lasts.
    return CMTime(seconds: Double(frames) / stream.mSampleRate, preferredTimescale: 1_000_000_000)
  }
}
