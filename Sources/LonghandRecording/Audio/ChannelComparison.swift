import Foundation
import LonghandTranscripts

/// Compares two channels of a recording: do they have the same speech, or does each have its own, as in a call or with two
/// lapel microphones? A pure value: audio goes in, in any number of parts.
///
/// It counts the tenths of a second with speech. One belongs to a channel where that channel is at least
/// 12 dB louder than the other, or 6 dB louder and unlike it: then the other does not have the same speech at another level,
/// as in a stereo recording. Channels differ if each has enough of them, and both together have more than half of all.
package struct ChannelComparison: Sendable {
  /// Seconds of speech that each channel must have alone.
  private static let leastSeconds = 1.0
  /// The part of the speech that each channel must have alone, and that both together must have.
  private static let leastShare = (each: 0.03, both: 0.5)
  /// Differences of the levels, in dB.
  private static let (clear, noticeable) = (12.0, 6.0)
  /// The correlation below which channels are not alike.
  private static let alike = 0.6
  /// Speech is so much louder than the quietest part of its channel, in dB, and at least so loud, in dBFS.
  private static let (aboveNoise, quietest) = (12.0, -55.0)

  /// Levels in dB, and the correlation of the channels, 0 to 1.
  private struct Frame {
    var levels: (Double, Double)
    var correlation: Double
  }

  private var frames: [Frame] = []

  /// Adds about a tenth of a second.
  mutating func add(_ left: [Float], _ right: [Float]) {
    guard !left.isEmpty, left.count == right.count else { return }
    var (own, other, both) = (0.0, 0.0, 0.0)
    for (a, b) in zip(left, right) {
      own += Double(a * a)
      other += Double(b * b)
      both += Double(a * b)
    }
    func level(_ sum: Double) -> Double { 10 * log10(sum / Double(left.count) + 1e-12) }
    let energy = (own * other).squareRoot()
    frames.append(
      Frame(levels: (level(own), level(other)), correlation: energy > 0 ? min(1, abs(both) / energy) : 0))
  }

  /// What was found: the parts of the speech that only the first and only the second channel has, 0 to 1.
  package var shares: (first: Double, second: Double) {
    let counts = counts
    guard counts.speech > 0 else { return (0, 0) }
    return (Double(counts.first) / Double(counts.speech), Double(counts.second) / Double(counts.speech))
  }

  /// Whether each channel has speech of its own.
  package var areDifferent: Bool {
    let (first, second) = shares
    let least = Int(clamping: Self.leastSeconds * 10)
    return counts.first >= least && counts.second >= least && min(first, second) >= Self.leastShare.each
      && first + second >= Self.leastShare.both
  }

  private var counts: (first: Int, second: Int, speech: Int) {
    // The tenth part of the frames that is quietest.
    func noise(_ levels: [Double]) -> Double {
      levels.isEmpty ? 0 : levels.sorted()[levels.count / 10]
    }
    let floors = (noise(frames.map(\.levels.0)), noise(frames.map(\.levels.1)))
    var counts = (first: 0, second: 0, speech: 0)
    for frame in frames {
      func isSpeech(_ level: Double, _ floor: Double) -> Bool {
        level >= max(Self.quietest, min(floor + Self.aboveNoise, -30))
      }
      guard isSpeech(frame.levels.0, floors.0) || isSpeech(frame.levels.1, floors.1) else { continue }
      counts.speech += 1
      let difference = frame.levels.0 - frame.levels.1
      guard
        abs(difference) >= Self.clear
          || abs(difference) >= Self.noticeable && frame.correlation < Self.alike
      else { continue }
      if difference > 0 { counts.first += 1 } else { counts.second += 1 }
    }
    return counts
  }
}

extension ChannelComparison {
  /// Seconds that are looked at, in parts all over the recording.
  private static let looked = (parts: 30, seconds: 10.0)

  /// Compares two channels of a recording. Of a long one, parts all over it are read.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package init(of first: any AudioSource, and second: any AudioSource) async throws {
    let (parts, seconds) = Self.looked
    let duration = first.duration
    let isWhole = duration <= Double(parts) * seconds
    for part in 0..<(isWhole ? 1 : parts) {
      let start = isWhole ? 0 : (duration - seconds) * Double(part) / Double(parts - 1)
      let end = isWhole ? .max : Int64(clamping: (start + seconds) * Double(first.sampleRate))
      let frame = Int64(start) * Int64(first.sampleRate)
      var chunks = (
        first.chunks(from: frame).makeAsyncIterator(), second.chunks(from: frame).makeAsyncIterator()
      )
      while let left = try await chunks.0.next(), let right = try await chunks.1.next(), left.start < end {
        add(left.samples(ofChannel: 0), right.samples(ofChannel: 0))
      }
    }
  }
}
