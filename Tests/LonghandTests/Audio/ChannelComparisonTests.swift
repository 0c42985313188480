import Foundation
import Testing

@testable import LonghandRecording

/// Speech is imitated by noise with pauses: each tenth of a second has its own loudness.
@Suite struct ChannelComparisonTests {
  private typealias Part = (left: Double, right: Double)
  private static let length = 1600

  /// Compares tenths of seconds of two sources of noise, with levels in dBFS.
  private func compare(
    _ parts: [Part], mixedBy leak: Double? = nil, seed: UInt64 = 1
  ) -> ChannelComparison {
    var (random, comparison) = (SeededGenerator(seed: seed), ChannelComparison())
    func noise(_ level: Double) -> [Float] {
      let amplitude = Float(pow(10, level / 20) * 3.0.squareRoot())
      return (0..<Self.length).map { _ in Float.random(in: -1...1, using: &random) * amplitude }
    }
    for part in parts {
      var (left, right) = (noise(part.left), noise(part.right))
      if let leak {
        let factor = Float(pow(10, leak / 20))
        let (first, second) = (left, right)
        for index in left.indices {
          left[index] += second[index] * factor
          right[index] += first[index] * factor
        }
      }
      comparison.add(left, right)
    }
    return comparison
  }

  private static let floor = -70.0
  /// Ten turns of two seconds.
  private static let turns: [Part] = (0..<200).map { index in
    index % 20 < 3 ? (floor, floor) : index / 20 % 2 == 0 ? (-20, floor) : (floor, -22)
  }

  @Test func aCallDiffers() {
    let comparison = compare(Self.turns)
    #expect(comparison.areDifferent)
    #expect(abs(comparison.shares.first - 0.5) < 0.05)
  }

  /// Lapel microphones also get the other voice, 14 dB weaker.
  @Test func lapelMicrophonesDiffer() { #expect(compare(Self.turns, mixedBy: -14).areDifferent) }

  /// In a stereo recording of a room each channel has all speakers, at nearly the same level.
  @Test func stereoOfARoomDoesNot() { #expect(!compare(Self.turns, mixedBy: -3).areDifferent) }

  /// Voices that were panned when they were mixed.
  @Test func pannedVoicesDoNot() { #expect(!compare(Self.turns, mixedBy: -9).areDifferent) }

  @Test func oneSilentChannelDoesNot() {
    #expect(!compare(Self.turns.map { ($0.left, Self.floor) }).areDifferent)
    #expect(!compare(Self.turns.map { ($0.left, -200) }).areDifferent)
  }

  @Test func silenceDoesNot() {
    #expect(!compare(Array(repeating: (Self.floor, -66), count: 100)).areDifferent)
    #expect(!ChannelComparison().areDifferent)
  }

  /// Half a second of the other side is no speaker.
  @Test func aShortNoiseDoesNot() {
    let parts = (0..<200).map { index -> Part in
      index < 5 ? (Self.floor, -20) : index % 20 < 3 ? (Self.floor, Self.floor) : (-20, Self.floor)
    }
    #expect(!compare(parts).areDifferent)
  }
}
