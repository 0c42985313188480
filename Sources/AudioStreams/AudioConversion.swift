import AVFAudio
import Foundation

/// Converts a stream of audio to another format, buffer by buffer. Between two buffers no frame is lost or added. Where
/// channels with opposite phases are mixed to one, `PhaseCorrection` keeps them from canceling each other.
///
/// `AVAudioConverter` asks a block for its input. This is the only loop above AVFAudio that answers it. It uses nothing
/// that Apple's AVFAudio lacks.
///
/// ```swift
/// guard let conversion = AudioConversion(from: file.processingFormat, to: format) else { return }
/// for buffer in buffers { use(try conversion.convert(buffer)) }
/// use(try conversion.finish())
/// ```
package struct AudioConversion {
  /// The converter, for settings such as `downmix`. Change them before the first buffer.
  package let converter: AVAudioConverter
  private let phase: PhaseCorrection?

  /// Begins a stream; nil if the system cannot convert between these formats.
  package init?(from source: AVAudioFormat, to target: AVAudioFormat) {
    guard let converter = AVAudioConverter(from: source, to: target) else { return nil }
    self.converter = converter
    phase = target.channelCount == 1 ? PhaseCorrection(source) : nil
  }

  /// Whether the channels of the last buffer had opposite phases, so that one of them was used instead of their mix.
  package var isPhaseCorrected: Bool { phase?.channel != nil }

  /// Converts the next buffer of the stream. The resampler may hold back its last frames until the next call.
  package func convert(_ buffer: AVAudioPCMBuffer) throws(AudioConversionError) -> [AVAudioPCMBuffer] {
    guard let phase, converter.downmix, buffer.format == converter.inputFormat else {
      return try output(for: buffer)
    }
    return try output(for: phase.correct(buffer))
  }

  /// Ends the stream, and returns the frames that the resampler held back.
  package func finish() throws(AudioConversionError) -> [AVAudioPCMBuffer] { try output(for: nil) }

  private func output(for input: AVAudioPCMBuffer?) throws(AudioConversionError) -> [AVAudioPCMBuffer] {
    let ratio = converter.outputFormat.sampleRate / converter.inputFormat.sampleRate
    // Enough for the frames that the resampler held back before, too.
    let capacity = AVAudioFrameCount((Double(input?.frameLength ?? 0) * ratio).rounded(.up)) + 4096
    // The block is called on this thread, before `convert` returns.
    nonisolated(unsafe) var pending = input
    var outputs: [AVAudioPCMBuffer] = []
    while let output = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity) {
      var error: NSError?
      let status = converter.convert(to: output, error: &error) { _, status in
        defer { pending = nil }
        status.pointee = pending != nil ? .haveData : input == nil ? .endOfStream : .noDataNow
        return pending
      }
      guard status != .error else { throw .failed(error) }
      guard output.frameLength > 0 else { return outputs }
      outputs.append(output)
      if status != .haveData { return outputs }
    }
    throw .outOfMemory
  }
}

/// Why a stream of audio could not be converted.
package enum AudioConversionError: Error, CustomStringConvertible {
  /// There is no memory for a buffer of output.
  case outOfMemory
  /// The converter failed. Its own error says why, if there is one.
  case failed(NSError?)

  package var description: String {
    switch self {
    case .outOfMemory: "There is not enough memory to convert the audio."
    case .failed(let error): error?.localizedDescription ?? "The audio could not be converted."
    }
  }
}
