import Foundation

/// Measures the level of audio in each channel.
package struct AudioMeter: Sendable {
  /// The level of a channel in dBFS, the average power and the highest sample: 0 for full scale, -160 for silence.
  package struct Level: Hashable, Sendable {
    package var average: Float = silence
    package var peak: Float = silence
  }

  private static let silence: Float = -160
  private var energies: [Double] = []
  private var peaks: [Float] = []
  private var frames = 0

  package init() {}

  /// Adds the audio of a buffer, whose samples must be 32-bit floating point; others are left out.
  package mutating func add(_ buffer: AVAudioPCMBuffer) {
    guard let samples = buffer.floatChannelData else { return }
    let channels = Int(buffer.format.channelCount)
    if energies.count != channels {
      energies = Array(repeating: 0, count: channels)
      peaks = Array(repeating: 0, count: channels)
      frames = 0
    }
    for channel in 0..<channels {
      var (energy, peak) = (0.0, peaks[channel])
      for frame in 0..<Int(buffer.frameLength) {
        let sample = samples[channel][frame * buffer.stride]
        energy += Double(sample * sample)
        peak = max(peak, abs(sample))
      }
      energies[channel] += energy
      peaks[channel] = peak
    }
    frames += Int(buffer.frameLength)
  }

  /// The levels of what was added since the last call, and begins anew.
  package mutating func take() -> [Level] {
    defer {
      for channel in energies.indices { (energies[channel], peaks[channel]) = (0, 0) }
      frames = 0
    }
    return zip(energies, peaks).map { energy, peak in
      Level(
        average: Self.decibels(frames > 0 ? (energy / Double(frames)).squareRoot() : 0),
        peak: Self.decibels(Double(peak)))
    }
  }

  private static func decibels(_ amplitude: Double) -> Float {
    amplitude > 0 ? max(silence, Float(20 * log10(amplitude))) : silence
  }
}
