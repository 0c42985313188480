import CoreAudioTypes
import Foundation

/// Uncompressed sound in memory.
///
/// ```swift
/// let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16_000)
/// buffer?.frameLength = 16_000
/// buffer?.floatChannelData?[0][0] = 0.5
/// ```
///
/// Where Apple's class raises an exception, this one does something harmless: a `frameLength` beyond the capacity
/// becomes the capacity.
open class AVAudioPCMBuffer: AVAudioBuffer {
  /// How many frames fit.
  open var frameCapacity: AVAudioFrameCount { capacity }
  /// How many frames fit, whatever a subclass says.
  let capacity: AVAudioFrameCount
  /// How many frames may be read: `frameLength`, which in a subclass may be anything, but none that is not there.
  var filled: Int { Int(min(frameLength, capacity)) }
  private var length: AVAudioFrameCount = 0
  /// The first sample of each channel, whatever its type.
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// A zeroed buffer for `frameCapacity` frames of `format`, with a `frameLength` of 0.
  ///
  /// Nil if the format is not one of the four named ones, if a buffer would take 4 GiB or more, or if there is no
  /// such memory.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let description = format.basicDescription
    guard description.commonFormat != .otherFormat, description.isSane else { return nil }
    let bytes = Int(frameCapacity) * Int(description.mBytesPerFrame)
    guard bytes <= UInt32.max else { return nil }
    let count = Int(description.mChannelsPerFrame)
    channels = .allocate(capacity: count)
    capacity = frameCapacity
    super.init(
      format: format, bufferCount: description.isInterleaved ? 1 : count,
      channelsPerBuffer: description.isInterleaved ? description.mChannelsPerFrame : 1, byteCapacity: bytes)
    let sampleSize = Int(description.mBitsPerChannel / 8)
    for channel in 0..<count {
      let start =
        description.isInterleaved ? memory[0].mData.map { $0 + channel * sampleSize } : memory[channel].mData
      guard let start else { return nil }
      (channels + channel).initialize(to: start)
    }
  }

  deinit { channels.deallocate() }

  /// How many frames hold sound; setting it also sets `mDataByteSize` of the buffers. Never above the capacity.
  open var frameLength: AVAudioFrameCount {
    get { length }
    set {
      length = min(newValue, capacity)
      let bytes = length * basis.basicDescription.mBytesPerFrame
      for index in memory.indices { memory[index].mDataByteSize = bytes }
    }
  }

  /// Samples from one sample of a channel to its next: the number of channels if interleaved, else 1.
  open var stride: Int {
    basis.basicDescription.isInterleaved ? Int(basis.basicDescription.mChannelsPerFrame) : 1
  }

  /// For each channel its first sample, `stride` apart; nil unless the format is 32-bit floating point.
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    samples(of: .pcmFormatFloat32)
  }

  /// For each channel its first sample, `stride` apart; nil unless the format is 16-bit integers.
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { samples(of: .pcmFormatInt16) }

  /// For each channel its first sample, `stride` apart; nil unless the format is 32-bit integers.
  open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { samples(of: .pcmFormatInt32) }

  private func samples<Sample>(
    of format: AVAudioCommonFormat
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard basis.basicDescription.commonFormat == format else { return nil }
    return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
  }

  /// A buffer of the same format and capacity with a copy of the sound; if there is no memory for it, an empty one.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy =
      AVAudioPCMBuffer(pcmFormat: basis, frameCapacity: capacity)
      ?? AVAudioPCMBuffer(pcmFormat: basis, frameCapacity: 0)
    guard let copy else { return self }
    copy.frameLength = length
    for (from, to) in zip(memory, copy.memory) {
      guard let from = from.mData, let destination = to.mData else { continue }
      memcpy(destination, from, Int(to.mDataByteSize))
    }
    return copy
  }

  /// Where frame `offset` begins in each of the buffers, as FFmpeg takes it.
  func planes(from offset: Int = 0) -> [UnsafeMutablePointer<UInt8>?] {
    let bytes = offset * Int(basis.basicDescription.mBytesPerFrame)
    return memory.map { buffer in
      buffer.mData.map { ($0 + bytes).assumingMemoryBound(to: UInt8.self) }
    }
  }
}
