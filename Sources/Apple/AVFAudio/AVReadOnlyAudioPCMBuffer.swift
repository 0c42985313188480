import AudioDecoding
import CoreAudioTypes

/// Uncompressed audio in memory that never changes, and that any task may read.
///
/// ```swift
/// import AVFAudio
///
/// let engine = AVAudioEngine()
/// let (buffers, continuation) = AsyncStream<AVReadOnlyAudioPCMBuffer>.makeStream()
/// try engine.inputNode.installAudioTap(onBus: 0, bufferSize: 4800, format: nil) { buffer, _ in
///   continuation.yield(buffer)
/// }
/// try engine.start()
/// for await buffer in buffers { print(buffer.frameLength, "frames") }
/// ```
///
/// `@unchecked Sendable`: nothing writes to `storage`.
public struct AVReadOnlyAudioPCMBuffer: @unchecked Sendable {
  let storage: AVAudioPCMBuffer

  /// Creates a buffer with a copy of the audio.
  public init(copying buffer: AVAudioPCMBuffer) { storage = AVAudioPCMBuffer(copying: buffer) }

  /// Creates a buffer over the same memory. Nothing may write to `buffer` any more.
  public init(unsafeRetaining buffer: sending AVAudioPCMBuffer) { storage = buffer }

  /// Creates a buffer whose audio a closure writes.
  /// - Parameters:
  ///   - format: one of the four common formats.
  ///   - frameCapacity: how many frames there is room for.
  ///   - initializingWith: gets zeroed buffers that are full. On Linux it may reduce `mDataByteSize` of each to what it has
  ///     written, and the length follows from that.
  /// - Throws: an error if the format is none of the four or if there is not enough memory; what the closure throws.
  public init(
    format: AVAudioFormat, frameCapacity: Int,
    initializingWith: (UnsafeMutablePointer<AudioBufferList>) throws -> Void
  ) throws {
    guard let capacity = AVAudioFrameCount(exactly: frameCapacity),
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity)
    else {
      throw AudioError.make(
        .noMemory, "there can be no buffer of \(frameCapacity) frames in the format \(format)")
    }
    let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    try initializingWith(list.unsafeMutablePointer)
    let bytes = list.map(\.mDataByteSize).min() ?? 0
    buffer.frameLength = bytes / format.basicDescription.mBytesPerFrame
    storage = buffer
  }

  /// The format of the audio.
  public var format: AVAudioFormat { storage.basis }
  /// How many frames the buffer has room for.
  public var frameCapacity: Int { Int(storage.capacity) }
  /// How many frames hold audio.
  public var frameLength: Int { storage.filled }
  /// The distance from one sample of a channel to the next: the number of channels if interleaved, else 1.
  public var stride: Int { storage.sampleStride }

  /// The samples of a channel, up to `frameLength`. The format must not be 64-bit floating point.
  @_lifetime(borrow self)
  public func channelData(_ index: Int) -> ChannelData {
    _overrideLifetime(storage.channelData(index, frames: storage.filled), borrowing: self)
  }

  /// Calls a closure with the buffers, which it must not change.
  public func withUnsafeAudioBufferList<R>(
    _ body: (UnsafePointer<AudioBufferList>) throws -> R
  ) rethrows -> R {
    try storage.withUnsafeAudioBufferList(body)
  }

  /// The samples of a channel: in an interleaved format all samples of the buffer from the first one of the channel on, else
  /// those of the channel alone.
  public enum ChannelData: ~Escapable {
    /// 32-bit floating point.
    case float(Span<Float>)
    /// 16-bit integers.
    case int16(Span<Int16>)
    /// 32-bit integers.
    case int32(Span<Int32>)
  }
}

extension AVAudioPCMBuffer {
  /// The samples of a channel, for reading.
  public typealias ChannelData = AVReadOnlyAudioPCMBuffer.ChannelData

