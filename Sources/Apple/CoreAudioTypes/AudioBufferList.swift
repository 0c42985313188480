/// One buffer of samples: of one channel, or of several that are interleaved.
public struct AudioBuffer {
  /// Interleaved channels in this buffer.
  public var mNumberChannels: UInt32
  /// Bytes of `mData` that hold samples.
  public var mDataByteSize: UInt32
  /// The samples.
  public var mData: UnsafeMutableRawPointer?

  /// Each field by its name.
  public init(mNumberChannels: UInt32 = 0, mDataByteSize: UInt32 = 0, mData: UnsafeMutableRawPointer? = nil) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }
}

/// The head of a variable-length list of buffers: `mBuffers` is the first, the rest follow it in memory.
public struct AudioBufferList {
  /// How many buffers the list has.
  public var mNumberBuffers: UInt32
  /// The first of them.
  public var mBuffers: AudioBuffer

  /// Each field by its name.
  public init(mNumberBuffers: UInt32 = 0, mBuffers: AudioBuffer = AudioBuffer()) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }
}

/// A list of buffers as a collection, over memory that somebody else owns.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
  /// The head of the list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// A view of the list at `pointer`, which must stay allocated while the view is used.
  public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = pointer }

  /// How many buffers the list has.
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }
  /// Always 0.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }

  private var first: UnsafeMutablePointer<AudioBuffer> {
    let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 0
    return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
  }

  /// The buffer at `index`.
  public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(indices.contains(index), "no such buffer")
      return first[index]
    }
    nonmutating set {
      precondition(indices.contains(index), "no such buffer")
      first[index] = newValue
    }
  }

  /// The bytes that a list of `maximumBuffers` takes.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// An uninitialised list of `maximumBuffers` empty buffers; the caller frees it.
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
