import AVFAudio

/// Brings a recording's sound into the format that a recognizer takes.
final class AudioConversion {
  private let converter: AVAudioConverter

  /// - Throws: `TranscriptionError.undecodable`.
  init(from source: RecordingFormat, to target: AVAudioFormat) throws(TranscriptionError) {
    guard let converter = AVAudioConverter(from: try AudioChunk.mono(source), to: target) else {
      throw .undecodable("sound at \(source.sampleRate) Hz cannot be converted to \(target.sampleRate) Hz")
    }
    self.converter = converter
  }

  /// What follows on the buffer before; some of it may come with the next.
  /// - Throws: `TranscriptionError.undecodable`.
  func convert(_ buffer: AVAudioPCMBuffer) throws(TranscriptionError) -> AVAudioPCMBuffer {
    try convert(buffer, frames: buffer.frameLength)
  }

  /// The rest.
  /// - Throws: `TranscriptionError.undecodable`.
  func finish() throws(TranscriptionError) -> AVAudioPCMBuffer {
    try convert(nil, frames: AVAudioFrameCount(converter.inputFormat.sampleRate / 10))
  }

  private func convert(
    _ input: AVAudioPCMBuffer?, frames: AVAudioFrameCount
  ) throws(TranscriptionError) -> AVAudioPCMBuffer {
    let ratio = converter.outputFormat.sampleRate / converter.inputFormat.sampleRate
    let room = AVAudioFrameCount((Double(frames) * ratio).rounded(.up)) + 4096
    guard let output = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: room) else {
      throw .undecodable("there is no room for a buffer")
    }
    // The block is called on this thread, before `convert` returns.
    nonisolated(unsafe) var pending = input
    var error: NSError?
    let status = converter.convert(to: output, error: &error) { _, status in
      defer { pending = nil }
      status.pointee = pending != nil ? .haveData : input == nil ? .endOfStream : .noDataNow
      return pending
    }
    guard status != .error else {
      throw .undecodable(error?.localizedDescription ?? "it cannot be converted")
    }
    return output
  }
}
