import CoreAudioTypes
import Foundation

/// A buffer of audio and its format: the base class of `AVAudioPCMBuffer`. Not `Sendable`, as on Apple platforms.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  /// The format and the memory from `init`. A subclass may override `format`; memory accesses never depend on that.
  let basis: AVAudioFormat
  let memory: UnsafeMutableAudioBufferListPointer
  /// The same buffers with their whole capacity, for `mutableAudioBufferList`.
  private let room: UnsafeMutableAudioBufferListPointer
  /// How many bytes each buffer can hold.
  let byteCapacity: Int
  private let release: (UnsafeMutableAudioBufferListPointer) -> Void

  /// The format of the audio.
  open var format: AVAudioFormat { basis }
  /// The buffers, for writing: one for each channel, or one for all channels. `mDataByteSize` counts the bytes that a buffer
  /// has room for.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
    // A program may have reduced the sizes to what it wrote.
    for index in room.indices { room[index].mDataByteSize = UInt32(byteCapacity) }
    return room.unsafeMutablePointer
  }
  /// The same buffers, for reading. `mDataByteSize` counts the bytes that hold audio.
  open var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(memory.unsafeMutablePointer) }

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
    room = AudioBufferList.allocate(maximumBuffers: memory.count)
    for index in memory.indices { room[index] = memory[index] }
    super.init()
  }

  deinit {
    release(memory)
    UnsafeMutableRawPointer(memory.unsafeMutablePointer).deallocate()
    UnsafeMutableRawPointer(room.unsafeMutablePointer).deallocate()
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
