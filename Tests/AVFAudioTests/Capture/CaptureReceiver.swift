import AVFoundation
import Synchronization

/// What the delegate of a capture session received.
final class CaptureReceiver: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
  private struct State {
    var samples: [Float] = []
    var formats: Set<String> = []
    var buffers = 0
    var end = CMTime.invalid
    var jumps: [Double] = []
  }

  private let state = Mutex(State())

  /// The samples of 16-bit buffers, from -1 to 1.
  var samples: [Float] { state.withLock { $0.samples } }
  var formats: Set<String> { state.withLock { $0.formats } }
  var bufferCount: Int { state.withLock { $0.buffers } }
  /// The end of the last buffer.
  var end: CMTime { state.withLock { $0.end } }
  /// Seconds between the end of a buffer and the start of the next one, where that is not none.
  var jumps: [Double] { state.withLock { $0.jumps } }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let stream = sampleBuffer.formatDescription?.audioStreamBasicDescription else { return }
    let data = (try? sampleBuffer.dataBuffer?.dataBytes()) ?? Data()
    let samples = data.withUnsafeBytes { bytes in
      stream.mBitsPerChannel == 16 ? bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 } : []
    }
    state.withLock { state in
      state.samples += samples
      state.formats.insert(
        "\(stream.mSampleRate) Hz, \(stream.mChannelsPerFrame) channels, \(stream.mBitsPerChannel) bits")
      state.buffers += 1
      if state.end.isValid, sampleBuffer.presentationTimeStamp != state.end {
        state.jumps.append((sampleBuffer.presentationTimeStamp - state.end).seconds)
      }
      state.end = sampleBuffer.presentationTimeStamp + sampleBuffer.duration
    }
  }
}
