import RecognitionCore
import AVFAudio
import CoreMedia
import Synchronization

/// Requests the recognition of audio as it comes. Audio may be appended before a task exists: it is kept
/// until then.
open class SFSpeechAudioBufferRecognitionRequest: SFSpeechRecognitionRequest {
  private enum Input {
    case waiting([UncheckedBox<AVAudioPCMBuffer>], isEnded: Bool)
    case attached(StreamRecognition)
  }
  private let input = Mutex(Input.waiting([], isEnded: false))
  /// For the stream's queue alone.
  private let converter = UncheckedBox(value: AudioIntake())

  /// A request without audio.
  public override init() { super.init() }

  /// The format that is recognized without conversion: 16 kHz, mono, 16-bit. Any PCM format is accepted.
  open var nativeAudioFormat: AVAudioFormat { AudioIntake.format }

  /// Takes more audio: PCM of any rate, channel count and sample type. Returns at once, and copies: the
  /// buffer may be used again. Audio after `endAudio()` is ignored. May be called on any thread.
  open func append(_ audioPCMBuffer: AVAudioPCMBuffer) {
    guard let copy = audioPCMBuffer.copy() as? AVAudioPCMBuffer else { return }
    let box = UncheckedBox(value: copy)
    input.withLock { input in
      switch input {
      case .waiting(let buffers, isEnded: false): input = .waiting(buffers + [box], isEnded: false)
      case .waiting(_, isEnded: true): return
      case .attached(let stream): stream.append(box, by: converter)
      }
    }
  }

  /// Takes more audio from a sample buffer. A buffer without PCM audio is ignored.
  open func appendAudioSampleBuffer(_ sampleBuffer: CMSampleBuffer) {
    guard let buffer = AVAudioPCMBuffer(sampleBuffer: sampleBuffer) else { return }
    append(buffer)
  }

  /// Ends the audio.
  open func endAudio() {
    input.withLock { input in
      switch input {
      case .waiting(let buffers, _): input = .waiting(buffers, isEnded: true)
      case .attached(let stream): stream.finish()
      }
    }
  }

  /// Passes all audio to `stream`. A request that has been used before has no audio any more.
  func attach(_ stream: StreamRecognition) {
    input.withLock { input in
      guard case .waiting(let buffers, let isEnded) = input else { return stream.finish() }
      for buffer in buffers { stream.append(buffer, by: converter) }
      if isEnded { stream.finish() }
      input = .attached(stream)
    }
  }
}

extension AVAudioPCMBuffer {
  /// A copy of the PCM audio in a sample buffer; nil if it has none, or less than its sample count.
  convenience init?(sampleBuffer: CMSampleBuffer) {
    guard sampleBuffer.numSamples > 0, sampleBuffer.numSamples <= Int(UInt32.max),
      let data = sampleBuffer.dataBuffer,
      var description = sampleBuffer.formatDescription?.audioStreamBasicDescription,
      let format = AVAudioFormat(streamDescription: &description)
    else { return nil }
    self.init(pcmFormat: format, frameCapacity: AVAudioFrameCount(sampleBuffer.numSamples))
    frameLength = frameCapacity
    let buffers = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
    guard let bytes = try? data.dataBytes(),
      bytes.count >= buffers.reduce(0, { $0 + Int($1.mDataByteSize) })
    else { return nil }
    var start = 0
    for buffer in buffers {
      guard let memory = buffer.mData else { return nil }
      bytes.copyBytes(
        to: UnsafeMutableRawBufferPointer(start: memory, count: Int(buffer.mDataByteSize)),
        from: start..<start + Int(buffer.mDataByteSize))
      start += Int(buffer.mDataByteSize)
    }
  }
}
