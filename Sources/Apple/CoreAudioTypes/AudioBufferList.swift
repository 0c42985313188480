/// One buffer of samples: of one channel, or of several that are interleaved.
public struct AudioBuffer {
  /// The number of interleaved channels in this buffer.
  public var mNumberChannels: UInt32
  /// How many bytes of `mData` hold samples.
  public var mDataByteSize: UInt32
  /// The samples.
  public var mData: UnsafeMutableRawPointer?

  /// Creates a buffer over memory that the caller owns.
  public init(mNumberChannels: UInt32 = 0, mDataByteSize: UInt32 = 0, mData: UnsafeMutableRawPointer? = nil) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }
}

/// The beginning of a list of buffers of any length: `mBuffers` is the first, and the others follow it in memory.
public struct AudioBufferList {
  /// The number of buffers in the list.
  public var mNumberBuffers: UInt32
  /// The first buffer.
  public var mBuffers: AudioBuffer

  /// Creates the beginning of a list.
  public init(mNumberBuffers: UInt32 = 0, mBuffers: AudioBuffer = AudioBuffer()) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }
}

/// A list of buffers as a collection. It does not own its memory.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
  /// The address of the list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// Creates a view of the list at `pointer`, which must stay allocated while the view is used.
  public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = pointer }

  /// The number of buffers in the list.
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }
  /// Always 0.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }

  fileprivate var first: UnsafeMutablePointer<AudioBuffer> {
    let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 0
    return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
  }

  /// The buffer at `index`.
  public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(indices.contains(index), "the list has no buffer with this index")
      return first[index]
    }
    nonmutating set {
      precondition(indices.contains(index), "the list has no buffer with this index")
      first[index] = newValue
    }
  }
}

extension AudioBufferList {
  /// The size in bytes of a list of `maximumBuffers` buffers.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Allocates a list of `maximumBuffers` empty buffers. The caller must free it.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: sizeInBytes(maximumBuffers: maximumBuffers),
      alignment: MemoryLayout<AudioBufferList>.alignment)
    let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
    list.unsafeMutablePointer.initialize(to: AudioBufferList(mNumberBuffers: UInt32(maximumBuffers)))
    for index in 0..<maximumBuffers { list.first.advanced(by: index).initialize(to: AudioBuffer()) }
    return list
  }
}
