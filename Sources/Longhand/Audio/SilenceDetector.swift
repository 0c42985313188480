import Foundation

/// Tells sound from the quiet of a room by its level: a pure state machine over frames of 20 ms. It says where a cut
/// does no harm; it never decides what is heard.
///
/// A high-pass keeps hum and rumble out of the level. The noise floor follows the quietest frames at once and louder
/// ones slowly; sound begins above one margin over it and ends below a smaller one.
struct SilenceDetector: Sendable {
  /// Frames a second.
  private static let framesPerSecond = 50.0
  /// Hz below which nothing is speech.
  private static let cutoff = 100.0
  /// dB over the noise floor at which sound begins, and below which it ends.
  private static let (onset, release) = (9.0, 6.0)
  /// dB by which the noise floor rises in a second of louder sound.
  private static let rise = 1.5
  /// dBFS between which the noise floor lies.
  private static let floorLimits = -72.0 ... -38.0

  /// The noise floor in dBFS.
  private(set) var noiseFloor = Self.floorLimits.upperBound
  /// Whether there is sound.
  private(set) var isSound = false
  /// Seconds of quiet up to now; 0 in sound.
  var quiet: TimeInterval { isSound ? 0 : Double(quietFrames) / Self.framesPerSecond }

  private let frameLength: Int
  private let coefficient: Float
  private var previous: (input: Float, output: Float) = (0, 0)
  private var sum: Float = 0
  private var count = 0
  private var quietFrames = 0

  /// - Parameter sampleRate: in Hz.
  init(sampleRate: Int) {
    frameLength = max(1, Int(Double(sampleRate) / Self.framesPerSecond))
    coefficient = Float(1 / (1 + 2 * Double.pi * Self.cutoff / Double(sampleRate)))
  }

  /// Takes sound, from -1 to 1.
  /// - Returns: whether there was sound in any of it.
  @discardableResult mutating func take(_ samples: [Float]) -> Bool {
    var hasSound = isSound
    for sample in samples {
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
    isSound = level > noiseFloor + (isSound ? Self.release : Self.onset)
    quietFrames = isSound ? 0 : quietFrames + 1
  }
}
