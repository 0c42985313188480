import AVFAudio
import Foundation

/// Uses the strongest channel alone where channels have opposite phases, because a mix of them would cancel.
///
/// Buffers of a stream pass through it before they are mixed. Where the mix keeps the energy of its channels, a buffer
/// passes unchanged. Where the mix loses it, every channel gets the samples of the strongest one, so that the mix is that
/// channel. A change between the two fades over 5 ms.
///
/// The decision is made for parts of a tenth of a second, counted from the start of the stream. For one thread at a time.
package final class PhaseCorrection {
  /// The share of the energy of channels without anything in common that a mix keeps at most if they cancel: for two
  /// channels a tenth of the energy of one.
  private static let canceled: Float = 0.2
  /// The share below which only opposite phases can be the cause.
  private static let clearlyCanceled: Float = 0.02
  /// The share from which on the mix is ordinary.
  private static let ordinary: Float = 0.5
  /// The number of parts in a row after which the state changes: in general, and if they clearly cancel.
  private static let (patience, shortPatience) = (10, 2)
  /// A quieter part says nothing: a power of -55 dBFS, and 25 dB below the loudest part so far.
  private static let (minPower, minPowerOfLoudest): (Float, Float) = (3e-6, 3e-3)
  /// The cutoff of the high-pass filter in Hz: hum is often of opposite phase.
  private static let cutoff = 100.0
  private static let (partSeconds, fadeSeconds) = (0.1, 0.005)

  /// The channel that replaces all; nil while the channels are mixed.
  package private(set) var channel: Int?

  private let partFrames: Int
  private let fadeFrames: Int
  private let coefficient: Float
  private var filters: [(input: Float, output: Float)]
  /// The energies of the current part: of each channel, and of the mix.
  private var energies: [Float]
  private var mixEnergy: Float = 0
  private var count = 0
  private var loudest: Float = 0
  /// Loud parts in a row that cancel, that clearly cancel, and that are ordinary; and whether any was not clear.
  private var (canceledParts, clearParts, ordinaryParts) = (0, 0, 0)
  private var hasMixed = false
  /// The source before the last change, and how many frames of the fade from it are left.
  private var previous: Int?
  private var fading = 0

  /// Creates a correction for a stream; nil for a single channel, which nothing can cancel.
  package init?(_ format: AVAudioFormat) {
    let channels = Int(format.channelCount)
    guard channels > 1, format.sampleRate > 0 else { return nil }
    partFrames = max(1, Int(format.sampleRate * Self.partSeconds))
    fadeFrames = max(1, Int(format.sampleRate * Self.fadeSeconds))
    coefficient = Float(1 / (1 + 2 * Double.pi * Self.cutoff / format.sampleRate))
    filters = Array(repeating: (0, 0), count: channels)
    energies = Array(repeating: 0, count: channels)
  }

  /// Returns the buffer itself, or a corrected copy. The samples must be 32-bit floating point or 16-bit integers; a buffer
  /// of another type is returned unchanged.
  package func correct(_ buffer: AVAudioPCMBuffer) -> AVAudioPCMBuffer {
    guard Int(buffer.format.channelCount) == energies.count, let samples = Samples(buffer) else {
      return buffer
    }
    var corrected: (buffer: AVAudioPCMBuffer, samples: Samples)?
    var start = 0
    while start < Int(buffer.frameLength) {
      let end = min(Int(buffer.frameLength), start + partFrames - count)
      measure(samples, start..<end)
      if channel != nil || fading > 0 {
        if corrected == nil, let copy = buffer.copy() as? AVAudioPCMBuffer, let target = Samples(copy) {
          corrected = (copy, target)
        }
        if let corrected { replace(samples, start..<end, in: corrected.samples) }
      }
      start = end
    }
    return corrected?.buffer ?? buffer
  }

  // MARK: The decision

  private func measure(_ samples: Samples, _ frames: Range<Int>) {
    for frame in frames {
      var sum: Float = 0
      for index in filters.indices {
        let input = samples[index, frame]
        let output = coefficient * (filters[index].output + input - filters[index].input)
        filters[index] = (input, output)
        energies[index] += output * output
        sum += output
      }
      mixEnergy += sum * sum
    }
    count += frames.count
    guard count == partFrames else { return }
    decide()
    energies = energies.map { _ in 0 }
    (mixEnergy, count) = (0, 0)
  }

  /// Compares the mix with its channels. Without anything in common, the energies of the channels add up in their sum.
  private func decide() {
    let sum = energies.reduce(0, +)
    let power = sum / Float(energies.count * count)
    guard power.isFinite, power > max(Self.minPower, loudest * Self.minPowerOfLoudest) else { return }
    loudest = max(loudest, power)
    let share = mixEnergy / sum
    canceledParts = share < Self.canceled ? canceledParts + 1 : 0
    clearParts = share < Self.clearlyCanceled ? clearParts + 1 : 0
    ordinaryParts = share > Self.ordinary ? ordinaryParts + 1 : 0
    hasMixed = hasMixed || clearParts == 0
    if channel == nil {
      guard canceledParts >= Self.patience || clearParts >= (hasMixed ? Self.shortPatience : 1) else {
        return
      }
      change(to: energies.indices.max { energies[$0] < energies[$1] })
    } else if ordinaryParts >= Self.patience {
      change(to: nil)
    }
  }

  private func change(to channel: Int?) {
    (previous, fading) = (self.channel, fadeFrames)
    self.channel = channel
  }

  // MARK: The samples

  private func replace(_ samples: Samples, _ frames: Range<Int>, in target: Samples) {
    for frame in frames {
      guard channel != nil || fading > 0 else { return }
      var value = samples.value(of: channel, frame)
      if fading > 0 {
        let share = Float(fading) / Float(fadeFrames)
        value += share * (samples.value(of: previous, frame) - value)
        fading -= 1
      }
      for index in energies.indices { target[index, frame] = value }
    }
  }

  /// The samples of a buffer, from -1 to 1.
  private struct Samples {
    private let floats: UnsafePointer<UnsafeMutablePointer<Float>>?
    private let integers: UnsafePointer<UnsafeMutablePointer<Int16>>?
    private let stride: Int
    private let channels: Int

    /// The values are valid while the buffer is.
    init?(_ buffer: AVAudioPCMBuffer) {
      (floats, integers) = (buffer.floatChannelData, buffer.int16ChannelData)
      (stride, channels) = (buffer.stride, Int(buffer.format.channelCount))
      if floats == nil, integers == nil { return nil }
    }

    subscript(channel: Int, frame: Int) -> Float {
      get {
        if let floats { return floats[channel][frame * stride] }
        return Float(integers?[channel][frame * stride] ?? 0) / 32_768
      }
      nonmutating set {
        floats?[channel][frame * stride] = newValue
        integers?[channel][frame * stride] = Int16(max(-32_768, min(32_767, (newValue * 32_768).rounded())))
      }
    }

    /// A sample of a channel, or of the mix.
    func value(of channel: Int?, _ frame: Int) -> Float {
      if let channel { return self[channel, frame] }
      return (0..<channels).reduce(0) { $0 + self[$1, frame] } / Float(channels)
    }
  }
}
