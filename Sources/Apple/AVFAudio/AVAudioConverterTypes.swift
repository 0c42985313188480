/// Which frames a resampler assumes before the first frame and after the last; see `AVAudioConverter.primeMethod`.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// Frames before the first and after the last come from the input.
  case pre = 0
  /// Frames after the last come from the input; before the first there is silence. The default.
  case normal = 1
  /// There is silence before the first frame and after the last.
  case none = 2
}

/// What an input block returns: a buffer, or the reason why there is none.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// The block returns a buffer with audio.
  case haveData = 0
  /// The block has no input for now and returns nil. A later call may return more.
  case noDataNow = 1
  /// The stream has ended; the block returns nil.
  case endOfStream = 2
}

/// The result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The output buffer holds audio: it is full, or it holds the last frames of the stream.
  case haveData = 0
  /// The input block has no input for now. The output buffer holds the frames so far and may be empty.
  case inputRanDry = 1
  /// The stream has ended; the output buffer is empty.
  case endOfStream = 2
  /// The conversion failed; see the error.
  case error = 3
}

/// How many frames a converter wants at both ends; see `AVAudioConverter.primeInfo`.
public struct AVAudioConverterPrimeInfo: Sendable {
  /// The number of frames before the first.
  public var leadingFrames: AVAudioFrameCount
  /// The number of frames after the last.
  public var trailingFrames: AVAudioFrameCount

  /// Creates the two numbers.
  public init(leadingFrames: AVAudioFrameCount = 0, trailingFrames: AVAudioFrameCount = 0) {
    self.leadingFrames = leadingFrames
    self.trailingFrames = trailingFrames
  }
}

/// Returns the next input of a converter. The first argument is how many packets are needed; a buffer of any other size
/// is accepted too.
///
/// The block sets the status to `.haveData` and returns a buffer, or sets it to `.noDataNow` or `.endOfStream` and
/// returns nil. It must not change the buffer until it is called again.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// The quality of resampling.
public enum AVAudioQuality: Int, Sendable {
  /// The lowest quality.
  case min = 0
  /// Low quality.
  case low = 32
  /// Medium quality, the default.
  case medium = 64
  /// High quality.
  case high = 96
  /// The highest quality.
  case max = 127
}
