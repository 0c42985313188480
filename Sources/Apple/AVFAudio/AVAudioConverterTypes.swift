/// How a resampler treats the frames before the first and behind the last; see `AVAudioConverter.primeMethod`.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// Frames before the first and behind the last come from the input.
  case pre = 0
  /// Frames behind the last come from the input; before the first stands silence. The default.
  case normal = 1
  /// Silence stands before the first and behind the last.
  case none = 2
}

/// What an input block tells about the buffer that it returns.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// A buffer with sound is returned.
  case haveData = 0
  /// Nothing is there now; nil is returned. More may come in a later call.
  case noDataNow = 1
  /// Nothing will come any more; nil is returned.
  case endOfStream = 2
}

/// What a conversion achieved.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The output buffer holds sound: it is full, or it holds the last of the stream.
  case haveData = 0
  /// The input block had no more for now; the output buffer holds what could be made, perhaps nothing.
  case inputRanDry = 1
  /// The stream has ended; the output buffer is empty.
  case endOfStream = 2
  /// It failed; the error tells why.
  case error = 3
}

/// Frames that a converter wants at its ends; see `AVAudioConverter.primeInfo`.
public struct AVAudioConverterPrimeInfo: Sendable {
  /// Frames before the first.
  public var leadingFrames: AVAudioFrameCount
  /// Frames behind the last.
  public var trailingFrames: AVAudioFrameCount

  /// Each field by its name.
  public init(leadingFrames: AVAudioFrameCount = 0, trailingFrames: AVAudioFrameCount = 0) {
    self.leadingFrames = leadingFrames
    self.trailingFrames = trailingFrames
  }
}

/// Gives a converter its input: at most the number of packets asked for is needed, but any number is taken.
///
/// Sets the status to `.haveData` and returns a buffer, or to `.noDataNow` or `.endOfStream` and returns nil. The
/// buffer must stay as it is until the block is called again.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// How hard a resampler tries.
public enum AVAudioQuality: Int, Sendable {
  /// The least work.
  case min = 0
  /// Little work.
  case low = 32
  /// The default.
  case medium = 64
  /// Much work.
  case high = 96
  /// The most.
  case max = 127
}
