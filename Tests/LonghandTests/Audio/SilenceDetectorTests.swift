import Foundation
import Testing

@testable import Longhand

@Suite struct SilenceDetectorTests {
  private static let rate = 16_000

  /// Noise and a tone, each with its RMS level in dBFS; nil for none.
  private static func sound(
    _ seconds: Double, noise: Double? = nil, tone: Double? = nil, hertz: Double = 500, seed: UInt64 = 1
  ) -> [Float] {
    var random = SeededGenerator(seed: seed)
    // Uniform noise from -x to x has the RMS level x / √3, a tone x / √2.
    let noise = noise.map { Float(pow(10, $0 / 20) * 3.0.squareRoot()) } ?? 0
    let tone = tone.map { pow(10, $0 / 20) * 2.0.squareRoot() } ?? 0
    return (0..<Int(seconds * Double(rate))).map { place in
      let wave = tone * sin(2 * .pi * hertz * Double(place) / Double(rate))
      return (noise > 0 ? Float.random(in: -noise...noise, using: &random) : 0) + Float(wave)
    }
  }

  @Test func burstOverNoiseIsSoundAndQuietIsMeasuredAfterIt() {
    var detector = SilenceDetector(sampleRate: Self.rate)
    #expect(detector.take(Self.sound(2, noise: -60)) == false)
    #expect(abs(detector.quiet - 2) < 0.001)
    #expect(abs(detector.noiseFloor + 60) < 3)
    let hasSound = detector.take(Self.sound(0.3, noise: -60, tone: -30))
    #expect(hasSound)
    #expect(detector.isSound)
    #expect(detector.quiet == 0)
    _ = detector.take(Self.sound(0.5, noise: -60, seed: 2))
    #expect(!detector.isSound)
    #expect(abs(detector.quiet - 0.5) < 0.021)
  }

  @Test func thresholdHoldsWhateverTheNoiseIs() {
    var detector = SilenceDetector(sampleRate: Self.rate, threshold: -40)
    _ = detector.take(Self.sound(2, noise: -60))
    #expect(detector.take(Self.sound(0.3, noise: -60, tone: -45)) == false)
    #expect(detector.take(Self.sound(0.3, noise: -60, tone: -35)) == true)
    // As loud for a long time, which the noise floor would follow.
    _ = detector.take(Self.sound(30, noise: -60, tone: -35))
    #expect(detector.isSound)
  }

  @Test func engineUsesTheSilenceOfItsOptions() throws {
    var options = TranscriptionOptions(engine: .rolling)
    #expect(try RollingEngine(options.resolved()).pace.limits.pause == 0.5)
    options.silence = SilenceOptions(threshold: -200, duration: 2)
    #expect(try RollingEngine(options.resolved()).pace.limits.pause == 2)
    #expect(options.silence.threshold == -90)
  }

  @Test func levelJustAboveTheNoiseIsNotSound() {
    var detector = SilenceDetector(sampleRate: Self.rate)
    _ = detector.take(Self.sound(2, noise: -60))
    #expect(detector.take(Self.sound(0.3, noise: -60, tone: -57)) == false)
  }

  /// Sound may continue at a lower level than the one at which it begins.
  @Test func soundEndsAtALowerLevelThanItBegins() {
    var detector = SilenceDetector(sampleRate: Self.rate)
    let between = Self.sound(0.2, noise: -60, tone: -52.7)
    _ = detector.take(Self.sound(2, noise: -60))
    #expect(detector.take(between) == false)
    _ = detector.take(Self.sound(0.1, noise: -60, tone: -30))
    _ = detector.take(between)
    #expect(detector.isSound)
  }

  @Test func humIsNotSound() {
    for hertz in [50.0, 500] {
      var detector = SilenceDetector(sampleRate: Self.rate)
      _ = detector.take(Self.sound(2, noise: -60))
      let hasSound2 = detector.take(Self.sound(1, noise: -60, tone: -47, hertz: hertz)) == (hertz == 500)
      #expect(hasSound2)
    }
  }

  @Test func noiseFloorFollowsTheRoom() {
    var detector = SilenceDetector(sampleRate: Self.rate)
    _ = detector.take(Self.sound(3, noise: -62))
    _ = detector.take(Self.sound(1, noise: -45))
    #expect(detector.isSound, "it could be speech")
    _ = detector.take(Self.sound(12, noise: -45, seed: 2))
    #expect(!detector.isSound)
    #expect(abs(detector.noiseFloor + 45) < 3)
    let hasSound3 = detector.take(Self.sound(0.2, noise: -45, tone: -25))
    #expect(hasSound3)
    // The floor falls at once.
    _ = detector.take(Self.sound(0.1, noise: -62))
    #expect(abs(detector.noiseFloor + 62) < 3)
  }

  @Test func digitalSilenceIsNeverSound() {
    var detector = SilenceDetector(sampleRate: Self.rate)
    #expect(detector.take(Self.sound(60)) == false)
    #expect(detector.noiseFloor == -72)
    #expect(abs(detector.quiet - 60) < 0.001)
    _ = detector.take(Self.sound(1, tone: -20))
    _ = detector.take(Self.sound(0.04))
    #expect(!detector.isSound)
    #expect(detector.quiet > 0)
    #expect(detector.take(Self.sound(10)) == false)
  }

  @Test func noiseFloorHasAnUpperLimit() {
    var detector = SilenceDetector(sampleRate: Self.rate)
    let hasSound4 = detector.take(Self.sound(30, noise: -20))
    #expect(hasSound4)
    #expect(detector.isSound)
    #expect(detector.noiseFloor == -38)
  }

  @Test(arguments: [8000, 11_025, 44_100]) func resultDoesNotDependOnTheChunkSize(_ rate: Int) {
    let sound =
      Self.sound(1.5, noise: -60) + Self.sound(0.37, noise: -60, tone: -30)
      + Self.sound(0.81, noise: -60) + Self.sound(0.205, noise: -60, tone: -25)
    var whole = SilenceDetector(sampleRate: rate)
    let hasSound = whole.take(sound)
    var random = SeededGenerator(seed: UInt64(rate))
    for most in [1, 50, 333, 5000] {
      var pieces = SilenceDetector(sampleRate: rate)
      var hadSound = false
      var place = 0
      while place < sound.count {
        let end = min(sound.count, place + Int.random(in: 1...most, using: &random))
        let heard = pieces.take(Array(sound[place..<end]))
        hadSound = hadSound || heard
        place = end
      }
      #expect(pieces.noiseFloor == whole.noiseFloor)
      #expect(pieces.isSound == whole.isSound)
      #expect(pieces.quiet == whole.quiet)
      #expect(hadSound == hasSound)
    }
  }
}
