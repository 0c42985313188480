import Foundation

extension CMSampleBuffer {
  /// How memory is aligned. Linux always aligns it to 16 bytes.
  public struct Flags: OptionSet, Sendable {
    /// The bits of all flags.
    public let rawValue: UInt32

    /// Creates the flags whose bits are set in `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Align the data to 16 bytes.
    public static let audioBufferListAssure16ByteAlignment = Flags(rawValue: 1 << 0)
  }

  /// Calls `body` with the data as a list of buffers, and with the block buffer that holds it.
  ///
  /// There is one buffer, or one for each channel if the channels are not interleaved. They are the data itself, not a
  /// copy. The list and the buffers are valid only during the call.
  public func withAudioBufferList<R>(
    blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = [],
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
  ) throws -> R {
    guard isValid else { throw Error.invalidated }
    guard let dataBuffer, let formatDescription else { throw Error.requiredParameterMissing }
    let layout = try BufferLayout(of: formatDescription.stream.pointee, numSamples: numSamples)
    return try dataBuffer.withUnsafeMutableBytes { bytes in
      let length = layout.bytesPerBuffer ?? bytes.count
      // Each buffer has at least one byte, which also limits the length of the list.
      guard layout.bufferCount <= bytes.count,
        !length.multipliedReportingOverflow(by: layout.bufferCount).overflow,
        length * layout.bufferCount <= bytes.count, let size = UInt32(exactly: length)
      else { throw Error.invalidSampleData }
      let list = AudioBufferList.allocate(maximumBuffers: layout.bufferCount)
      defer { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }
      for index in 0..<layout.bufferCount {
        list[index] = AudioBuffer(
          mNumberChannels: layout.channelsPerBuffer, mDataByteSize: size,
          mData: bytes.baseAddress.map { $0 + index * length })
      }
      return try body(list, dataBuffer)
    }
  }

  /// Copies uncompressed samples to the buffers of `bufferList`, which have the same channels and room for the samples.
  /// - Throws: `Error.sampleIndexOutOfRange` if the samples do not exist or have no room, and another `Error` if the formats
  ///   differ or there is no data.
  public func copyPCMData(
    fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>
  ) throws {
    guard let stream = formatDescription?.stream.pointee, stream.mFormatID == kAudioFormatLinearPCM else {
      throw Error.invalidMediaFormat
    }
    guard range.lowerBound >= 0, range.upperBound <= numSamples else { throw Error.sampleIndexOutOfRange }
    let target = UnsafeMutableAudioBufferListPointer(bufferList)
    let frame = Int(stream.mBytesPerFrame)
    try withAudioBufferList { source, _ in
      guard source.map(\.mNumberChannels) == target.map(\.mNumberChannels) else {
        throw Error.invalidSampleData
      }
      for (samples, buffer) in zip(source, target) {
        guard let from = samples.mData, let to = buffer.mData,
          range.count * frame <= Int(buffer.mDataByteSize)
        else { throw Error.sampleIndexOutOfRange }
        to.copyMemory(from: from + range.lowerBound * frame, byteCount: range.count * frame)
      }
    }
  }

  /// Copies the samples in `bufferList` to this buffer, which must have no data yet.
  ///
  /// The buffers may be longer than the samples, but must not be shorter.
  public func setDataBuffer(
    fromAudioBufferList bufferList: UnsafePointer<AudioBufferList>,
    blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
  ) throws {
    guard let formatDescription else { throw Error.requiredParameterMissing }
    let layout = try BufferLayout(of: formatDescription.stream.pointee, numSamples: numSamples)
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    guard list.count == layout.bufferCount else { throw Error.invalidSampleData }
    let parts = try list.map { buffer in
      let length = layout.bytesPerBuffer ?? Int(buffer.mDataByteSize)
      guard let start = buffer.mData, length <= buffer.mDataByteSize else { throw Error.invalidSampleData }
      return UnsafeRawBufferPointer(start: start, count: length)
    }
    let block = try CMBlockBuffer(length: parts.reduce(0) { $0 + $1.count })
    var offset = 0
    for part in parts where !part.isEmpty {
      try block.withUnsafeMutableBytes(atOffset: offset) { $0.copyMemory(from: part) }
      offset += part.count
    }
    try fill(with: block)
  }
}

/// Align the data to 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0

/// Writes the data of `sbuf` as a list of buffers to `bufferListOut`, and the block buffer that holds it to `blockBufferOut`.
///
/// The buffers are the data itself, not a copy; they are valid as long as the block buffer.
/// - Parameters:
///   - sbuf: the sample buffer.
///   - bufferListSizeNeededOut: receives the size of the list in bytes.
///   - bufferListOut: nil to learn the size only.
///   - bufferListSize: the bytes at `bufferListOut`.
///   - blockBufferAllocator: not used.
///   - blockBufferMemoryAllocator: not used.
///   - flags: not used; the data is always aligned.
///   - blockBufferOut: receives the block buffer; nil if it is not needed.
/// - Returns: 0, or the code of a `CMSampleBuffer.Error`.
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  do {
    try sbuf.withAudioBufferList { list, block in
      let size = AudioBufferList.sizeInBytes(maximumBuffers: list.count)
      bufferListSizeNeededOut?.pointee = size
      if let bufferListOut {
        guard bufferListSize >= size else { throw CMSampleBuffer.Error.arrayTooSmall }
        UnsafeMutableRawPointer(bufferListOut).copyMemory(from: list.unsafeMutablePointer, byteCount: size)
      }
      blockBufferOut?.pointee = block
    }
    return noErr
  } catch {
    return (error as NSError).status
  }
}

/// Copies uncompressed samples of `sbuf`, from the frame `frameOffset` on, to the buffers of `bufferList`, which have the same
/// channels and room for the samples.
/// - Returns: 0, or the code of a `CMSampleBuffer.Error`.
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  guard numFrames >= 0 else { return CMSampleBuffer.Error.sampleIndexOutOfRange.status }
  let start = Int(frameOffset)
  do {
    try sbuf.copyPCMData(fromRange: start..<start + Int(numFrames), into: bufferList)
    return noErr
  } catch {
    return (error as NSError).status
  }
}

/// The layout of the data of a format in a list of buffers.
private struct BufferLayout {
  let bufferCount: Int
  let channelsPerBuffer: UInt32
  /// Nil for compressed data, whose length the format does not define.
  let bytesPerBuffer: Int?

  init(of stream: AudioStreamBasicDescription, numSamples: Int) throws {
    let isPlanar = stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    guard stream.mFormatID == kAudioFormatLinearPCM else {
      (bufferCount, channelsPerBuffer, bytesPerBuffer) = (1, stream.mChannelsPerFrame, nil)
      return
    }
    let length = numSamples.multipliedReportingOverflow(by: Int(stream.mBytesPerFrame))
    guard stream.mChannelsPerFrame > 0, stream.mBytesPerFrame > 0, !length.overflow else {
      throw CMSampleBuffer.Error.invalidMediaFormat
    }
    bufferCount = isPlanar ? Int(stream.mChannelsPerFrame) : 1
    channelsPerBuffer = isPlanar ? 1 : stream.mChannelsPerFrame
    bytesPerBuffer = length.partialValue
  }
}
