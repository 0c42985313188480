import AVFAudio
import Foundation

/// A part of a recording's sound.
struct AudioChunk: Sendable {
  /// Whole frames, as they are in the file.
  var samples: Data
  /// The place of the first frame.
  var start: Int64
  /// How the samples are laid out.
  var format: RecordingFormat

  /// How many frames there are.
  var frames: Int64 { format.frames(inBytes: samples.count) }
  /// Seconds from the start of the recording to the end of this.
  var end: TimeInterval { format.seconds(start + frames) }

  /// One channel of floating-point numbers at the recording's rate: the format of `buffer()`.
  /// - Throws: `TranscriptionError.undecodable`.
  static func mono(_ format: RecordingFormat) throws(TranscriptionError) -> AVAudioFormat {
    let layout = AVAudioFormat(standardFormatWithSampleRate: Double(format.sampleRate), channels: 1)
    guard let layout else { throw .undecodable("sound at \(format.sampleRate) Hz") }
    return layout
  }

  /// The mean of the channels, which is what a recognizer listens to.
  /// - Throws: `TranscriptionError.undecodable`.
  func buffer() throws(TranscriptionError) -> AVAudioPCMBuffer {
    let layout = try Self.mono(format)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: layout, frameCapacity: AVAudioFrameCount(frames)),
      let channel = buffer.floatChannelData?[0]
    else { throw .undecodable("there is no room for a buffer") }
    buffer.frameLength = AVAudioFrameCount(frames)
    for (place, sample) in mean.enumerated() { channel[place] = sample }
    return buffer
  }

  /// The mean of the channels, from -1 to 1.
  var mean: [Float] {
    let count = format.channels
    let samples = RecordingFormat.samples(in: samples)
    return (0..<Int(frames)).map { frame in
      let sum = samples[frame * count..<(frame + 1) * count].reduce(Int32(0)) { $0 + Int32($1) }
      return Float(sum) / Float(32_768 * count)
    }
  }
}
