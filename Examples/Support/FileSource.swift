import AVFoundation

/// Hands over the sound of a file in buffers, as the tap on a microphone would.
@MainActor
package final class FileSource {
  /// Frames of a buffer, a tenth of a second.
  private let frames: AVAudioFrameCount
  private let file: AVAudioFile

  package init(url: URL) throws {
    file = try AVAudioFile(forReading: url)
    frames = AVAudioFrameCount(file.processingFormat.sampleRate / 10)
  }

  /// Calls `body` with buffer after buffer, and returns after the last one.
  ///
  /// With `atPace`, no buffer comes before its sound would have been spoken.
  package func play(atPace: Bool, _ body: (AVAudioPCMBuffer) throws -> Void) async throws {
    let start = ContinuousClock.now
    while let buffer = try next() {
      let spoken = Double(file.framePosition) / file.processingFormat.sampleRate
      if atPace { try await Task.sleep(until: start + .seconds(spoken)) }
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
