import AudioDecoding
import CFFmpeg

extension SampleLayout {
  /// The layout of `format`; nil if it is compressed or out of FFmpeg's range.
  init?(_ format: AVAudioFormat) {
    let format = format.basicDescription
    guard format.mChannelsPerFrame <= DecodedStream.maximumChannels,
      let rate = Int32(exactly: format.mSampleRate.rounded()), (1...DecodedStream.maximumRate).contains(rate),
      let type = AVSampleFormat(format.commonFormat, interleaved: format.isInterleaved)
    else { return nil }
    self.init(rate: rate, channels: Int32(format.mChannelsPerFrame), type: type)
  }
}

extension AVSampleFormat {
  /// FFmpeg's name of a sample type; nil for `.otherFormat`.
  init?(_ format: AVAudioCommonFormat, interleaved: Bool) {
    switch format {
    case .pcmFormatFloat32: self = interleaved ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP
    case .pcmFormatFloat64: self = interleaved ? AV_SAMPLE_FMT_DBL : AV_SAMPLE_FMT_DBLP
    case .pcmFormatInt16: self = interleaved ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S16P
    case .pcmFormatInt32: self = interleaved ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S32P
    case .otherFormat: return nil
    }
  }
}
