import Foundation
import VoiceMeasurement

/// How the voice ends a word before a pause. Sentences often end without tone.
///
/// `Benchmarks/Sentences/voice.py` measures the same.
package struct WordVoice: Sendable, Hashable, Codable {
  /// The audio that is measured: points per second, each the mean of the samples in its part of a second.
  package static let rate = Periodicity.rate
  /// Points of a frame, of 10 ms.
  private static let frame = rate / 100
  /// Frames of the end of a word.
  private static let lastFrames = 30
  /// Windows of four frames, and periods of 400 to 66 Hz.
  private static let periodicity = Periodicity(window: 4 * frame, periods: 10...60)
  private static let likeness = 0.5

  /// How many of the last 30 frames of 10 ms have a tone.
  package var voicedFrames: UInt8

  /// Whether the word ends without tone.
  var isToneless: Bool { voicedFrames < 4 }

  package init(voicedFrames: UInt8) {
    self.voicedFrames = voicedFrames
  }

  /// Measures the end of a word.
  /// - Parameters:
  ///   - points: audio at ``rate``, from -1 to 1.
  ///   - start: seconds from the first point.
  ///   - end: seconds from the first point.
  /// - Returns: nil if the word is not in the audio.
  package init?(_ points: ArraySlice<Float>, from start: TimeInterval, to end: TimeInterval) {
    let count = points.count / Self.frame
    guard count >= 3, 0 <= start, start <= end, end <= Double(count + 1) / 100 else { return nil }
    let first = min(Int(start * 100), count - 3)
    let last = min(max(Int(end * 100), first + 3), count)
    voicedFrames = points.withUnsafeBufferPointer { points in
      UInt8((max(first, last - Self.lastFrames)..<last).count { Self.isVoiced(points, $0) })
    }
  }

  /// Whether the waveform around a frame repeats itself with a period of a voice.
  private static func isVoiced(_ points: UnsafeBufferPointer<Float>, _ frame: Int) -> Bool {
    let middle = frame * Self.frame + Self.frame / 2
    guard middle >= 128, middle + 128 <= points.count else { return false }
    return periodicity.periods.contains { period in
      let first = middle - periodicity.window / 2 - period / 2
      let floor = 1e-7 * Double(periodicity.window)
      return periodicity.correlation(points, from: first, period: period, floor: floor) > likeness
    }
  }
}