  /// The samples of a channel, for writing; see `ChannelData`.
  public enum MutableChannelData: ~Copyable, ~Escapable {
    /// 32-bit floating point.
    case float(MutableSpan<Float>)
    /// 16-bit integers.
    case int16(MutableSpan<Int16>)
    /// 32-bit integers.
    case int32(MutableSpan<Int32>)
  }

  /// Creates a buffer with a copy of the audio.
  public convenience init(copying buffer: AVReadOnlyAudioPCMBuffer) { self.init(copying: buffer.storage) }

  /// The samples of a channel, up to `frameLength`. The format must not be 64-bit floating point.
  @_lifetime(borrow self)
  public func channelData(_ index: Int) -> ChannelData {
    _overrideLifetime(channelData(index, frames: filled), borrowing: self)
  }

  /// The samples of a channel, up to `frameCapacity`. The format must not be 64-bit floating point. Two overlapping views
  /// must not be written to at once.
  @_lifetime(borrow self)
  public func mutableChannelData(_ index: Int) -> MutableChannelData {
    let (start, count) = samples(ofChannel: index, frames: Int(capacity))
    let data: MutableChannelData =
      switch basis.basicDescription.commonFormat {
      case .pcmFormatFloat32:
        .float(MutableSpan(_unsafeStart: start.assumingMemoryBound(to: Float.self), count: count))
      case .pcmFormatInt16:
        .int16(MutableSpan(_unsafeStart: start.assumingMemoryBound(to: Int16.self), count: count))
      case .pcmFormatInt32:
        .int32(MutableSpan(_unsafeStart: start.assumingMemoryBound(to: Int32.self), count: count))
      default: preconditionFailure("samples of the format \(basis) have no view")
      }
    return _overrideLifetime(data, borrowing: self)
  }

  /// Calls a closure with the buffers, for reading.
  public func withUnsafeAudioBufferList<R>(
    _ body: (UnsafePointer<AudioBufferList>) throws -> R
  ) rethrows -> R {
    try body(UnsafePointer(memory.unsafeMutablePointer))
  }

  @_lifetime(borrow self)
  func channelData(_ index: Int, frames: Int) -> ChannelData {
    let (start, count) = samples(ofChannel: index, frames: frames)
    let data: ChannelData =
      switch basis.basicDescription.commonFormat {
      case .pcmFormatFloat32:
        .float(Span(_unsafeStart: start.assumingMemoryBound(to: Float.self), count: count))
      case .pcmFormatInt16:
        .int16(Span(_unsafeStart: start.assumingMemoryBound(to: Int16.self), count: count))
      case .pcmFormatInt32:
        .int32(Span(_unsafeStart: start.assumingMemoryBound(to: Int32.self), count: count))
      default: preconditionFailure("samples of the format \(basis) have no view")
      }
    return _overrideLifetime(data, borrowing: self)
  }

  /// Where a channel's samples start, and how many there are to the end of its memory.
  private func samples(ofChannel index: Int, frames: Int) -> (UnsafeMutableRawPointer, Int) {
    (start(ofChannel: index), frames == 0 ? 0 : frames * sampleStride - (sampleStride > 1 ? index : 0))
  }
}

extension AVAudioFile {
  /// Reads the next frames, at most `frameCount` of them; none at the end.
  /// - Throws: what `read(into:)` throws.
  public func read(frameCount: AVAudioFrameCount) throws -> AVReadOnlyAudioPCMBuffer {
    guard let buffer = AVAudioPCMBuffer(pcmFormat: processingFormat, frameCapacity: frameCount) else {
      throw AudioError.make(.noMemory, "there is not enough memory for \(frameCount) frames of \(url.path)")
    }
    try read(into: buffer, frameCount: frameCount)
    return AVReadOnlyAudioPCMBuffer(unsafeRetaining: buffer)
  }

  /// Appends the frames of `buffer`, which must have the `processingFormat`.
  /// - Throws: what `write(from:)` throws for a buffer that can be written to.
  public func write(from buffer: AVReadOnlyAudioPCMBuffer) throws { try write(from: buffer.storage) }
}
