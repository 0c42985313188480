import AVFoundation

/// Plays the audio of a file in buffers, as a tap on a microphone would deliver it.
@MainActor
package final class FileSource {
  /// The number of frames in a buffer: a tenth of a second.
  private let frames: AVAudioFrameCount
  private let file: AVAudioFile

  package init(url: URL) throws {
    file = try AVAudioFile(forReading: url)
    frames = AVAudioFrameCount(file.processingFormat.sampleRate / 10)
  }

  /// Calls `body` with each buffer, and returns after the last one.
  ///
  /// In real time, no buffer comes before its audio would have been spoken.
  package func play(inRealTime: Bool, _ body: (AVAudioPCMBuffer) throws -> Void) async throws {
    let start = ContinuousClock.now
    while let buffer = try next() {
      let spoken = Double(file.framePosition) / file.processingFormat.sampleRate
      if inRealTime { try await Task.sleep(until: start + .seconds(spoken)) }
      try body(buffer)
    }
  }

  private func next() throws -> AVAudioPCMBuffer? {
    guard file.framePosition < file.length else { return nil }
    guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: frames) else {
      return nil
    }
    try file.read(into: buffer)
    return buffer.frameLength > 0 ? buffer : nil
  }
}
