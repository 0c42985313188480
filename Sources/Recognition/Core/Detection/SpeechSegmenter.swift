import Foundation

/// Separates speech from pauses by level: a pure state machine over 10 ms frames of 16 kHz audio.
///
/// A high-pass keeps hum and rumble out of the level. The quiet level follows the recording: it lies a
/// margin above the level that a tenth of the last frames stay below, and never more than `dynamicRange`
/// below the loud ones, so that room noise between faint pauses is quiet too. Speech begins above one
/// threshold and ends when the level has stayed below a smaller one for `minimumPause`. Other audio is left
/// out of the utterances but stays on the clock.
package struct SpeechSegmenter {
  /// The constants of the state machine. Measured: six sets of them lose no word of clean, quiet, noisy and
  /// humming speech, so none is critical; cutting often gives the fewest errors.
  package struct Configuration: Sendable, Equatable {
    /// Seconds of quiet that end an utterance.
    package var minimumPause = 0.3
    /// Seconds kept before the first loud frame and after the last; at most half of a pause.
    var padding = 0.2
    /// dB above the noise floor at which speech begins.
    package var onset: Double
    /// dB above the noise floor below which a frame is quiet.
    package var release: Double
    /// dB below the loud frames (the 95th percentile) at which nothing is speech.
    package var dynamicRange: Double
    /// dBFS between which the noise floor is looked for.
    var floorLimits = -72.0 ... -38.0
    /// Seconds of loud frames that begin an utterance: less is a click.
    package var minimumOnset: Double

    package init(
      onset: Double = 8, release: Double = 5, dynamicRange: Double = 35, minimumOnset: Double = 0.06
    ) {
      (self.onset, self.release) = (onset, release)
      (self.dynamicRange, self.minimumOnset) = (dynamicRange, minimumOnset)
    }
  }

  /// What the audio holds.
  package enum Action: Equatable {
    /// An utterance begins at this sample.
    case begin(at: Int)
    /// More samples of the utterance.
    case audio([Int16])
    /// What was said may be an utterance: quiet has begun, which ends it if it lasts.
    case pause
    /// The utterance ends before this sample.
    case end(at: Int)
  }

  package static let sampleRate = 16_000
  /// Samples of a frame: 10 ms.
  package static let frameLength = 160
  private static let framesPerSecond = 100.0
  /// Seconds of levels that decide what is quiet.
  private static let memory = 15.0

  let configuration: Configuration
  private var levels: LevelHistory
  /// Samples that do not fill a frame yet.
  private var rest: [Int16] = []
  /// The position of the next frame.
  private var position = 0
  private var isSpeech = false
  /// Before speech: audio that padding would add to an utterance. In a pause: audio that padding would leave
  /// out.
  private var held: [Int16] = []
  /// The last 20 frames of a pause, a bit each: 1 is loud. The last frame is the lowest bit.
  private var recentLoud: UInt32 = 0
  private var quietFrames = 0

  package init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
    levels = LevelHistory(seconds: Self.memory)
  }

  /// Takes more audio.
  package mutating func process(_ samples: [Int16]) -> [Action] {
    rest += samples
    var actions: [Action] = []
    var start = 0
    while rest.count - start >= Self.frameLength {
      let frame = Array(rest[start..<start + Self.frameLength])
      let level = levels.add(frame)
      step(frame, level, noiseFloor, &actions)
      start += Self.frameLength
    }
    rest.removeFirst(start)
    return actions
  }

  /// Ends the audio; an utterance that is open ends with it.
  package mutating func finish() -> [Action] {
    var actions: [Action] = []
    if isSpeech {
      // A rest shorter than a frame is as likely speech as the frame before it.
      let tail = held.isEmpty ? rest : []
      if !tail.isEmpty { actions.append(.audio(tail)) }
      actions.append(.end(at: position - held.count + tail.count))
    }
    position += rest.count
    rest = []
    held = []
    isSpeech = false
    return actions
  }

  /// Ends the utterance that is open, as if here were a pause. What was kept for the beginning of an
  /// utterance stays, so that speech that continues loses nothing.
  mutating func flush() -> [Action] {
    guard isSpeech else { return [] }
    isSpeech = false
    recentLoud = 0
    return [.end(at: position - held.count)]
  }

  /// No later utterance begins before this sample. Only while none is open.
  var reached: Int { position - held.count }

  /// Goes on with audio whose first sample is at `position`. Only after `finish()`.
  package mutating func skip(to position: Int) {
    self.position = position
    recentLoud = 0
  }

  /// The present noise floor, in dBFS.
  private var noiseFloor: Double {
    let limits = configuration.floorLimits
    let quiet = min(max(levels.percentile(0.10), limits.lowerBound), limits.upperBound)
    let loud = levels.percentile(0.95) - configuration.dynamicRange - configuration.onset
    return max(quiet, min(loud, limits.upperBound))
  }

  private mutating func step(_ frame: [Int16], _ level: Double, _ floor: Double, _ actions: inout [Action]) {
    position += frame.count
    if isSpeech {
      quietFrames = level < floor + configuration.release ? quietFrames + 1 : 0
      held += frame
      let padding = min(configuration.padding, configuration.minimumPause / 2)
      if Double(quietFrames) <= padding * Self.framesPerSecond {
        actions.append(.audio(held))
        held = []
      } else if Double(quietFrames) >= configuration.minimumPause * Self.framesPerSecond {
        isSpeech = false
        recentLoud = 0
        actions.append(.end(at: position - held.count))
      } else if held.count == frame.count {
        actions.append(.pause)
      }
    } else {
      held += frame
      recentLoud = (recentLoud &<< 1 | (level > floor + configuration.onset ? 1 : 0)) & 0xF_FFFF
      let loud = Double(recentLoud.nonzeroBitCount) / Self.framesPerSecond
      if loud >= configuration.minimumOnset - 1e-9 {
        isSpeech = true
        quietFrames = 0
        trimHeld(toSecondsBeforeOnset: configuration.padding)
        actions.append(.begin(at: position - held.count))
        actions.append(.audio(held))
        held = []
      } else {
        trimHeld(toSecondsBeforeOnset: configuration.padding + 0.2)
      }
    }
  }

  /// Removes audio that lies too long before the first recent loud frame for padding to reach.
  private mutating func trimHeld(toSecondsBeforeOnset seconds: Double) {
    let sinceOnset = UInt32.bitWidth - recentLoud.leadingZeroBitCount
    let maxCount = sinceOnset * Self.frameLength + Int(seconds * Double(Self.sampleRate))
    if held.count > maxCount { held.removeFirst(held.count - maxCount) }
  }

  /// dBFS of a mean square; −96 for digital silence.
  static func level(_ meanSquare: Double) -> Double { max(-96, 10 * log10(max(meanSquare, 1e-12))) }
}
