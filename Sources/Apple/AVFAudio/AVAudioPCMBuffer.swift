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
    guard bytes <= UInt32.max, let memory = Self.allocate(for: description, byteCapacity: bytes) else {
      return nil
    }
    channels = Self.channels(of: memory, description)
    capacity = frameCapacity
    super.init(format: format, memory: memory, byteCapacity: bytes)
  }

  /// Creates a buffer over samples that are somewhere else, and calls `deallocator` with `bufferList` when they are no longer
  /// used. The capacity is what `mDataByteSize` of the buffers says, and so is the length.
  ///
  /// Returns nil, without calling `deallocator`, if the format is none of the four common formats, or if the list does not
  /// have its buffers.
  public init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    let description = format.basicDescription
    let given = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    let count = description.isInterleaved ? 1 : Int(description.mChannelsPerFrame)
    guard description.commonFormat != .otherFormat, description.isSane, given.count == count,
      given.allSatisfy({ $0.mData != nil })
    else { return nil }
    let frames = (given.map(\.mDataByteSize).min() ?? 0) / description.mBytesPerFrame
    let memory = AudioBufferList.allocate(maximumBuffers: count)
    for index in memory.indices { memory[index] = given[index] }
    channels = Self.channels(of: memory, description)
    capacity = frames
    super.init(
      format: format, memory: memory, byteCapacity: Int(frames * description.mBytesPerFrame),
      release: { _ in deallocator?(bufferList) })
    frameLength = frames
  }

  /// Creates a buffer with the format, the capacity and the audio of another one. Without memory for the audio it is empty.
  public init(copying buffer: AVAudioPCMBuffer) {
    let description = buffer.basis.basicDescription
    var room = buffer.capacity
    var bytes: Int { Int(room * description.mBytesPerFrame) }
    var memory = Self.allocate(for: description, byteCapacity: bytes)
    if memory == nil {
      room = 0
      memory = Self.allocate(for: description, byteCapacity: 0)
    }
    guard let memory else { fatalError("there is no memory for an empty buffer") }
    channels = Self.channels(of: memory, description)
    capacity = room
    super.init(format: buffer.basis, memory: memory, byteCapacity: bytes)
    let frames = min(AVAudioFrameCount(buffer.filled), room)
    for (from, to) in zip(buffer.memory, memory) {
      guard let from = from.mData, let to = to.mData else { continue }
      memcpy(to, from, Int(frames * description.mBytesPerFrame))
    }
    frameLength = frames
  }

  private static func allocate(
    for description: AudioStreamBasicDescription, byteCapacity: Int
  ) -> UnsafeMutableAudioBufferListPointer? {
    let count = description.mChannelsPerFrame
    return description.isInterleaved
      ? allocate(1, channelsPerBuffer: count, byteCapacity: byteCapacity)
      : allocate(Int(count), channelsPerBuffer: 1, byteCapacity: byteCapacity)
  }

  /// The address of the first sample of each channel.
  private static func channels(
    of memory: UnsafeMutableAudioBufferListPointer, _ description: AudioStreamBasicDescription
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    let count = Int(description.mChannelsPerFrame)
    let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
    for channel in 0..<count {
      let start = memory[description.isInterleaved ? 0 : channel].mData
      guard let start else { fatalError("a buffer has no memory") }
      let offset = description.isInterleaved ? channel * Int(description.mBitsPerChannel / 8) : 0
      (channels + channel).initialize(to: start + offset)
    }
    return channels
  }

  deinit { channels.deallocate() }

  /// How many frames hold audio; never more than the capacity. Setting it also sets `mDataByteSize` of
  /// `audioBufferList`.
  open var frameLength: AVAudioFrameCount {
    get { length }
    set {
      length = min(newValue, capacity)
      let bytes = length * basis.basicDescription.mBytesPerFrame
      for index in memory.indices { memory[index].mDataByteSize = bytes }
    }
  }

  /// The distance from one sample of a channel to the next: the number of channels if interleaved, else 1.
  open var stride: Int { sampleStride }
  /// The stride of the memory. A subclass may override `stride`.
  var sampleStride: Int {
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

  /// The first sample of a channel.
  func start(ofChannel index: Int) -> UnsafeMutableRawPointer {
    precondition(
      index >= 0 && index < Int(basis.basicDescription.mChannelsPerFrame), "there is no channel \(index)")
    return channels[index]
  }

  private func samples<Sample>(
    of format: AVAudioCommonFormat
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard basis.basicDescription.commonFormat == format else { return nil }
    return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
  }

  /// Copies the buffer and its audio. Without memory for the copy, returns an empty buffer.
  open override func copy(with zone: NSZone? = nil) -> Any { AVAudioPCMBuffer(copying: self) }

  /// The address of frame `offset` in each buffer, as FFmpeg takes it.
  func planes(from offset: Int = 0) -> [UnsafeMutablePointer<UInt8>?] {
    let bytes = offset * Int(basis.basicDescription.mBytesPerFrame)
    return memory.map { buffer in
      buffer.mData.map { ($0 + bytes).assumingMemoryBound(to: UInt8.self) }
    }
  }
}
