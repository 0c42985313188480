import AVFAudio
import CoreMedia

/// Asks for the speech of audio as it comes. Audio may be appended before there is a task: it waits.
open class SFSpeechAudioBufferRecognitionRequest: SFSpeechRecognitionRequest {
  private enum Input {
    case waiting([AVAudioPCMBuffer], isEnded: Bool)
    case attached(StreamRecognition)
  }
  private let lock = NSLock()
  private var input = Input.waiting([], isEnded: false)

  /// A request without audio yet.
  public override init() { super.init() }

  /// The format that is recognized without conversion: 16 kHz, mono, 16-bit. Any PCM format is taken.
  open var nativeAudioFormat: AVAudioFormat { AudioIntake.format }

  /// Takes more audio: PCM of any rate, channel count and sample type. Returns at once, and copies: the buffer may
  /// be used again. Audio after `endAudio()` is ignored. From any thread.
  open func append(_ audioPCMBuffer: AVAudioPCMBuffer) {
    lock.lock()
    defer { lock.unlock() }
    switch input {
    case .waiting(let buffers, isEnded: false):
      guard let copy = audioPCMBuffer.copy() as? AVAudioPCMBuffer else { return }
      input = .waiting(buffers + [copy], isEnded: false)
    case .waiting(_, isEnded: true): return
    case .attached(let stream): stream.append(audioPCMBuffer)
    }
  }

  /// Takes more audio out of a sample buffer; one that holds no PCM audio is ignored.
  open func appendAudioSampleBuffer(_ sampleBuffer: CMSampleBuffer) {
    guard let buffer = AVAudioPCMBuffer(sampleBuffer: sampleBuffer) else { return }
    append(buffer)
  }

  /// Says that no more audio comes.
  open func endAudio() {
    lock.lock()
    defer { lock.unlock() }
    switch input {
    case .waiting(let buffers, _): input = .waiting(buffers, isEnded: true)
    case .attached(let stream): stream.finish()
    }
  }

  /// Gives the audio, that which waits and that which comes, to `stream`. A request that a task was made of before
  /// has nothing to give any more.
  func attach(_ stream: StreamRecognition) {
    lock.lock()
    defer { lock.unlock() }
    guard case .waiting(let buffers, let isEnded) = input else { return stream.finish() }
    for buffer in buffers { stream.append(buffer) }
    if isEnded { stream.finish() }
    input = .attached(stream)
  }
}
