import CoreAudioTypes
import Foundation

/// A buffer of sound with its format: the base of `AVAudioPCMBuffer`. Not `Sendable`, as on Apple platforms.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  /// The format and the memory that this was made with, whatever a subclass says of itself.
  let basis: AVAudioFormat
  let memory: UnsafeMutableAudioBufferListPointer
  /// Bytes that each buffer can hold.
  let byteCapacity: Int

  /// The format of the sound.
  open var format: AVAudioFormat { basis }
  /// The buffers, one for each channel or one for all; `mDataByteSize` counts the bytes that hold sound.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { memory.unsafeMutablePointer }
  /// The same buffers, to be read.
  open var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(mutableAudioBufferList) }

  /// Allocates `bufferCount` zeroed buffers of `byteCapacity` bytes; nil if there is no such memory.
  init?(format: AVAudioFormat, bufferCount: Int, channelsPerBuffer: UInt32, byteCapacity: Int) {
    memory = .allocate(maximumBuffers: bufferCount)
    basis = format
    self.byteCapacity = byteCapacity
    super.init()
    for index in memory.indices {
      // calloc touches no page of a large buffer before it is used.
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
