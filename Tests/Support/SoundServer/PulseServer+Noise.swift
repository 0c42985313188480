import AVFAudio

extension PulseServer {
  /// A file of noise, mono, in the server's folder, and the noise.
  package func noise(seconds: Int, rate: Int = 16_000) throws -> (URL, [Float]) {
    let samples = SignalComparison.noise(frames: seconds * rate)
    let settings: [String: Any] = [AVSampleRateKey: Double(rate), AVNumberOfChannelsKey: 1]
    let url = folder.appendingPathComponent("noise.wav")
    guard let format = AVAudioFormat(standardFormatWithSampleRate: Double(rate), channels: 1),
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count))
    else { throw CocoaError(.coderInvalidValue) }
    buffer.frameLength = buffer.frameCapacity
    for (frame, sample) in samples.enumerated() { buffer.floatChannelData?[0][frame] = sample }
    let file = try AVAudioFile(forWriting: url, settings: settings)
    try file.write(from: buffer)
    file.close()
    return (url, samples)
  }
}
