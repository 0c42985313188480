import Foundation
import LonghandRecording
import LonghandTranscripts
import Synchronization
import VoiceMeasurement

/// Finds sentences that the recognizer reports again directly after their end, as decoders do that run in a circle, or that
/// decode audio again.
///
/// Text alone does not distinguish that from words that were said twice, so the audio decides: only a sentence of four words and more
/// whose second range sounds unlike the first one is a repetition. Where the audio is not known, the words stay.
struct RepetitionStage: FinalStage {
  /// The words that a sentence must have.
  static let minWords = 4
  /// Seconds between the two at most; they may overlap.
  static let maxGap = 0.5

  private var audio: TrackedSource?
  /// The last sentence that is kept.
  private var last: (key: String, range: ClosedRange<TimeInterval>)?
  /// The end of its last repetition, or its own.
  private var end = 0.0

  mutating func begin(_ audio: any AudioSource) -> any AudioSource {
    let tracked = TrackedSource(audio, rate: SpeechFeatures.rate, seconds: 600)
    self.audio = tracked
    return tracked
  }

  mutating func take(_ result: FinalResult) async -> FinalResult {
    var result = result
    guard result.candidates.indices.contains(result.selection.index), result.start <= result.end else {
      return result
    }
    let words = SpokenText(result.candidates[result.selection.index].text)
    let range = result.start...result.end
    if words.count >= Self.minWords, let last, last.key == words.key(),
      range.lowerBound > last.range.lowerBound,
      result.end > last.range.upperBound, abs(result.start - end) <= Self.maxGap || range.contains(end),
      audio?.sounds(at: range, like: last.range) == false
    {
      end = max(end, result.end)
      result.isRepetition = true
    } else {
      last = (words.key(), range)
      end = result.end
    }
    return result
  }

  func forget(before time: TimeInterval) {
    audio?.forget(before: min(time, last?.range.lowerBound ?? time))
  }
}

extension TrackedSource {
  /// Whether the audio of a range can be what was said in another one; nil if that is not known.
  fileprivate func sounds(at range: ClosedRange<TimeInterval>, like other: ClosedRange<TimeInterval>) -> Bool?
  {
    guard let first = points(other), let second = points(range) else { return nil }
    return SpeechFeatures(first).distance(to: SpeechFeatures(second)) <= SpeechFeatures.maxDistance
  }
}

/// The spectrum of speech over time, without its loudness and the colour of the channel.
struct SpeechFeatures {
  /// The rate of the audio in Hz.
  static let rate = 8000
  /// The greatest distance between one sentence said twice. Measured: one sentence of a synthetic voice at other speeds and
  /// pitches up to 0.17, of two voices 0.32 to 0.48, two sentences of one voice 0.42 to 0.59, of people 0.57 to 0.73, noise
  /// and silence 0.9 and more.
  static let maxDistance: Float = 0.45

  private static let step = rate / 50
  private static let length = 256
  private static let bands = 16
  /// Seconds that are compared at most.
  private static let maxSeconds = 30
  private static let filters = MelFilters(bands, from: 100, to: 3800, sampleRate: rate, points: length)
  private static let transform = FourierTransform(atLeast: length)
  private static let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length - 1)) }

  /// The bands of each fiftieth of a second.
  private var frames: [[Float]] = []

  /// - Parameter points: audio at `rate`.
  init(_ points: [Float]) {
    let points = points.prefix(Self.maxSeconds * Self.rate)
    var spectrum = PairedSpectrum(Self.transform)
    for start in stride(from: 0, to: max(1, points.count - Self.length + 1), by: Self.step) {
      for index in 0..<Self.length {
        let sample = start + index < points.count ? Double(points[start + index]) : 0
        spectrum.first[index] = sample * Self.window[index]
        spectrum.second[index] = 0
      }
      spectrum.transformToPowers()
      frames.append(Self.filters.powers(spectrum.first, floor: 1e-4).map { Float(log($0)) })
    }
    normalize()
  }

  private mutating func normalize() {
    let count = Float(frames.count)
    let means = (0..<Self.bands).map { band in frames.reduce(0) { $0 + $1[band] } / count }
    for index in frames.indices { for band in 0..<Self.bands { frames[index][band] -= means[band] } }
    let variance = frames.reduce(0) { $0 + $1.reduce(0) { $0 + $1 * $1 } } / (count * Float(Self.bands))
    let deviation = variance.squareRoot() + 1e-3
    for index in frames.indices { for band in 0..<Self.bands { frames[index][band] /= deviation } }
  }

  /// The mean distance of frames on the best path through both, which may be said at other speeds; 0 for the same audio.
  func distance(to other: SpeechFeatures) -> Float {
    typealias Step = (cost: Float, length: Float)
    var before = [Step](repeating: (.infinity, 0), count: other.frames.count + 1)
    before[0] = (0, 0)
    for frame in frames {
      var row = [Step](repeating: (.infinity, 0), count: other.frames.count + 1)
      for (index, peer) in other.frames.enumerated() {
        var sum: Float = 0
        for band in 0..<Self.bands { sum += (frame[band] - peer[band]) * (frame[band] - peer[band]) }
        let cheapest = min(before[index], before[index + 1], row[index]) { $0.cost < $1.cost }
        row[index + 1] = (cheapest.cost + (sum / Float(Self.bands)).squareRoot(), cheapest.length + 1)
      }
      before = row
    }
    let path = before[other.frames.count]
    return path.length > 0 ? path.cost / path.length : .infinity
  }
}

/// The least of three values by an order; the first of equals.
private func min<Value>(
  _ one: Value, _ two: Value, _ three: Value, by isLess: (Value, Value) -> Bool
) -> Value {
  let first = isLess(two, one) ? two : one
  return isLess(three, first) ? three : first
}
