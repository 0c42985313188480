import Foundation
import LonghandTranscripts

/// Distinguishes sound from the noise of a room by its level: a pure state machine over frames of 20 ms. It finds quiet
/// moments at which audio can be cut. It does not decide which audio is recognized.
///
/// A high-pass filter removes hum and rumble. The noise floor falls at once to the level of a quieter frame, and rises
/// slowly with louder frames. Sound begins above one margin over the noise floor, and ends below a smaller one.
package struct SilenceDetector: Sendable {
  /// Frames per second.
  private static let framesPerSecond = 50.0
  /// The cutoff of the high-pass filter, in Hz.
  private static let cutoff = 100.0
  /// The margins over the noise floor, in dB, above which sound begins and below which it ends.
  private static let (onset, release) = (9.0, 6.0)
  /// The rise of the noise floor during louder frames, in dB per second.
  private static let rise = 1.5
  /// The limits of the noise floor, in dBFS.
  private static let floorLimits = -72.0 ... -38.0

  /// The noise floor in dBFS.
  private(set) var noiseFloor = Self.floorLimits.upperBound
  /// Whether there is sound.
  private(set) var isSound = false
  /// Seconds since the last sound; 0 during sound.
  package var quiet: TimeInterval { isSound ? 0 : Double(quietFrames) / Self.framesPerSecond }

  /// The level in dBFS above which there is sound, whatever the noise floor is; nil to go by the noise floor.
  private let threshold: Double?
  private let frameLength: Int
  private let coefficient: Float
  private var previous: (input: Float, output: Float) = (0, 0)
  private var sum: Float = 0
  private var count = 0
  private var quietFrames = 0

  /// - Parameters:
  ///   - sampleRate: in Hz.
  ///   - threshold: the level in dBFS above which there is sound; nil to measure the noise.
  package init(sampleRate: Int, threshold: Double? = nil) {
    self.threshold = threshold
    frameLength = max(1, Int(clamping: Double(sampleRate) / Self.framesPerSecond))
    coefficient = Float(1 / (1 + 2 * Double.pi * Self.cutoff / Double(sampleRate)))
  }

  /// Processes samples, from -1 to 1.
  /// - Returns: whether any of them belong to sound.
  @discardableResult package mutating func take(_ samples: [Float]) -> Bool {
    var hasSound = isSound
    for index in samples.indices {
      let sample = samples[index]
      let output = coefficient * (previous.output + sample - previous.input)
      previous = (sample, output)
      sum += output * output
      count += 1
      guard count == frameLength else { continue }
      step(10 * log10(max(Double(sum) / Double(count), 1e-12)))
      (sum, count) = (0, 0)
      hasSound = hasSound || isSound
    }
    return hasSound
  }

  private mutating func step(_ level: Double) {
    let risen = noiseFloor + Self.rise / Self.framesPerSecond
    noiseFloor = min(max(min(level, risen), Self.floorLimits.lowerBound), Self.floorLimits.upperBound)
    let onset = threshold ?? noiseFloor + Self.onset
    isSound = level > onset - (isSound ? Self.onset - Self.release : 0)
    quietFrames = isSound ? 0 : quietFrames + 1
  }
}
