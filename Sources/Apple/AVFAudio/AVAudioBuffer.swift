import CoreAudioTypes
import Foundation

/// A buffer of sound with its format: the base of `AVAudioPCMBuffer`. Not `Sendable`, as on Apple platforms.
public class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  /// The format of the sound.
  public let format: AVAudioFormat
  /// The buffers, one for each channel or one for all; `mDataByteSize` counts the bytes that hold sound.
  public let mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList>
  /// Bytes that each buffer can hold.
  let byteCapacity: Int

  /// The same buffers, to be read.
  public var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(mutableAudioBufferList) }

  /// Allocates `bufferCount` zeroed buffers of `byteCapacity` bytes; nil if there is no such memory.
  init?(format: AVAudioFormat, bufferCount: Int, channelsPerBuffer: UInt32, byteCapacity: Int) {
    let list = UnsafeMutableAudioBufferListPointer.allocate(maximumBuffers: bufferCount)
    self.format = format
    self.byteCapacity = byteCapacity
    mutableAudioBufferList = list.unsafeMutablePointer
    super.init()
    for index in list.indices {
      // calloc touches no page of a large buffer before it is used.
      guard let memory = calloc(1, max(byteCapacity, 16)) else { return nil }
      list[index] = AudioBuffer(mNumberChannels: channelsPerBuffer, mDataByteSize: 0, mData: memory)
    }
  }

  deinit {
    for buffer in UnsafeMutableAudioBufferListPointer(mutableAudioBufferList) { free(buffer.mData) }
    UnsafeMutableRawPointer(mutableAudioBufferList).deallocate()
  }

  /// A deep copy.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// A deep copy.
  public func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
