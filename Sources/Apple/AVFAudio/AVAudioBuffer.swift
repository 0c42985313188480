import CoreAudioTypes
import Foundation

/// A buffer of audio and its format: the base class of `AVAudioPCMBuffer`. Not `Sendable`, as on Apple platforms.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  /// The format and the memory from `init`. A subclass may override `format`; memory accesses never depend on that.
  let basis: AVAudioFormat
  let memory: UnsafeMutableAudioBufferListPointer
  /// How many bytes each buffer can hold.
  let byteCapacity: Int

  /// The format of the audio.
  open var format: AVAudioFormat { basis }
  /// The buffers: one for each channel, or one for all channels. `mDataByteSize` counts the bytes that hold audio.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { memory.unsafeMutablePointer }
  /// The same buffers, for reading.
  open var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(mutableAudioBufferList) }

  /// Allocates `bufferCount` zeroed buffers of `byteCapacity` bytes each; nil if there is not enough memory.
  init?(format: AVAudioFormat, bufferCount: Int, channelsPerBuffer: UInt32, byteCapacity: Int) {
    memory = AudioBufferList.allocate(maximumBuffers: bufferCount)
    basis = format
    self.byteCapacity = byteCapacity
    super.init()
    for index in memory.indices {
      // calloc does not touch the pages of a large buffer until they are used.
      guard let bytes = calloc(1, max(byteCapacity, 16)) else { return nil }
      memory[index] = AudioBuffer(mNumberChannels: channelsPerBuffer, mDataByteSize: 0, mData: bytes)
    }
  }

  deinit {
    for buffer in memory { free(buffer.mData) }
    UnsafeMutableRawPointer(memory.unsafeMutablePointer).deallocate()
  }

  /// A deep copy.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A deep copy.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
