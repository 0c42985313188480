import Foundation

@testable import Speech

/// Sound that is no speech, and speech that is.
enum Sounds {
  /// A melody of held notes, each with ten harmonics, struck twice a second.
  static func melody(_ seconds: Double) -> [Int16] {
    let notes = [262.0, 330, 392, 330, 294, 349, 440, 349]
    var phase = 0.0
    return (0..<Int(seconds * 16_000)).map { index in
      let time = Double(index) / 16_000
      phase += 2 * .pi * notes[Int(time * 2) % notes.count] / 16_000
      let decay = exp(-2 * (time * 2).truncatingRemainder(dividingBy: 1))
      let sum = (1...10).reduce(0) { $0 + sin(Double($1) * phase) / Double($1) }
      return Int16(6000 * decay * sum)
    }
  }

  /// White noise as loud as a voice, with pauses.
  static func hiss(_ seconds: Double) -> [Int16] {
    SpeechSegmenterTests.noise(1) + SpeechSegmenterTests.noise(seconds, level: -25, seed: 3)
      + SpeechSegmenterTests.noise(1)
  }

  /// A reader's sentence of 7 s.
  static func reader(_ number: String = "0870") throws -> [Int16] {
    try Recordings.samples(Recordings.librivox(number))
  }
}
