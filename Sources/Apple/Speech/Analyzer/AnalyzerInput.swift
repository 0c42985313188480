import AVFAudio
import CoreMedia

/// A buffer of audio for a `SpeechAnalyzer`.
///
/// The audio is a copy of that of the buffer, which may be used again.
public struct AnalyzerInput: Sendable {
  /// The start of the audio on the analyzer's timeline. Nil: it follows the input before, or starts at 0 if it is the
  /// first.
  public let bufferStartTime: CMTime?
  /// The duration of the audio.
  public let bufferDuration: CMTime
  /// The format of the audio. The analyzer does not convert it; see
  /// `SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith:)`.
  public let bufferFormat: AVAudioFormat
  /// Nil if a sample buffer has no audio that an analyzer could use.
  let audio: Audio?

  /// `@unchecked Sendable`: nothing changes the buffer, which no other code has.
  struct Audio: @unchecked Sendable {
    let buffer: AVAudioPCMBuffer

    init(owned buffer: AVAudioPCMBuffer) { self.buffer = buffer }

    init(copying buffer: AVAudioPCMBuffer) {
      let copy = buffer.copy() as? AVAudioPCMBuffer
      // Without memory for a copy the buffer itself: no audio is lost.
      self.buffer = copy.flatMap { $0.frameLength == buffer.frameLength ? $0 : nil } ?? buffer
    }

    /// The samples of uncompressed audio of a common format; nil for others, and if there are fewer than stated.
    init?(_ samples: CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>, _ format: AVAudioFormat) {
      guard
        let buffer = AVAudioPCMBuffer(
          pcmFormat: format, frameCapacity: AVAudioFrameCount(clamping: samples.sampleCount))
      else { return nil }
      buffer.frameLength = buffer.frameCapacity
      let planes = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
      guard samples.content.count >= planes.reduce(0, { $0 + Int($1.mDataByteSize) }) else { return nil }
      var offset = 0
      for plane in planes {
        let target = UnsafeMutableRawBufferPointer(start: plane.mData, count: Int(plane.mDataByteSize))
        samples.content.copyBytes(to: target, from: offset..<offset + target.count)
        offset += target.count
      }
      self.buffer = buffer
    }
  }

  /// Creates an input that follows the one before.
  public init(buffer: AVAudioPCMBuffer) {
    self.init(buffer: buffer, bufferStartTime: nil)
  }

  /// Creates an input that starts at a time. A time before the end of the audio so far ends the analysis with
  /// `SFSpeechError.audioDisordered`.
  public init(buffer: AVAudioPCMBuffer, bufferStartTime: CMTime?) {
    self.init(Audio(copying: buffer), at: bufferStartTime)
  }

  /// Creates an input from a ready sample buffer, which starts at the buffer's time stamp. The analyzer accepts
  /// uncompressed audio only; anything else ends the analysis with `SFSpeechError.unexpectedAudioFormat`.
  public init(buffer: CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>) {
    self.init(buffer, at: buffer.presentationTimeStamp)
  }

  /// The samples of a sample buffer at another time than its own.
  init(_ samples: CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>, at start: CMTime?) {
    let format = samples.formatDescription.audioStreamBasicDescription.flatMap { description in
      withUnsafePointer(to: description) { AVAudioFormat(streamDescription: $0) }
    }
    audio = format.flatMap { Audio(samples, $0) }
    bufferFormat = format ?? AVAudioFormat()
    bufferStartTime = start
    bufferDuration = samples.duration
  }

  init(_ audio: Audio, at start: CMTime?) {
    self.audio = audio
    bufferFormat = audio.buffer.format
    bufferStartTime = start
    bufferDuration = CMTime(
      value: Int64(audio.buffer.frameLength), timescale: CMTimeScale(bufferFormat.sampleRate.rounded()))
  }

  /// A new copy of the audio; empty for audio that no analyzer accepts.
  @available(*, deprecated, message: "use other AnalyzerInput properties to get information about audio")
  public var buffer: AVAudioPCMBuffer {
    if let audio { return Audio(copying: audio.buffer).buffer }
    guard let empty = AVAudioPCMBuffer(pcmFormat: AudioIntake.format, frameCapacity: 0) else {
      preconditionFailure("an empty buffer needs no memory")
    }
    return empty
  }
}
