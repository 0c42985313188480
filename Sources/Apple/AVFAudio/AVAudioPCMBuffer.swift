import CoreAudioTypes
import Foundation

/// Uncompressed audio in memory.
///
/// ```swift
/// import AVFAudio
///
/// // One second of a 440 Hz tone.
/// guard let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1),
///   let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16_000)
/// else { exit(1) }
/// buffer.frameLength = buffer.frameCapacity
/// for frame in 0..<16_000 {
///   buffer.floatChannelData?[0][frame] = Float(sin(2 * .pi * 440 * Double(frame) / 16_000))
/// }
/// ```
///
/// Apple's class raises an exception if `frameLength` is set to more than the capacity; here it becomes the capacity.
open class AVAudioPCMBuffer: AVAudioBuffer {
  /// How many frames the buffer has room for.
  open var frameCapacity: AVAudioFrameCount { capacity }
  /// The capacity from `init`. A subclass may override `frameCapacity`.
  let capacity: AVAudioFrameCount
  /// How many frames can be read: `frameLength`, but never more than the capacity, even if a subclass overrides it.
  var filled: Int { Int(min(frameLength, capacity)) }
  private var length: AVAudioFrameCount = 0
  /// The address of the first sample of each channel, for any sample type.
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// Creates a zeroed buffer with room for `frameCapacity` frames of `format`. Its `frameLength` is 0.
  ///
  /// Returns nil if the format is none of the four common formats, if a buffer would take 4 GiB or more, or if there is
  /// not enough memory.
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

  /// How many frames hold audio; never more than the capacity. Setting it also sets `mDataByteSize` of the buffers.
  open var frameLength: AVAudioFrameCount {
    get { length }
    set {
      length = min(newValue, capacity)
      let bytes = length * basis.basicDescription.mBytesPerFrame
      for index in memory.indices { memory[index].mDataByteSize = bytes }
    }
  }

  /// The distance from one sample of a channel to the next: the number of channels if interleaved, else 1.
  open var stride: Int {
    basis.basicDescription.isInterleaved ? Int(basis.basicDescription.mChannelsPerFrame) : 1
  }

  /// The samples of each channel, `stride` apart; nil unless the format is 32-bit floating point.
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    samples(of: .pcmFormatFloat32)
  }

  /// The samples of each channel, `stride` apart; nil unless the format is 16-bit integers.
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { samples(of: .pcmFormatInt16) }

  /// The samples of each channel, `stride` apart; nil unless the format is 32-bit integers.
  open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { samples(of: .pcmFormatInt32) }

  private func samples<Sample>(
    of format: AVAudioCommonFormat
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard basis.basicDescription.commonFormat == format else { return nil }
    return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
  }

  /// Copies the buffer and its audio. Without memory for the copy, returns an empty buffer.
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

  /// The address of frame `offset` in each buffer, as FFmpeg takes it.
  func planes(from offset: Int = 0) -> [UnsafeMutablePointer<UInt8>?] {
    let bytes = offset * Int(basis.basicDescription.mBytesPerFrame)
    return memory.map { buffer in
      buffer.mData.map { ($0 + bytes).assumingMemoryBound(to: UInt8.self) }
    }
  }
}
