import AVFAudio
import AudioStreams
import Foundation
import Testing

@Suite struct PhaseCorrectionTests {
  private static let rate = 16_000.0
  private static let frames = 48_000

  /// Syllables of noise and tones with pauses between, as speech has them.
  private static func speech(_ frames: Int = frames, seed: UInt64 = 1) -> [Float] {
    var state = seed
    return (0..<frames).map { frame in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
      let time = Double(frame) / rate
      let level = Float(
        max(0, sin(2 * .pi * 3 * time)) * (time.truncatingRemainder(dividingBy: 2) < 1.5 ? 1 : 0))
      return 0.3 * level * (0.3 * noise + Float(sin(2 * .pi * Double(150 + 40 * seed) * time)))
    }
  }

  private func correct(_ channels: [[Float]], piece: Int = 1600) throws -> (samples: [[Float]], isSame: Bool)
  {
    var correction: PhaseCorrection?
    var samples = channels.map { _ in [Float]() }
    var isSame = true
    for start in stride(from: 0, to: channels[0].count, by: piece) {
      let part = channels.map { Array($0[start..<min(start + piece, $0.count)]) }
      let buffer = try AVAudioPCMBuffer.make(part, rate: Self.rate)
      correction = correction ?? PhaseCorrection(buffer.format)
      let corrected = try #require(correction).correct(buffer)
      isSame = isSame && corrected === buffer
      for index in channels.indices { samples[index] += corrected.samples(index) }
    }
    return (samples, isSame)
  }

  /// Two microphones, one in front of the other, one channel only, two speakers, a wide mix, and four channels.
  @Test(arguments: 0..<6, [160, 1600, 5000])
  func ordinaryAudioKeepsEverySample(kind: Int, piece: Int) throws {
    let (one, other) = (Self.speech(), Self.speech(seed: 2))
    let silence = [Float](repeating: 0, count: Self.frames)
    let channels: [[Float]] =
      switch kind {
      case 0: [one, one]
      case 1: [one, silence]
      case 2: [one, [Float](repeating: 0, count: 10) + one.dropLast(10)]
      case 3: [one, Array(other.reversed())]
      case 4: [zip(one, other).map { $0 + 0.5 * $1 }, zip(one, other).map { $0 - 0.5 * $1 }]
      default: [silence, one, silence, silence]
      }
    let result = try correct(channels, piece: piece)
    #expect(result.isSame)
    #expect(result.samples == channels)
  }

  @Test(arguments: [Float(-1), -0.9], [700, 1600, 48_000])
  func oppositePhaseGivesTheStrongerChannel(gain: Float, piece: Int) throws {
    let one = Self.speech()
    let other = one.map { $0 * gain }
    let result = try correct([other, one], piece: piece)
    #expect(!result.isSame)
    // The first part may have been mixed, where it was passed on before it was complete.
    let stronger = gain == -1 ? other : one
    #expect(difference(result.samples[0][1700...], stronger[1700...]) == 0)
    #expect(difference(result.samples[1][1700...], stronger[1700...]) == 0)
  }

  @Test func aChangeOfPhaseFadesAndIsUndone() throws {
    let one = Self.speech(160_000)
    let inverted = one.enumerated().map { (64_000..<112_000).contains($0.offset) ? -$0.element : $0.element }
    let result = try correct([one, inverted])
    let mix = zip(result.samples[0], result.samples[1]).map { ($0 + $1) / 2 }
    #expect(difference(mix[..<64_000], one[..<64_000]) == 0)
    #expect(difference(mix[70_000..<112_000], one[70_000..<112_000]) == 0)
    #expect(difference(result.samples[1][150_000...], inverted[150_000...]) == 0)
    let steps = zip(one, one.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    #expect((zip(mix, mix.dropFirst()).map { abs($0 - $1) }.max() ?? 1) < 1.5 * steps)
  }

  @Test func aMixOfOppositePhasesHasItsEnergy() throws {
    let one = Self.speech()
    let source = try AVAudioPCMBuffer.make([one, one.map { -$0 }], rate: Self.rate)
    let target = try #require(AVAudioFormat(standardFormatWithSampleRate: Self.rate, channels: 1))
    let conversion = try #require(AudioConversion(from: source.format, to: target))
    conversion.converter.downmix = true
    let mixed = try (conversion.convert(source) + conversion.finish()).flatMap { $0.samples() }
    #expect(conversion.isPhaseCorrected)
    // It begins with a fade.
    #expect(difference(mixed.dropFirst(100), one.dropFirst(100)) < 1e-6)
  }
}
