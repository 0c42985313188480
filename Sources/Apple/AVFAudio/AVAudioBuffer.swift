import CoreAudioTypes
import Foundation

/// A buffer of audio and its format: the base class of `AVAudioPCMBuffer`. Not `Sendable`, as on Apple platforms.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  /// The format and the memory from `init`. A subclass may override `format`; memory accesses never depend on that.
  let basis: AVAudioFormat
  let memory: UnsafeMutableAudioBufferListPointer
  /// How many bytes each buffer can hold.
  let byteCapacity: Int
  private let release: (UnsafeMutableAudioBufferListPointer) -> Void

  /// The format of the audio.
  open var format: AVAudioFormat { basis }
  /// The buffers: one for each channel, or one for all channels. `mDataByteSize` counts the bytes that hold audio.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { memory.unsafeMutablePointer }
  /// The same buffers, for reading.
  open var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(mutableAudioBufferList) }

  /// Takes over a list of buffers with room for `byteCapacity` bytes each.
  /// - Parameter release: frees what the buffers point to.
  init(
    format: AVAudioFormat, memory: UnsafeMutableAudioBufferListPointer, byteCapacity: Int,
    release: @escaping (UnsafeMutableAudioBufferListPointer) -> Void = AVAudioBuffer.free
  ) {
    basis = format
    self.memory = memory
    self.byteCapacity = byteCapacity
    self.release = release
    super.init()
  }

  deinit {
    release(memory)
    UnsafeMutableRawPointer(memory.unsafeMutablePointer).deallocate()
  }

  /// Allocates `count` zeroed buffers of `byteCapacity` bytes each; nil if there is not enough memory.
  static func allocate(
    _ count: Int, channelsPerBuffer: UInt32, byteCapacity: Int
  ) -> UnsafeMutableAudioBufferListPointer? {
    let memory = AudioBufferList.allocate(maximumBuffers: count)
    for index in memory.indices {
      memory[index] = AudioBuffer(
        // calloc does not touch the pages of a large buffer until they are used.
        mNumberChannels: channelsPerBuffer, mDataByteSize: 0, mData: calloc(1, max(byteCapacity, 16)))
    }
    if memory.allSatisfy({ $0.mData != nil }) { return memory }
    free(memory)
    UnsafeMutableRawPointer(memory.unsafeMutablePointer).deallocate()
    return nil
  }

  static func free(_ memory: UnsafeMutableAudioBufferListPointer) {
    for buffer in memory { Foundation.free(buffer.mData) }
  }

  /// A deep copy.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A deep copy.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
